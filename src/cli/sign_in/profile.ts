/**
 * Who a token speaks for.
 *
 * @module
 */
import { z } from "zod";
import { apiFailure } from "../client/api.ts";
import { readJson, send } from "../client/http.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";

/** A profile, of which this much is used. */
export const Profile = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  is_admin: z.boolean(),
  token_expires_at: z.string(),
  servers: z.array(z.string()),
});
export type Profile = z.infer<typeof Profile>;

/** `GET /auth/me`. */
export const ProfileAnswer = z.object({ user: Profile });

/** The profile of `token`; null when the registry does not accept it. */
export async function fetchProfile(
  context: CliContext,
  registry: string,
  token: string,
): Promise<Profile | null> {
  const response = await send(context, `${registry}/api/v1/auth/me`, {
    what: "The registry",
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status === 401) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) throw await apiFailure(response);
  const parsed = ProfileAnswer.safeParse(await readJson(response));
  if (parsed.success) return parsed.data.user;
  throw new CliError(EXIT.failure, `The registry at ${registry} returned an unexpected response`);
}
