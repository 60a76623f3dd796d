/**
 * Reading zip files that the operator provides, such as OSV's bulk downloads (PKWARE APPNOTE 6.3,
 * sections 4.3 and 4.5: central directory, stored and deflated entries, ZIP64).
 *
 * @module
 */
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRY_BYTES = 64 * 2 ** 20;

function fail(problem: string): never {
  throw new Error(`Cannot read the zip file: ${problem}`);
}

/** Where the central directory begins and how many entries it has. */
function directoryOf(view: DataView): { offset: number; count: number } {
  const lowest = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const locator = at - 20;
    if (locator >= 0 && view.getUint32(locator, true) === END_64_LOCATOR) {
      const end64 = Number(view.getBigUint64(locator + 8, true));
      if (view.getUint32(end64, true) !== END_64) fail("its ZIP64 directory is missing");
      return {
        count: Number(view.getBigUint64(end64 + 32, true)),
        offset: Number(view.getBigUint64(end64 + 48, true)),
      };
    }
    return { count: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) };
  }
  return fail("it has no directory");
}

function contentAt(
  bytes: Uint8Array,
  view: DataView,
  entry: { local: number; size: number; method: number },
): Uint8Array {
  const skip = view.getUint16(entry.local + 26, true) + view.getUint16(entry.local + 28, true);
  const start = entry.local + 30 + skip;
  const content = bytes.subarray(start, start + entry.size);
  if (entry.method === 0) return content;
  if (entry.method !== 8) fail("an entry uses an unsupported compression");
  return inflateRawSync(content, { maxOutputLength: MAX_ENTRY_BYTES });
}

/** The entries of a zip file that `wanted` accepts, in the order of its directory. */
export function* readZip(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
): Generator<{ name: string; content: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { offset, count } = directoryOf(view);
  let at = offset;
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== ENTRY) fail("its directory is damaged");
    const nameLength = view.getUint16(at + 28, true);
    const skip = nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const size = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    if (wanted(name)) {
      if (size === 0xffff_ffff || local === 0xffff_ffff) fail("an entry starts beyond 4 GB");
      const method = view.getUint16(at + 10, true);
      yield { name, content: contentAt(bytes, view, { local, size, method }) };
    }
    at += 46 + skip;
  }
}
