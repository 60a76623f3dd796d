/**
 * The whole check of a bearer token, in the specification's order.
 *
 * @module
 */
import { tokenDigest } from "./api_tokens/digest.ts";
import { bearerToken } from "./bearer.ts";
import { checkClaims, type ClaimRules, type TokenFacts } from "./claims.ts";
import { invalidToken } from "./failures.ts";
import type { FindKey } from "./key_set.ts";
import { verifySignature } from "./signature.ts";
import type { VerifiedTokens } from "./verified_tokens.ts";

/** How tokens are checked; null where no identity provider is configured. */
export interface TokenDeps {
  provider: {
    findKey: FindKey;
    rules: ClaimRules;
    /** Absent: every signature is checked anew. */
    verified?: VerifiedTokens;
  } | null;
  now: () => Date;
}

const NO_PROVIDER =
  "This registry has no identity provider. Its operator sets one with OIDC_ISSUER and OIDC_AUDIENCE";

/**
 * The facts of the token in an `Authorization` header, and the digest it is known by.
 *
 * @throws {AppError} `missing_token`, `invalid_token`, `expired_token`, or `unavailable` when the
 * issuer's keys are unavailable.
 */
export async function checkToken(
  deps: TokenDeps,
  header: string | null | undefined,
): Promise<TokenFacts & { digest: string }> {
  const { provider, now } = deps;
  const token = bearerToken(header, provider === null ? NO_PROVIDER : undefined);
  if (provider === null) {
    throw invalidToken("This registry has no identity provider", { hint: NO_PROVIDER });
  }
  const { findKey, rules, verified } = provider;
  const claims = await (verified?.check ?? verifySignature)(token, findKey);
  const facts = checkClaims(rules, claims, now());
  return { ...facts, digest: await tokenDigest(token) };
}
