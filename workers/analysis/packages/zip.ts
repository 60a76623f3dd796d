/**
 * Reading wheels, which are zip files of strangers (PKWARE APPNOTE 6.3): stored and deflated entries,
 * no ZIP64, within bounds that are checked before anything is inflated.
 *
 * @module
 */
import { inflateRawSync } from "node:zlib";

/** Thrown for a file that is not taken, with the reason for people. */
export class WheelRefused extends Error {}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 65_535;
const ENCRYPTED = 1;
const LINK = 0xa000;
const KIND = 0xf000;

/** Entries of one wheel. */
export const MAX_ENTRIES = 20_000;
/** Bytes of all files of a wheel together. */
export const MAX_UNPACKED_BYTES = 200 * 2 ** 20;
const MAX_PATH = 512;

/** A file of a wheel, not inflated yet. */
export interface ZipEntry {
  path: string;
  bytes: number;
  read(): Uint8Array;
}

function directoryOf(view: DataView): { at: number; count: number } {
  const lowest = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END) continue;
    return { count: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
  }
  throw new WheelRefused("it is not a wheel");
}

/** Refuses paths that could lead out of the folder that an archive is unpacked into. */
export function checkPath(path: string): void {
  const parts = path.replace(/\/$/, "").split("/");
  // deno-lint-ignore no-control-regex -- these are what is refused
  const isOdd = path.length > MAX_PATH || /[\\:\x00-\x1f]/.test(path);
  if (isOdd || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new WheelRefused("it has a file whose path leads elsewhere");
  }
}

function contentOf(
  bytes: Uint8Array,
  view: DataView,
  entry: { local: number; packed: number; size: number; method: number },
): Uint8Array {
  const { local, packed, size, method } = entry;
  if (local + LOCAL_BYTES > view.byteLength || view.getUint32(local, true) !== LOCAL) {
    throw new WheelRefused("its directory is damaged");
  }
  const skip = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const start = local + LOCAL_BYTES + skip;
  const content = bytes.subarray(start, start + packed);
  const plain = method === 0
    ? content
    : size === 0
    ? new Uint8Array(0)
    : inflateRawSync(content, { maxOutputLength: size });
  if (plain.length !== size) throw new WheelRefused("a file has another size than stated");
  return plain;
}

/**
 * The files of a wheel.
 *
 * @throws {WheelRefused} When it is no wheel, or one beyond the bounds.
 */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { at: start, count } = directoryOf(view);
  if (count > MAX_ENTRIES) throw new WheelRefused(`it has more than ${MAX_ENTRIES} files`);
  const entries: ZipEntry[] = [];
  const seen = new Set<string>();
  let total = 0;
  for (let index = 0, at = start; index < count; index++) {
    if (at + ENTRY_BYTES > view.byteLength || view.getUint32(at, true) !== ENTRY) {
      throw new WheelRefused("its directory is damaged");
    }
    const nameBytes = view.getUint16(at + 28, true);
    const path = new TextDecoder().decode(
      bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
    );
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 24, true);
    const entry = { method, size, packed: view.getUint32(at + 20, true), local: 0 };
    entry.local = view.getUint32(at + 42, true);
    const mode = view.getUint32(at + 38, true) >>> 16;
    at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    checkPath(path);
    if (path.endsWith("/")) continue;
    if ((view.getUint16(entry.local + 6, true) & ENCRYPTED) !== 0 || (mode & KIND) === LINK) {
      throw new WheelRefused("it has a link or an encrypted file");
    }
    if (method !== 0 && method !== 8) throw new WheelRefused("its compression is not supported");
    total += size;
    if (total > MAX_UNPACKED_BYTES) {
      throw new WheelRefused(`it is larger than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB when unpacked`);
    }
    if (seen.has(path)) throw new WheelRefused("it has two files of one name");
    seen.add(path);
    entries.push({ path, bytes: size, read: () => contentOf(bytes, view, entry) });
  }
  return entries;
}
