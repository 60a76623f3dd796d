/**
 * Files inside archives: zip (also wheels and jars), tar, 7-Zip, RAR, and what gzip, bzip2, xz and
 * Zstandard compress, a few levels deep and within bounds. What is not opened is said, never passed
 * over.
 *
 * @module
 */
import {
  begins,
  type Entry,
  isTar,
  isZip,
  type PackedFile,
  tarEntries,
  zipEntries,
} from "./containers.ts";
import { DECOMPRESS } from "./decompress.ts";
import { libarchiveEntries } from "./libarchive.ts";

/** What is left to be opened in a whole repository. */
export interface PackingBudget {
  bytes: number;
  entries: number;
}

/** What one repository's archives may unfold to. */
export function packingBudget(): PackingBudget {
  return { bytes: 50_000_000, entries: 5_000 };
}

/** Files of an archive and why some were not looked at. */
export interface Unpacked {
  files: PackedFile[];
  problems: string[];
}

const MAX_DEPTH = 3;
const MAX_FILE_BYTES = 20_000_000;
/** Unfolded bytes for each packed byte, once {@link RATIO_FREE_BYTES} came out. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 10_000_000;

/** Archives, by their first bytes. */
const ARCHIVES = {
  sevenZip: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  rar: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
} as const;

/** Compressed files, by their first bytes, with the ending that they add to a name. */
const COMPRESSED = [
  { format: "gzip", magic: [0x1f, 0x8b], ending: /\.gz$/i },
  { format: "bzip2", magic: [0x42, 0x5a, 0x68], ending: /\.bz2$/i, goesOn: isBzip2 },
  { format: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], ending: /\.xz$/i },
  { format: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], ending: /\.zst$/i },
] as const;

/** Three letters would be too little: a text that begins with them must not go unread. */
function isBzip2(bytes: Uint8Array): boolean {
  const level = bytes[3] ?? 0;
  const block = bytes.subarray(4);
  return level >= 0x31 && level <= 0x39 &&
    (begins(block, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) ||
      begins(block, [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]));
}

function compressionOf(bytes: Uint8Array) {
  return COMPRESSED.find((each) =>
    begins(bytes, each.magic) && (!("goesOn" in each) || each.goesOn(bytes))
  );
}

/** Whether `bytes` are an archive, by what they hold; names say nothing. */
export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isTar(bytes) ||
    Object.values(ARCHIVES).some((magic) => begins(bytes, magic)) ||
    compressionOf(bytes) !== undefined;
}

async function* entriesOf(
  path: string,
  bytes: Uint8Array,
  left: PackingBudget,
): AsyncGenerator<Entry> {
  const allowed = (packed: number) =>
    Math.max(0, Math.min(left.bytes, Math.max(RATIO_FREE_BYTES, packed * MAX_RATIO)));
  const ofFile = (packed: number) => Math.min(MAX_FILE_BYTES, allowed(packed));
  if (isZip(bytes)) yield* zipEntries(bytes, ofFile);
  else if (isTar(bytes)) yield* tarEntries(bytes);
  else if (begins(bytes, ARCHIVES.sevenZip) || begins(bytes, ARCHIVES.rar)) {
    yield* libarchiveEntries(bytes, () => ofFile(bytes.length));
  } else {
    const { format, ending } = compressionOf(bytes)!;
    const inner = await DECOMPRESS[format](bytes, allowed(bytes.length));
    if (isTar(inner)) yield* tarEntries(inner);
    else yield { path: path.slice(path.lastIndexOf("/") + 1).replace(ending, ""), bytes: inner };
  }
}

/** The files of the archive at `path`, those of archives in it included. */
export async function unpack(
  path: string,
  bytes: Uint8Array,
  left: PackingBudget,
  depth = 1,
): Promise<Unpacked> {
  const found: Unpacked = { files: [], problems: [] };
  try {
    for await (const entry of entriesOf(path, bytes, left)) {
      if (--left.entries < 0) throw new Error("it contains more than the scan searches");
      if (typeof entry === "string") {
        found.problems.push(entry.slice(0, 200));
        continue;
      }
      left.bytes -= entry.bytes.length;
      if (left.bytes < 0) throw new Error("it contains more than the scan searches");
      if (!isArchive(entry.bytes)) found.files.push(entry);
      else if (depth === MAX_DEPTH) found.problems.push(`${entry.path} is nested too deeply`);
      else {
        const inner = await unpack(entry.path, entry.bytes, left, depth + 1);
        found.problems.push(...inner.problems);
        for (const file of inner.files) {
          found.files.push({ ...file, path: `${entry.path}/${file.path}` });
        }
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is damaged";
    found.problems.push(reason.slice(0, 200));
  }
  return found;
}
