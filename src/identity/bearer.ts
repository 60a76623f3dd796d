/**
 * Step one of the token checks: the token in the `Authorization` header.
 *
 * @module
 */
import { invalidToken, missingToken } from "./failures.ts";

/** Longest token that is looked at, in characters. Real ones have one or two thousand. */
export const MAX_TOKEN_LENGTH = 16_384;

const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The bearer token in `header`. The scheme is matched in any letter case (RFC 9110, 11.1).
 *
 * @param hint What to tell those who send none; absent: how to send one.
 * @throws {AppError} `missing_token` without a header or with another scheme, `invalid_token` when
 * what follows is not one token in compact form (also when the header was sent more than once).
 */
export function bearerToken(header: string | null | undefined, hint?: string): string {
  const value = header?.trim() ?? "";
  const scheme = /^[^\s,]*/.exec(value)?.[0] ?? "";
  if (scheme.toLowerCase() !== "bearer") throw missingToken(hint);
  const token = value.slice(scheme.length).trim();
  if (token === "") throw missingToken(hint);
  if (token.length > MAX_TOKEN_LENGTH) {
    throw invalidToken(`The token is longer than ${MAX_TOKEN_LENGTH} characters`);
  }
  if (!COMPACT_FORM.test(token)) {
    throw invalidToken("The Authorization header does not contain exactly one signed token");
  }
  return token;
}
