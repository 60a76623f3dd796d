/**
 * Byte arrays.
 *
 * @module
 */

/** The bytes of `parts` in one piece. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * `body` for a request that must not be run twice. Deno's `fetch` sends a request anew, without a word,
 * where a connection that it kept ends before the answer comes, though the request may have been run
 * by then; of a stream it cannot.
 */
export function sentOnce(body: Uint8Array | string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([body as Uint8Array<ArrayBuffer> | string]).stream();
}

/** SHA-256 of `bytes`, hexadecimal. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(digest).toHex();
}
