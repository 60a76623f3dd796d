/**
 * Reading source distributions, which are tar.gz files of strangers: files and folders, within bounds.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { checkPath, MAX_ENTRIES, MAX_UNPACKED_BYTES, WheelRefused } from "../zip.ts";

const BLOCK = 512;
const NAME = [0, 100] as const;
const SIZE = [124, 136] as const;
const TYPE = 156;
const PREFIX = [345, 500] as const;

const decoder = new TextDecoder();

/** Whether bytes are a source distribution, not a wheel. */
export function isSource(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function textAt(block: Uint8Array, [from, to]: readonly [number, number]): string {
  return decoder.decode(block.subarray(from, to)).split("\0", 1)[0]!;
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    throw new WheelRefused("it cannot be unpacked, or is too large");
  }
}

/** The path among the extended headers of an entry. */
function extendedPath(content: Uint8Array): string | null {
  return /^\d{1,6} path=(.*)$/m.exec(decoder.decode(content))?.[1] ?? null;
}

/**
 * The files of a tar.gz, by path.
 *
 * @throws {WheelRefused} When it is none, has links, or is beyond the bounds.
 */
function tarFiles(packed: Uint8Array): Map<string, Uint8Array> {
  const bytes = inflated(packed);
  const files = new Map<string, Uint8Array>();
  let long: string | null = null;
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const block = bytes.subarray(at, at + BLOCK);
    const short = textAt(block, NAME);
    if (short === "") break;
    const size = parseInt(textAt(block, SIZE).trim() || "0", 8);
    const start = at + BLOCK;
    if (!(size >= 0) || start + size > bytes.length) throw new WheelRefused("it is damaged");
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    const content = bytes.subarray(start, start + size);
    const type = String.fromCharCode(block[TYPE]!);
    if (type === "x") long = extendedPath(content) ?? long;
    else if (type === "L") long = decoder.decode(content).split("\0", 1)[0]!;
    if ("xgL".includes(type)) continue;
    const prefix = textAt(block, PREFIX);
    const path: string = long ?? (prefix === "" ? short : `${prefix}/${short}`);
    long = null;
    checkPath(path);
    if (type === "5") continue;
    if (type !== "0" && type !== "\0") throw new WheelRefused("it has a link or a device");
    if (files.size >= MAX_ENTRIES) throw new WheelRefused(`it has more than ${MAX_ENTRIES} files`);
    if (files.has(path)) throw new WheelRefused("it has two files of one name");
    files.set(path, content);
  }
  return files;
}

/**
 * The files below the only folder at the top.
 *
 * @throws {WheelRefused} When it has others, or is beyond the bounds.
 */
export function sourceFiles(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  let top: string | null = null;
  for (const [path, content] of tarFiles(bytes)) {
    const [first, ...rest] = path.split("/");
    top ??= first!;
    if (first !== top || rest.length === 0) {
      throw new WheelRefused("it is not a source distribution of one folder");
    }
    files.set(rest.join("/"), content);
  }
  return files;
}
