/**
 * What a user sees about herself.
 *
 * @module
 */
import type { Caller } from "./caller.ts";
import type { Profile } from "./schema.ts";

/** The profile of `caller`, who owns `servers` (names). */
export function profileOf(caller: Caller, servers: string[]): Profile {
  return {
    user_id: caller.userId,
    email: caller.email,
    email_verified: caller.emailVerified,
    username: caller.username,
    sign_in_provider: caller.signInProvider,
    is_admin: caller.isAdmin,
    auth_time: caller.authTime?.toISOString() ?? null,
    token_expires_at: caller.expiresAt.toISOString(),
    servers,
  };
}
