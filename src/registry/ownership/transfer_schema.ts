/**
 * Offers of servers as requests make and responses show them.
 *
 * @module
 */
import { z } from "zod";
import { Username } from "../../identity/schema.ts";
import { ServerName } from "../schema.ts";

/** Body of an offer. */
export const OfferTransfer = z.strictObject({
  to: Username.meta({ description: "Username of the recipient", example: "joan" }),
}).meta({ id: "OfferTransfer", description: "User to offer the server to" });
export type OfferTransfer = z.infer<typeof OfferTransfer>;

/** An open offer. */
export const Transfer = z.object({
  server: ServerName,
  from: z.string().meta({ description: "The owner's username", example: "jane-doe" }),
  to: z.string().meta({ description: "The recipient's username", example: "joan" }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().meta({ description: "When the offer expires" }),
}).meta({ id: "Transfer" });
export type Transfer = z.infer<typeof Transfer>;

/** The open offers that concern a user. */
export const Transfers = z.object({
  incoming: z.array(Transfer).meta({ description: "Servers offered to you" }),
  outgoing: z.array(Transfer).meta({ description: "Your servers that are on offer" }),
}).meta({ id: "Transfers" });
export type Transfers = z.infer<typeof Transfers>;
