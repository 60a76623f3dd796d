/**
 * What archives and compressed files begin with, and how much of them is opened. Opening them is
 * loaded apart: few repositories have any.
 *
 * @module
 */

/** What is left to be opened in a whole repository. */
export interface PackingBudget {
  bytes: number;
  entries: number;
}

/** What one repository's archives may unfold to. */
export function packingBudget(): PackingBudget {
  return { bytes: 50_000_000, entries: 5_000 };
}

/** Whether `bytes` begin with `magic`. */
export function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** Whether it is a tar archive (POSIX.1-1988 and later). */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length > 512 && begins(bytes.subarray(257), [0x75, 0x73, 0x74, 0x61, 0x72]);
}

/** Bytes of what ends a zip archive, at least. */
export const ZIP_END_BYTES = 22;
const ZIP_END = [0x50, 0x4b, 0x05, 0x06] as const;

/** Whether it is a zip archive, also one behind a program that starts it (zipapp, PEP 441). */
export function isZip(bytes: Uint8Array): boolean {
  return begins(bytes, [0x50, 0x4b, 0x03, 0x04]) ||
    begins(bytes.subarray(-ZIP_END_BYTES), ZIP_END);
}

/** Archives, by their first bytes. */
export const ARCHIVES = {
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

/** How a file is compressed, by what it holds; undefined when it is not. */
export function compressionOf(bytes: Uint8Array) {
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
