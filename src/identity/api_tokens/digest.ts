/**
 * What a token is known by once it is not at hand.
 *
 * @module
 */

/**
 * The SHA-256, in hexadecimal, of what the signature of `token` covers. The signature itself is
 * left out because it can be changed without becoming invalid (an ECDSA signature has a twin, and
 * base64url has spare bits): a revoked token must not come back in another spelling.
 *
 * @param token In compact form; its signature was checked.
 */
export async function tokenDigest(token: string): Promise<string> {
  const covered = token.slice(0, token.lastIndexOf("."));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(covered));
  return new Uint8Array(digest).toHex();
}
