/**
 * Step two of the token checks: form, algorithm, key and signature.
 *
 * The key always comes from the issuer's set: what a token's header brings along (`jwk`, `jku`,
 * `x5c`, `x5u`) is never looked at.
 *
 * @module
 */
import { compactVerify, errors } from "jose";
import { AppError } from "../errors.ts";
import { invalidToken } from "./failures.ts";
import { parseObject } from "./json.ts";
import type { FindKey } from "./key_set.ts";

/** Signature algorithms that are accepted: asymmetric ones only. */
const ALGORITHMS = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];

// Other kinds of signed tokens of the same issuer (logout tokens, proofs of possession) are not
// for presenting here (RFC 8725, 3.11).
const TYPES = /^(application\/)?(jwt|at\+jwt|jose)$/i;

/** Most keys tried for a token that names none. */
const MAX_CANDIDATES = 10;

const REASONS: Record<string, string> = {
  ERR_JOSE_ALG_NOT_ALLOWED: "The signature algorithm is not accepted",
  ERR_JOSE_NOT_SUPPORTED: "The token requires an unsupported feature",
  ERR_JWKS_NO_MATCHING_KEY: "The issuer has no key with this id and algorithm",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "No key of the issuer matches the signature",
  ERR_JWS_INVALID: "The token is malformed",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The signature does not match",
};

function reasonOf(error: unknown): string {
  const code = error instanceof errors.JOSEError ? error.code : "";
  // Anything else is a key of the set that cannot be used, such as a short RSA key.
  return REASONS[code] ?? "The issuer's key cannot be used";
}

async function verifyWithAny(
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
): Promise<Uint8Array> {
  let tried = 0;
  for await (const key of candidates) {
    if (++tried > MAX_CANDIDATES) break;
    try {
      return (await compactVerify(token, key, { algorithms: ALGORITHMS })).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw candidates;
}

async function verifiedPayload(token: string, findKey: FindKey): Promise<Uint8Array> {
  try {
    return (await compactVerify(token, findKey, { algorithms: ALGORITHMS })).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return await verifyWithAny(token, error);
    throw error;
  }
}

function checkHeader(token: string): void {
  const header = parseHeader(token.slice(0, token.indexOf(".")));
  if (header === null) throw invalidToken("The token is malformed");
  // No extension is understood; jose itself knows "b64", which signed tokens must not use.
  if (header.crit !== undefined || header.b64 !== undefined) {
    throw invalidToken("The token requires an unsupported feature");
  }
  const { typ } = header;
  if (typ !== undefined && !(typeof typ === "string" && TYPES.test(typ))) {
    throw invalidToken("The token is neither an access token nor an ID token");
  }
}

function parseHeader(encoded: string): Record<string, unknown> | null {
  try {
    return parseObject(Uint8Array.fromBase64(encoded, { alphabet: "base64url" }));
  } catch {
    return null;
  }
}

/**
 * The claims of `token`, a compact JWS, after its signature was checked.
 *
 * @throws {AppError} `invalid_token`; `unavailable` when the issuer's keys are unavailable.
 */
export async function verifySignature(
  token: string,
  findKey: FindKey,
): Promise<Record<string, unknown>> {
  checkHeader(token);
  let payload: Uint8Array;
  try {
    payload = await verifiedPayload(token, findKey);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidToken(reasonOf(error), { cause: error });
  }
  const claims = parseObject(payload);
  if (claims === null) {
    throw invalidToken("The claims must be a JSON object without duplicate keys");
  }
  return claims;
}
