/**
 * The profile of a user as `/auth/me` shows and takes it.
 *
 * @module
 */
import { z } from "zod";
import { USERNAME_LENGTH } from "../names/username.ts";

/** A username: the pattern of server names, 2–39 characters. */
export const Username = z.string().min(USERNAME_LENGTH.min).max(USERNAME_LENGTH.max).regex(
  /^[a-z0-9]+(-[a-z0-9]+)*$/,
  "must be lowercase letters and digits, in words separated by single hyphens",
).meta({ description: "Unique. Also reserves the author name", example: "jane-doe" });

/** Body of a change of one's username. */
export const ChangeUsername = z.strictObject({ username: Username }).meta({
  id: "ChangeUsername",
  description: "The new username. It can be changed only once",
});
export type ChangeUsername = z.infer<typeof ChangeUsername>;

/** The profile of the caller. Claims that the provider does not send are null. */
export const Profile = z.object({
  user_id: z.string().meta({ description: "Subject of the token", example: "u-81f3" }),
  email: z.string().nullable().meta({ example: "jane.doe@example.com" }),
  email_verified: z.boolean().nullable(),
  username: z.string().meta({ example: "jane-doe" }),
  sign_in_provider: z.string().nullable().meta({ example: "github.com" }),
  is_admin: z.boolean(),
  auth_time: z.iso.datetime().nullable().meta({ description: "Time of the sign-in" }),
  token_expires_at: z.iso.datetime().meta({
    description: "The token's expiry, at most an hour after it was issued",
  }),
  servers: z.array(z.string()).meta({
    description: "Names of the servers you own",
    example: ["weather"],
  }),
}).meta({ id: "Profile" });
export type Profile = z.infer<typeof Profile>;
