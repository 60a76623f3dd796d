/**
 * Sign-ins in the audit log.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { recordChange } from "./audit.ts";

/** A sign-in that succeeded. */
export interface SignIn {
  /** Subject of the tokens that follow. */
  userId: string;
  /** How: `password`, or the name of an upstream provider. */
  provider: string;
  /** Which program was signed in to: a client id, or `browser`. */
  client: string;
  requestId: string;
  at: Date;
}

/** Records a sign-in; for the issuer, in its transaction where it has one. */
export async function recordSignIn(sql: Queryable, signIn: SignIn): Promise<void> {
  const { userId, provider, client, requestId, at } = signIn;
  await recordChange(sql, {
    actor: userId,
    action: "user.sign_in",
    subject: userId,
    requestId,
    at,
    details: { provider: provider.slice(0, 100), client: client.slice(0, 200) },
  });
}
