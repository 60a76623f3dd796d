/**
 * Invitations as the API has them.
 *
 * @module
 */
import { z } from "zod";
import { readEmail } from "./email.ts";

/** Whom an administrator invites. */
export const InviteUser = z.strictObject({
  email: z.string().transform((text, context) => {
    const email = readEmail(text);
    if (email !== null) return email;
    context.addIssue({ code: "custom", message: "must be an email address" });
    return z.NEVER;
  }).meta({ description: "Address of the account, which the user signs in with" }),
}).meta({ id: "InviteUser" });

/** A link that makes an account. */
export const Invitation = z.object({
  email: z.string(),
  url: z.string().meta({ description: "Works once. It is not shown again" }),
  expires_at: z.iso.datetime(),
}).meta({ id: "AccountInvitation" });
export type Invitation = z.infer<typeof Invitation>;
