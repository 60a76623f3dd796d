/**
 * Files of objects that a Python program makes by running what they say: pickles, also in archives,
 * arrays, models and databases, compressed or written as text.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { unpack } from "../../secrets/packed/packed.ts";
import { isArchive, type PackingBudget } from "../../secrets/packed/signatures.ts";
import { isDangerous } from "../../python/calls/sinks.ts";
import { usual } from "../../python/calls/usual_name.ts";
import { pickleNames } from "./opcodes.ts";
import { runsByPickle } from "./named.ts";
import { isUsed } from "./uses.ts";

/** Bytes of a file in which encoded pickles are looked for. */
const MAX_TEXT = 2_000_000;
const MAX_INFLATED = 20_000_000;
/** The second byte of a stream of zlib, which joblib writes, after `x`. */
const ZLIB = [0x01, 0x5e, 0x9c, 0xda];
/** Base64 and hexadecimal digits of what begins as pickles of protocol 2 and newer do. */
const ENCODED =
  /(?<![A-Za-z0-9+/_-])gA[I-X][A-Za-z0-9+/_-]{12,}|(?<![0-9a-f])800[2-5][0-9a-f]{12,}/g;
const MAX_ENCODED = 50;

/** What there is in a file that makes something run. */
export interface HostileObject {
  /** What the pickle names; null where that cannot be read. */
  name: string | null;
  /** Nothing was found, but not all of the archive was opened. */
  unread?: true;
}

/** A function of protocols 0 and 1 in the middle of a file, such as a database. */
const OLD =
  /([A-Za-z]?)[ci](os|posix|nt|subprocess|builtins|__builtin__|sys|runpy|pty|importlib)\n(\w+)\n/g;

function oldIn(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_INFLATED) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  for (const { index, 1: before, 2: module, 3: name } of text.matchAll(OLD)) {
    const dotted = `${module}.${name}`;
    if (name === "getattr" || !runsByPickle(dotted)) continue;
    if (isDangerous(usual(dotted))) return dotted;
    // `for each in scenarios`, `end`: lines of another language, and those of word lists.
    if (before === "" && isUsed(bytes, index)) return dotted;
  }
  return null;
}

function inBytes(bytes: Uint8Array): HostileObject | null {
  const old = oldIn(bytes);
  if (old !== null) return { name: old };
  const { globals, leading, unknown, cut } = pickleNames(bytes);
  for (const name of globals) {
    // Methods of classes are pickled with it, and time zones.
    if (!leading && /^(__builtin__|builtins)\.getattr$/.test(name)) continue;
    if (runsByPickle(name)) return { name };
  }
  return unknown || cut ? { name: null } : null;
}

/** What `lzma.compress(…, FORMAT_ALONE)` writes, which is not opened here. */
function isOldLzma(bytes: Uint8Array): boolean {
  return bytes.length > 13 && bytes[0] === 0x5d && bytes[1] === 0 && bytes[2] === 0 &&
    bytes[12]! % 255 === 0;
}

function inflated(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0x78 || !ZLIB.includes(bytes[1]!)) return null;
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_INFLATED });
  } catch {
    return null;
  }
}

/** Pickles that a text holds as Base64 or hexadecimal digits. */
function inText(bytes: Uint8Array): HostileObject | null {
  if (bytes.length > MAX_TEXT || bytes.subarray(0, 1024).includes(0)) return null;
  const text = new TextDecoder().decode(bytes).replace(/\\?\r?\n(?=[A-Za-z0-9+/=]{20,})/g, "");
  let left = MAX_ENCODED;
  for (const [encoded] of text.matchAll(ENCODED)) {
    if (left-- === 0) break;
    const isHex = /^80/.test(encoded);
    const decoded = Buffer.from(encoded, isHex ? "hex" : "base64");
    const found = inBytes(decoded);
    if (found !== null) return found;
  }
  return null;
}

/** What makes something run in a file of objects, or in the files that it packs; null if nothing does. */
export async function hostileObject(
  path: string,
  bytes: Uint8Array,
  left: PackingBudget,
): Promise<HostileObject | null> {
  const direct = inBytes(bytes) ?? inText(bytes);
  if (direct !== null) return direct;
  if (isOldLzma(bytes)) return { name: null };
  const plain = inflated(bytes);
  if (plain !== null) return inBytes(plain);
  if (!isArchive(bytes)) return null;
  const { files, cut } = await unpack(path, bytes, left);
  for (const file of files) {
    const found = inBytes(inflated(file.bytes) ?? file.bytes) ?? inText(file.bytes);
    if (found !== null) return found;
  }
  // What was not opened may hold anything.
  return cut ? { name: null, unread: true } : null;
}
