/**
 * Files inside archives: zip (also wheels and jars), tar, 7-Zip, RAR, and what gzip, bzip2, xz and
 * Zstandard compress, a few levels deep and within bounds. What is not opened is said, never passed
 * over.
 *
 * @module
 */
import { type Entry, type PackedFile, tarEntries, zipEntries } from "./containers.ts";
import { DECOMPRESS, TooLarge } from "./decompress.ts";
import { libarchiveEntries } from "./libarchive.ts";
import {
  ARCHIVES,
  begins,
  compressionOf,
  isArchive,
  isTar,
  isZip,
  type PackingBudget,
} from "./signatures.ts";

/** Files of an archive and why some were not looked at. */
export interface Unpacked {
  files: PackedFile[];
  problems: string[];
  /** There is more than is opened. */
  cut: boolean;
}

const TOO_MUCH = "it contains more than the scan searches";

const MAX_DEPTH = 3;
const MAX_FILE_BYTES = 20_000_000;
/** Unfolded bytes for each packed byte, once {@link RATIO_FREE_BYTES} came out. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 10_000_000;

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
  const found: Unpacked = { files: [], problems: [], cut: false };
  try {
    for await (const entry of entriesOf(path, bytes, left)) {
      if (--left.entries < 0) throw new Error(TOO_MUCH);
      if (typeof entry === "string") {
        found.problems.push(entry.slice(0, 200));
        continue;
      }
      left.bytes -= entry.bytes.length;
      if (left.bytes < 0) throw new Error(TOO_MUCH);
      if (!isArchive(entry.bytes)) found.files.push(entry);
      else if (depth === MAX_DEPTH) {
        found.problems.push(`${entry.path} is nested too deeply`);
        found.cut = true;
      } else {
        const inner = await unpack(entry.path, entry.bytes, left, depth + 1);
        found.problems.push(...inner.problems);
        found.cut ||= inner.cut;
        for (const file of inner.files) {
          found.files.push({ ...file, path: `${entry.path}/${file.path}` });
        }
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is damaged";
    found.cut ||= reason === TOO_MUCH || error instanceof TooLarge;
    found.problems.push(reason.slice(0, 200));
  }
  return found;
}
