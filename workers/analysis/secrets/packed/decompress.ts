/**
 * Bounded decompression: gzip, deflate, bzip2, xz, Zstandard. The build of libarchive beside this
 * opens bzip2 and xz only around an archive, not around a single file (it has no "raw" format).
 *
 * @module
 */
import { gunzipSync, inflateRawSync, zstdDecompressSync } from "node:zlib";
import { packageOnDemand } from "../../on_demand.ts";

const bunzip = packageOnDemand<typeof import("seek-bzip")>("seek-bzip");
const xz = packageOnDemand<typeof import("xz-decompress")>("xz-decompress");

/** What is inside, at most `limit` bytes; throws {@link TooLarge} past them. */
export type Decompress = (bytes: Uint8Array, limit: number) => Promise<Uint8Array>;

/** Something unfolds to more than is searched. */
export class TooLarge extends Error {
  constructor() {
    super("it decompresses to more than the scan searches");
  }
}

/** zlib's own bound. */
function bounded(
  inflate: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array,
): Decompress {
  return (bytes, limit) => {
    try {
      return Promise.resolve(inflate(bytes, { maxOutputLength: Math.max(1, limit) }));
    } catch (error) {
      const isLarge = error instanceof Error && "code" in error &&
        error.code === "ERR_BUFFER_TOO_LARGE";
      return Promise.reject(isLarge ? new TooLarge() : error);
    }
  };
}

/** Grows with what comes, up to `limit` bytes; throws {@link TooLarge} past them. */
export function collector(limit: number) {
  let bytes = new Uint8Array(Math.min(limit, 65_536));
  let length = 0;
  function room(more: number): void {
    if (length + more > limit) throw new TooLarge();
    if (length + more <= bytes.length) return;
    const larger = new Uint8Array(Math.min(limit, Math.max(length + more, bytes.length * 2)));
    larger.set(bytes);
    bytes = larger;
  }
  return {
    writeByte(byte: number): void {
      room(1);
      bytes[length++] = byte;
    },
    write(chunk: Uint8Array): void {
      room(chunk.length);
      bytes.set(chunk, length);
      length += chunk.length;
    },
    done: () => bytes.subarray(0, length),
  };
}

/** bzip2, also of several streams one after the other. */
function unbzip2(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  const { writeByte, done } = collector(limit);
  return new Promise((resolve) => {
    bunzip().decode(bytes, { writeByte }, true);
    resolve(done());
  });
}

async function unxz(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  const { write, done } = collector(limit);
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  for await (const chunk of new (xz().XzReadableStream)(packed)) write(chunk);
  return done();
}

/**
 * Whether the frames of Zstandard (RFC 8878, 3.1) are all there: the library gives what it has of
 * those that are cut, without a word.
 */
function isWholeZstd(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 5 <= bytes.length) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5 && at + 8 <= bytes.length) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== 0xfd2fb528) return false;
    const descriptor = bytes[at + 4]!;
    const single = (descriptor & 0x20) !== 0;
    const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
    at += 5 + (single ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]! + sizeBytes;
    for (let last = false; !last;) {
      if (at + 3 > bytes.length) return false;
      const header = bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16;
      last = (header & 1) !== 0;
      // A block of one repeated byte holds that byte only.
      at += 3 + ((header >> 1 & 3) === 1 ? 1 : header >> 3);
    }
    if ((descriptor & 4) !== 0) at += 4;
  }
  return at === bytes.length;
}

const decompressZstd = bounded(zstdDecompressSync);

async function unzstd(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  if (!isWholeZstd(bytes)) throw new Error("it is damaged or truncated");
  return await decompressZstd(bytes, limit);
}

/** By the name of the format. */
export const DECOMPRESS = {
  gzip: bounded(gunzipSync),
  deflate: bounded(inflateRawSync),
  bzip2: unbzip2,
  xz: unxz,
  zstd: unzstd,
} as const satisfies Record<string, Decompress>;
