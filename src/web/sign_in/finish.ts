/**
 * Finishing a sign-in: from the provider's answer to a session.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import { AppError } from "../../errors.ts";
import { checkIdToken } from "../../identity/id_token.ts";
import type { FindKey } from "../../identity/key_set.ts";
import { verifySignature } from "../../identity/signature.ts";
import { beginSession } from "../session/sessions.ts";
import type { PendingSignIn } from "./begin.ts";
import type { TokenAnswer } from "./provider.ts";
import { acceptTokens, type SessionDeps } from "../session/tokens.ts";

/** An answer that does not count. The message is for the operator's log; it holds no secret. */
export class SignInRefused extends Error {
  /** @param reason What is wrong. */
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "SignInRefused";
  }
}

export interface FinishDeps extends SessionDeps {
  findKey: FindKey;
}

/** The answer that the browser came back with. */
export interface Answer {
  parameters: URLSearchParams;
  redirectUri: string;
  client: string | null;
  requestId: string;
}

/** The code that the browser brought. */
function codeOf(parameters: URLSearchParams): string {
  const error = parameters.get("error");
  if (error !== null) {
    throw new SignInRefused(`the provider returned ${error.replace(/[^\w.-]/g, "?").slice(0, 60)}`);
  }
  const codes = parameters.getAll("code");
  if (codes.length !== 1 || codes[0] === "") {
    throw new SignInRefused("the response does not have exactly one code");
  }
  return codes[0]!;
}

/** The answer names the provider that was asked, where it says so of its answers (RFC 9207). */
async function checkIssuer({ provider }: SessionDeps, parameters: URLSearchParams): Promise<void> {
  const named = parameters.getAll("iss");
  const { authorization_response_iss_parameter_supported: isExpected } = await provider.discover();
  if (named.length === 0 && isExpected !== true) return;
  if (named.length !== 1 || named[0] !== provider.issuer) {
    throw new SignInRefused("the response does not name the provider that was asked");
  }
}

async function subjectOf(deps: FinishDeps, tokens: TokenAnswer, nonce: string): Promise<string> {
  if (tokens.id_token === undefined) throw new SignInRefused("the response has no identity token");
  let claims: Record<string, unknown>;
  try {
    claims = await verifySignature(tokens.id_token, deps.findKey);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 401) throw error;
    throw new SignInRefused("the identity token is not signed by the provider", { cause: error });
  }
  const { issuer, clientId } = deps.provider;
  const checked = checkIdToken(claims, { issuer, clientId, nonce, now: deps.now() });
  if (checked.kind === "refused") throw new SignInRefused(`the identity token ${checked.reason}`);
  return checked.subject;
}

/**
 * Begins a session for who signed in; returns its secret.
 *
 * @throws {SignInRefused} When the answer is not what it must be. Other errors: the provider or the
 * database cannot be reached.
 */
export async function finishSignIn(
  deps: FinishDeps,
  pending: PendingSignIn,
  answer: Answer,
): Promise<string> {
  const code = codeOf(answer.parameters);
  await checkIssuer(deps, answer.parameters);
  const { redirectUri, client } = answer;
  const { verifier, nonce } = pending;
  const outcome = await deps.provider.exchange({ code, redirectUri, verifier }, client);
  if (outcome.kind === "refused") {
    throw new SignInRefused(`the provider refused the code: ${outcome.reason}`);
  }
  const subject = await subjectOf(deps, outcome.tokens, nonce);
  const accepted = await acceptTokens(deps, outcome.tokens);
  if (accepted.caller.userId !== subject) {
    throw new SignInRefused("the tokens name different users");
  }
  // Of this sign-in no token names any group: the user has none any more.
  if (accepted.caller.groups === undefined) await deps.groups?.clear(subject, deps.now());
  const secret = await beginSession(deps, accepted);
  if (deps.provider.kind === "external") {
    // The embedded issuer records its own.
    await recordChange(deps.sql, {
      actor: subject,
      action: "account.sign_in",
      subject,
      requestId: answer.requestId,
      at: deps.now(),
      details: { provider: deps.provider.issuer },
    });
  }
  return secret;
}
