/**
 * The metadata entries of a tar archive (pax headers, GNU long names), looked at before the decoder
 * reads them: it takes time by the square of their length for those that are out of order.
 *
 * @module
 */
import { archiveRefused } from "./failures.ts";

const BLOCK = 512;
const SIZE_AT = 124;
const SIZE_LENGTH = 12;
const TYPE_AT = 156;
/** Longest metadata of one entry, in bytes: paths and link targets are far shorter. */
const MAX_METADATA_BYTES = 64 * 1024;

const PAX = new Set(["x", "g"]);
const METADATA = new Set([...PAX, "L", "K"]);
/** Links, devices, folders and pipes: whatever size they name, nothing follows. */
const WITHOUT_BODY = new Set(["1", "2", "3", "4", "5", "6"]);

/** `length key=value\n`, with at most six digits. */
const RECORD = /(\d{1,6}) ([^=\n]+)=/y;

/** The size that a header names, read as the decoder does; in binary form it is beyond any bound. */
function sizeOf(header: Uint8Array): number {
  const text = new TextDecoder("latin1").decode(
    header.subarray(SIZE_AT, SIZE_AT + SIZE_LENGTH),
  );
  const digits = text.split("\0", 1)[0]!.replaceAll(" ", "");
  if (!/^[0-7]*$/.test(digits)) {
    throw archiveRefused("it is not a well-formed tar archive: an entry's size is not a number");
  }
  return Number.parseInt(digits || "0", 8);
}

/**
 * Refuses metadata that are anything but one record after the other, or those of another commit: git
 * writes its id into the comment of an archive.
 */
function checkRecords(metadata: Uint8Array, commit: string | undefined): void {
  // A character a byte, as lengths count bytes.
  const text = new TextDecoder("latin1").decode(metadata);
  for (let at = 0; at < text.length;) {
    RECORD.lastIndex = at;
    const match = RECORD.exec(text);
    const end = at + Number(match?.[1] ?? 0);
    if (match === null || end < RECORD.lastIndex || text[end - 1] !== "\n") {
      throw archiveRefused("its metadata is malformed");
    }
    if (match[2] === "comment" && commit !== undefined) {
      const value = text.slice(RECORD.lastIndex, end - 1);
      if (/^[0-9a-f]{40,64}$/.test(value) && value !== commit) {
        throw archiveRefused("it is of another commit than the one that was asked for");
      }
    }
    if (match[2] === "size") throw archiveRefused("an entry's size is in its metadata");
    at = end;
  }
}

/**
 * The chunks of `tar`, each passed on once what it has of metadata is known to be small and in order.
 *
 * @param commit The one that the archive is to be of, where it says of which it is.
 * @throws {AppError} `repository_refused` for other metadata.
 */
export async function* withCheckedMetadata(
  tar: AsyncIterable<Uint8Array>,
  commit?: string,
): AsyncGenerator<Uint8Array> {
  const header = new Uint8Array(BLOCK);
  let filled = 0;
  /** Bytes until the next header. */
  let left = 0;
  let metadata: { bytes: Uint8Array; filled: number; isPax: boolean } | null = null;

  function begin(): void {
    filled = 0;
    if (header.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(header[TYPE_AT]!);
    if (WITHOUT_BODY.has(type)) return;
    const size = sizeOf(header);
    left = Math.ceil(size / BLOCK) * BLOCK;
    if (!METADATA.has(type)) return;
    if (size > MAX_METADATA_BYTES) throw archiveRefused("its metadata is too large");
    metadata = { bytes: new Uint8Array(size), filled: 0, isPax: PAX.has(type) };
  }
  function take(part: Uint8Array): void {
    if (metadata === null) return;
    const { bytes, isPax } = metadata;
    const wanted = part.subarray(0, bytes.length - metadata.filled);
    bytes.set(wanted, metadata.filled);
    metadata.filled += wanted.length;
    if (metadata.filled < bytes.length) return;
    if (isPax) checkRecords(bytes, commit);
    metadata = null;
  }

  for await (const chunk of tar) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + (left > 0 ? left : BLOCK - filled));
      at += part.length;
      if (left > 0) {
        left -= part.length;
        take(part);
      } else {
        header.set(part, filled);
        filled += part.length;
        if (filled === BLOCK) begin();
      }
    }
    yield chunk;
  }
}
