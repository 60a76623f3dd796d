/**
 * Files inside archives: zip (also wheels and jars), tar and gzip, a few levels deep and within
 * bounds. What is not opened is said, never passed over.
 *
 * @module
 */
import { gunzipSync, inflateRawSync } from "node:zlib";

/** A file of an archive. */
export interface PackedFile {
  /** Path inside, of each level: `lib.whl/lib/config.py`. */
  path: string;
  bytes: Uint8Array;
}

/** What is left to be opened in a whole repository. */
export interface PackingBudget {
  bytes: number;
  entries: number;
}

/** What one repository's archives may unfold to. */
export function packingBudget(): PackingBudget {
  return { bytes: 50_000_000, entries: 5_000 };
}

/** Files of an archive and why some were not looked at; null for no archive. */
export interface Unpacked {
  files: PackedFile[];
  problems: string[];
}

const MAX_DEPTH = 3;
const MAX_FILE_BYTES = 20_000_000;
/** Formats that there is no reader for, by their first bytes. */
const CLOSED: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ["7-Zip", [0x37, 0x7a, 0xbc, 0xaf]],
  ["RAR", [0x52, 0x61, 0x72, 0x21]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["Zstandard", [0x28, 0xb5, 0x2f, 0xfd]],
];

function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function isTar(bytes: Uint8Array): boolean {
  return bytes.length > 512 && begins(bytes.subarray(257), [0x75, 0x73, 0x74, 0x61, 0x72]);
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function* tarEntries(bytes: Uint8Array): Generator<PackedFile> {
  let at = 0;
  while (at + 512 <= bytes.length && bytes[at] !== 0) {
    const header = bytes.subarray(at, at + 512);
    const field = (from: number, size: number) =>
      text(header.subarray(from, from + size)).split("\0")[0]!;
    const size = parseInt(field(124, 12).trim(), 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new Error("a header is damaged");
    const prefix = field(345, 155);
    const path = prefix === "" ? field(0, 100) : `${prefix}/${field(0, 100)}`;
    const type = header[156]!;
    if (type === 0 || type === 0x30) {
      yield { path, bytes: bytes.subarray(at + 512, at + 512 + size) };
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

/** Entries by the central directory (PKWARE APPNOTE 6.3, 4.3.12), which is what readers go by. */
function* zipEntries(bytes: Uint8Array, left: PackingBudget): Generator<PackedFile | string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  const lowest = Math.max(0, end - 65_535);
  while (end >= lowest && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < lowest) throw new Error("it has no directory");
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error("its directory is damaged");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const nameBytes = view.getUint16(at + 28, true);
    const path = text(bytes.subarray(at + 46, at + 46 + nameBytes));
    const local = view.getUint32(at + 42, true);
    const size = view.getUint32(at + 20, true);
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (path.endsWith("/")) continue;
    if ((flags & 1) !== 0) {
      yield `${path} is encrypted`;
      continue;
    }
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = bytes.subarray(start, start + size);
    if (method === 0) yield { path, bytes: packed };
    else if (method === 8) yield { path, bytes: inflateRawSync(packed, bound(left)) };
    else yield `${path} is compressed in a way that is not read`;
  }
}

function bound(left: PackingBudget): { maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, Math.min(MAX_FILE_BYTES, left.bytes)) };
}

function* entriesOf(
  path: string,
  bytes: Uint8Array,
  left: PackingBudget,
): Generator<PackedFile | string> {
  if (begins(bytes, [0x50, 0x4b, 0x03, 0x04])) yield* zipEntries(bytes, left);
  else if (isTar(bytes)) yield* tarEntries(bytes);
  else if (begins(bytes, [0x1f, 0x8b])) {
    const inner = gunzipSync(bytes, { maxOutputLength: Math.max(1, left.bytes) });
    if (isTar(inner)) yield* tarEntries(inner);
    else yield { path: path.slice(path.lastIndexOf("/") + 1).replace(/\.gz$/i, ""), bytes: inner };
  } else {
    const closed = CLOSED.find(([, magic]) => begins(bytes, magic));
    if (closed !== undefined) yield `archives of ${closed[0]} are not opened`;
  }
}

/** Whether the first bytes are those of an archive. */
export function isArchive(bytes: Uint8Array): boolean {
  return begins(bytes, [0x50, 0x4b, 0x03, 0x04]) || begins(bytes, [0x1f, 0x8b]) || isTar(bytes) ||
    CLOSED.some(([, magic]) => begins(bytes, magic));
}

/** The files of the archive at `path`, those of archives in it included. */
export function unpack(path: string, bytes: Uint8Array, left: PackingBudget, depth = 1): Unpacked {
  const found: Unpacked = { files: [], problems: [] };
  try {
    for (const entry of entriesOf(path, bytes, left)) {
      if (typeof entry === "string") {
        found.problems.push(entry);
        continue;
      }
      left.bytes -= entry.bytes.length;
      if (--left.entries < 0 || left.bytes < 0) throw new Error("there is more than is searched");
      if (!isArchive(entry.bytes)) found.files.push(entry);
      else if (depth === MAX_DEPTH) found.problems.push(`${entry.path} lies too deep`);
      else {
        const inner = unpack(entry.path, entry.bytes, left, depth + 1);
        found.problems.push(...inner.problems);
        for (const file of inner.files) {
          found.files.push({ ...file, path: `${entry.path}/${file.path}` });
        }
      }
    }
  } catch (error) {
    const tooLarge = error instanceof Error && "code" in error &&
      error.code === "ERR_BUFFER_TOO_LARGE";
    const reason = error instanceof Error ? error.message : "it is damaged";
    found.problems.push(tooLarge ? "it unfolds to more than is searched" : reason.slice(0, 200));
  }
  return found;
}
