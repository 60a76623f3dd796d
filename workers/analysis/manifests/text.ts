/**
 * Bytes of a manifest as text.
 *
 * @module
 */

/** Decodes UTF-8, and UTF-16 with a byte order mark, which some shells write. The mark is dropped. */
export function decodeManifest(bytes: Uint8Array): string {
  const label = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(label).decode(bytes);
}
