/**
 * The files in zip and tar archives.
 *
 * @module
 */
import { DECOMPRESS, type Decompress } from "./decompress.ts";
import { ZIP_END_BYTES } from "./signatures.ts";

export interface PackedFile {
  /** Path inside, of each level: `lib.whl/lib/config.py`. */
  path: string;
  bytes: Uint8Array;
}

/** A file, or what kept one from being looked at. */
export type Entry = PackedFile | string;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The regular files of a tar archive. */
export function* tarEntries(bytes: Uint8Array): Generator<PackedFile> {
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

/** Begins an entry of the directory. */
const ZIP_ENTRY = 0x02014b50;

/** Methods of compression (PKWARE APPNOTE 6.3, 4.4.5). */
const METHODS: Record<number, Decompress> = {
  0: (bytes) => Promise.resolve(bytes),
  8: DECOMPRESS.deflate,
  12: DECOMPRESS.bzip2,
  93: DECOMPRESS.zstd,
  95: DECOMPRESS.xz,
};

/**
 * Files by the central directory (APPNOTE 4.3.12), which is what readers go by.
 *
 * @param limit What a file of that many packed bytes may unfold to.
 */
export async function* zipEntries(
  bytes: Uint8Array,
  limit: (packed: number) => number,
): AsyncGenerator<Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - ZIP_END_BYTES;
  const lowest = Math.max(0, end - 65_535);
  while (end >= lowest && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < lowest) throw new Error("it has no directory");
  // Places count from the archive's beginning, which need not be the file's.
  const written = view.getUint32(end + 16, true);
  const shift = end - view.getUint32(end + 12, true) - written;
  const before = shift > 0 && view.getUint32(shift + written, true) === ZIP_ENTRY ? shift : 0;
  if (before > 0) yield { path: "(before the archive)", bytes: bytes.subarray(0, before) };
  let at = before + written;
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    if (view.getUint32(at, true) !== ZIP_ENTRY) throw new Error("its directory is damaged");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const nameBytes = view.getUint16(at + 28, true);
    const path = text(bytes.subarray(at + 46, at + 46 + nameBytes));
    const local = before + view.getUint32(at + 42, true);
    const size = view.getUint32(at + 20, true);
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (path.endsWith("/")) continue;
    if ((flags & 1) !== 0) {
      yield `${path} is encrypted`;
      continue;
    }
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = bytes.subarray(start, start + size);
    const decompress = METHODS[method];
    if (decompress === undefined) yield `${path} uses an unsupported compression`;
    else yield { path, bytes: await decompress(packed, limit(size)) };
  }
}
