/**
 * API tokens as the API takes and shows them.
 *
 * @module
 */
import { z } from "zod";
import { nameText } from "../../text/characters.ts";
import { TOKEN_LIFETIME_SECONDS } from "../claims.ts";

/** Shortest life that can be asked for, in seconds. */
const MIN_LIFETIME_SECONDS = 60;

const name = nameText(z.string().trim().min(1).max(100)).meta({
  description: "A label. Need not be unique",
  example: "Build server",
});

/** Body of a request for a token. */
export const CreateToken = z.strictObject({
  name,
  expires_in: z.int().min(MIN_LIFETIME_SECONDS).max(TOKEN_LIFETIME_SECONDS)
    .default(TOKEN_LIFETIME_SECONDS).meta({ description: "Lifetime in seconds" }),
}).meta({ id: "CreateToken" });
export type CreateToken = z.infer<typeof CreateToken>;

/** An API token without its value. */
export const ApiToken = z.object({
  id: z.uuid().meta({ example: "8c1f0d5e-6f0f-4a53-9b52-0a6c3f8c2f1d" }),
  name,
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().meta({ description: "Accurate to a minute" }),
  revoked_at: z.iso.datetime().nullable(),
  current: z.boolean().meta({ description: "Whether this request was made with it" }),
}).meta({ id: "ApiToken" });
export type ApiToken = z.infer<typeof ApiToken>;
