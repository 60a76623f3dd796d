/**
 * Answers that are packed files, whatever their headers say: archives that a service makes of what was
 * stored there. A value in them is not seen until they are unpacked.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import zlib from "node:zlib";
import { ANSWER_MAX_BYTES } from "./session_limits.ts";

/** What an answer has packed in it; `unknown`: it cannot be searched. */
export type Packed = { kind: "parts"; parts: Uint8Array[] } | { kind: "unknown" };

/** Packed files in packed files that are unpacked. */
const LAYERS_MAX = 3;
/** Packed files in one answer. */
const PARTS_MAX = 4096;
/** Bytes of the head of a gzip file, and what follows them, by flag. */
const GZIP_HEAD_BYTES = 10;
const HAS_CHECK = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const NAME_MAX_BYTES = 4096;
/** Bytes of a ZIP entry's head before its name. */
const ZIP_HEAD_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

const latin = (text: string) => Buffer.from(text, "latin1");
const GZIP = latin("\x1f\x8b\x08");
const ZIP_ENTRY = latin("PK\x03\x04");
/** Beginnings of what only other programs unpack: bzip2, xz, Zstandard, LZ4, 7z, RAR. */
const UNKNOWN =
  // deno-lint-ignore no-control-regex -- Bytes, not text.
  /^(?:BZh[1-9]1AY&SY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07)/;
/** What a Git service sends: every object is packed by itself. */
const GIT_PACK = latin("PACK\0\0\0");

/** Where packed bytes begin. */
interface Place {
  at: number;
  /** Whether they have zlib's own frame. */
  isFramed: boolean;
}

/** Bytes that may still be unpacked. */
interface Room {
  bytes: number;
}

/** Where the packed bytes of a gzip file begin that begins at `at`; null where there is none. */
function behindGzipHead(all: Buffer, at: number): number | null {
  const [flags, effort, system] = [all[at + 3], all[at + 8], all[at + 9]];
  if (flags === undefined || effort === undefined || system === undefined) return null;
  // As programs write it: by chance no other bytes are.
  const isUsual = [0, 2, 4].includes(effort) && (system === 255 || system < 20);
  if (flags >= 0x20 || !isUsual) return null;
  let end = at + GZIP_HEAD_BYTES;
  if ((flags & HAS_EXTRA) !== 0) end += 2 + (all[end] ?? 0) + 256 * (all[end + 1] ?? 0);
  for (const text of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & text) === 0) continue;
    const length = all.subarray(end, end + NAME_MAX_BYTES).indexOf(0);
    // Nothing can be unpacked there.
    if (length < 0) return all.length;
    end += length + 1;
  }
  return end + ((flags & HAS_CHECK) === 0 ? 0 : 2);
}

function isZlib(all: Buffer): boolean {
  const [method = 0] = all;
  return all.length > 2 && (method & 0x8f) === 8 && all.readUInt16BE(0) % 31 === 0;
}

/** Where `all` has packed files in it; null where one is packed in a way that is not known. */
function placesIn(all: Buffer): Place[] | null {
  if (UNKNOWN.test(all.toString("latin1", 0, 16)) || all.includes(GIT_PACK)) return null;
  const places: Place[] = isZlib(all) ? [{ at: 0, isFramed: true }] : [];
  for (let at = all.indexOf(GZIP); at >= 0; at = all.indexOf(GZIP, at + 1)) {
    const behind = behindGzipHead(all, at);
    if (behind !== null) places.push({ at: behind, isFramed: false });
  }
  for (let at = all.indexOf(ZIP_ENTRY); at >= 0; at = all.indexOf(ZIP_ENTRY, at + 1)) {
    if (at + ZIP_HEAD_BYTES > all.length) break;
    const method = all.readUInt16LE(at + 8);
    const isEncrypted = (all.readUInt16LE(at + 6) & ENCRYPTED) !== 0;
    if (isEncrypted || method !== STORED && method !== DEFLATED) return null;
    // What is only stored is searched with the rest.
    if (method === STORED) continue;
    const names = all.readUInt16LE(at + 26) + all.readUInt16LE(at + 28);
    places.push({ at: at + ZIP_HEAD_BYTES + names, isFramed: false });
  }
  return places.length > PARTS_MAX ? null : places;
}

/** What begins at a place, and where it ends; null where it is broken, or too much. */
async function unpackedAt(all: Buffer, { at, isFramed }: Place, room: Room) {
  const stream = isFramed ? zlib.createInflate() : zlib.createInflateRaw();
  const parts: Uint8Array[] = [];
  try {
    stream.end(all.subarray(at));
    for await (const part of stream) {
      room.bytes -= part.length;
      if (room.bytes < 0) return null;
      parts.push(part);
    }
  } catch {
    return null;
  } finally {
    stream.destroy();
  }
  return { part: Buffer.concat(parts), end: at + stream.bytesWritten };
}

async function partsIn(all: Buffer, room: Room, layer: number): Promise<Uint8Array[] | null> {
  const places = placesIn(all);
  if (places === null || places.length > 0 && layer > LAYERS_MAX) return null;
  const found: Uint8Array[] = [];
  let done = 0;
  for (const place of places.sort((a, b) => a.at - b.at)) {
    // What looks like another file in packed bytes is none.
    if (place.at < done) continue;
    const unpacked = await unpackedAt(all, place, room);
    // Text may begin as a zlib file does.
    if (unpacked === null && place.isFramed && room.bytes >= 0) continue;
    const inner = unpacked === null ? null : await partsIn(unpacked.part, room, layer + 1);
    if (unpacked === null || inner === null) return null;
    found.push(unpacked.part, ...inner);
    done = unpacked.end;
  }
  return found;
}

/** What is packed in the body of an answer, and what is packed in that. */
export async function packedIn({ buffer, byteOffset, byteLength }: Uint8Array): Promise<Packed> {
  const all = Buffer.from(buffer, byteOffset, byteLength);
  const parts = await partsIn(all, { bytes: ANSWER_MAX_BYTES }, 1);
  return parts === null ? { kind: "unknown" } : { kind: "parts", parts };
}
