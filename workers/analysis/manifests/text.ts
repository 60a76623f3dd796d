/**
 * Bytes of a manifest as text.
 *
 * @module
 */

/** An encoding that a comment in the first two lines names, as pip and Python read it. */
const COOKIE = /^(?:[^\n]{0,200}\n)?[ \t\f]{0,20}#[^\n]{0,200}?coding[:=][ \t]{0,5}([-\w.]{1,40})/;

function fromUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
  }
  return parts.join("");
}

/** Text that is not UTF-8, in the encoding that it names, if it names one. */
function byCookie(bytes: Uint8Array): string | null {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return null;
  } catch {
    const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, 500));
    const label = COOKIE.exec(beginning)?.[1];
    try {
      return label === undefined ? null : new TextDecoder(label).decode(bytes);
    } catch {
      return null;
    }
  }
}

/**
 * Decodes UTF-8, UTF-16 and UTF-32 with a byte order mark, which some shells write, and encodings
 * that a comment names. The mark is dropped.
 */
export function decodeManifest(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return fromUtf32(bytes, true);
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return fromUtf32(bytes, false);
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return byCookie(bytes) ?? new TextDecoder().decode(bytes);
}
