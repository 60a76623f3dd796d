/**
 * Digests and random secrets.
 *
 * @module
 */

/** SHA-256 of `text`, in hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

/** 256 random bits for an address or a cookie. */
export function randomSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}
