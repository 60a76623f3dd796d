/**
 * Signing in by e-mail address and password.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { IssuerDeps } from "../deps.ts";
import { clearAttempts, networkOf, takeAttempt } from "../guard.ts";
import type { IssuerRequest } from "../request.ts";
import { renewGroups } from "./groups.ts";
import { emailKey, findByEmail, PASSWORD_PROVIDER } from "./accounts.ts";
import { verifyPassword } from "./password.ts";

/** Subject of refused sign-ins in the audit log where there is no such account. */
const UNKNOWN_ACCOUNT = "unknown account";

/** What came of it. Nothing tells an unknown address from a wrong password. */
export type SignInOutcome =
  | { kind: "signed_in"; accountId: string }
  | { kind: "refused" }
  | { kind: "limited"; retryAfterSeconds: number };

/** Records that a user signed in, for the audit log. */
export async function recordSignIn(
  deps: IssuerDeps,
  request: IssuerRequest,
  { accountId, provider }: { accountId: string; provider: string },
): Promise<void> {
  await recordChange(deps.sql, {
    actor: accountId,
    action: "account.sign_in",
    subject: accountId,
    requestId: request.requestId,
    at: deps.now(),
    details: { provider, client: request.client },
  });
}

/** Checks the password. An address without account costs as much time as one with. */
export async function signIn(
  deps: IssuerDeps,
  request: IssuerRequest,
  input: { email: string; password: string },
): Promise<SignInOutcome> {
  const email = emailKey(input.email);
  const network = networkOf(request.client);
  const wait = await takeAttempt(deps, [
    ["passwordNetwork", network],
    ["passwordHere", email, network],
    ["passwordAnywhere", email],
  ]);
  if (wait !== null) return { kind: "limited", retryAfterSeconds: wait };
  const account = await findByEmail(deps.sql, email);
  const isRight = await verifyPassword(input.password, account?.password ?? null);
  if (!isRight || account === null) {
    request.log.info("issuer.sign_in_refused", { client: request.client });
    // The address that was typed stays out: people type passwords into the wrong field.
    deps.noteRefusal({
      action: "account.refuse",
      actor: null,
      subject: account?.id ?? UNKNOWN_ACCOUNT,
      kind: network,
      requestId: request.requestId,
      details: { provider: PASSWORD_PROVIDER, client: network },
    });
    return { kind: "refused" };
  }
  await clearAttempts(deps, ["passwordHere", email, network]);
  await renewGroups(deps, account.id, []);
  await recordSignIn(deps, request, { accountId: account.id, provider: PASSWORD_PROVIDER });
  return { kind: "signed_in", accountId: account.id };
}
