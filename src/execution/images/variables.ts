/**
 * Which environment variables a server's files name: its code may set them before it imports a package
 * that reads them, which is too late for a package in an image. Bytes are searched, nothing is parsed.
 *
 * @module
 */
import { Buffer } from "node:buffer";

const SEARCHED = /\.py$|(^|\/)\.env[^/]*$/;
/** Bytes that are searched; a server with more may name any. */
const MOST_BYTES = 8 << 20;

/** How code says that it changes variables whose names it need not state. */
const ANY = ["environ", "putenv"];

/** How a name stands in code and in files of variables: in quotes, or before its value. */
function needlesOf(read: string): string[] {
  if (read === "*") return ANY;
  if (read.endsWith("*")) return [`"${read.slice(0, -1)}`, `'${read.slice(0, -1)}`];
  return [`"${read}"`, `'${read}'`, `${read}=`];
}

/** Whether the files name the variable; `read` may be `PREFIX*`. */
export function mentionsVariable(files: ReadonlyMap<string, Uint8Array>, read: string): boolean {
  const needles = needlesOf(read);
  let left = MOST_BYTES;
  for (const [path, bytes] of files) {
    if (!SEARCHED.test(path)) continue;
    left -= bytes.length;
    if (left < 0) return true;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (needles.some((needle) => text.includes(needle))) return true;
  }
  return false;
}
