/**
 * Frames between the service and an analysis host: two big-endian 32-bit lengths, a JSON header
 * and raw bytes. Nothing but frames travels on their file descriptor, so what a package prints
 * cannot mix with them.
 *
 * @module
 */

import { isModestJson, type JsonBounds } from "./modest_json.ts";
import { fixedBytes } from "./own_bytes.ts";

/** One message: parsed JSON and the bytes that belong to it. */
export interface Frame {
  header: unknown;
  body: Uint8Array;
}

/** Largest parts that a reader accepts, in bytes. */
export interface FrameLimits {
  header: number;
  body: number;
  /** What the header's JSON may have, beside its size; without it anything. */
  json?: JsonBounds;
}

const PREFIX = 8;

/** Largest header of a request or a reply, in bytes. A reply's header holds the result. */
export const MAX_HEADER_BYTES = 64 * 1024 * 1024;
/** What a reply's header may have: far more than the results of any analyser. */
export const REPLY_JSON: JsonBounds = { values: 2_000_000, depth: 100 };

/**
 * The pieces to write, in order, for one message. Bodies are not copied, unless their memory is
 * shared or may grow: the length in front would then be another than that of what follows.
 */
export function encodeFrame(header: unknown, given: readonly Uint8Array[] = []): Uint8Array[] {
  const body = given.map(fixedBytes);
  const json = new TextEncoder().encode(JSON.stringify(header));
  const first = new Uint8Array(PREFIX + json.length);
  const view = new DataView(first.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, body.reduce((sum, part) => sum + part.length, 0));
  first.set(json, PREFIX);
  return [first, ...body];
}

/**
 * A function that takes chunks as they arrive and gives the frames that they complete. It throws a
 * RangeError on what is over its limits and a SyntaxError on a header that is not JSON; the stream
 * is useless after that.
 */
export function createFrameReader(limits: FrameLimits): (chunk: Uint8Array) => Frame[] {
  // Each part is filled where it is needed: a repository's files are never held twice.
  let part = new Uint8Array(PREFIX);
  let filled = 0;
  let sizes: { header: number; body: number } | null = null;
  let header: { value: unknown } | null = null;

  function next(size: number): void {
    part = new Uint8Array(size);
    filled = 0;
  }
  /** What a part that is full completes. */
  function complete(): Frame | null {
    if (sizes === null) {
      const view = new DataView(part.buffer);
      sizes = { header: view.getUint32(0), body: view.getUint32(4) };
      if (sizes.header > limits.header || sizes.body > limits.body) {
        throw new RangeError(
          `Cannot read a frame of ${sizes.header} and ${sizes.body} bytes: at most ` +
            `${limits.header} and ${limits.body}`,
        );
      }
      next(sizes.header);
      return null;
    }
    if (header === null) {
      if (limits.json !== undefined && !isModestJson(part, limits.json)) {
        throw new RangeError("Cannot read a frame whose header has too many values");
      }
      header = { value: JSON.parse(new TextDecoder().decode(part)) };
      next(sizes.body);
      return null;
    }
    const frame = { header: header.value, body: part };
    sizes = header = null;
    next(PREFIX);
    return frame;
  }

  return (chunk) => {
    const frames: Frame[] = [];
    let at = 0;
    for (;;) {
      const taken = chunk.subarray(at, at + part.length - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < part.length) return frames;
      const frame = complete();
      if (frame !== null) frames.push(frame);
    }
  };
}
