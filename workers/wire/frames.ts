/**
 * Frames on file descriptor 3 between the main process and a host of either kind: the lengths of
 * head and body (unsigned, 32 bits, little-endian), a head in JSON, a body of plain bytes. Nothing
 * else travels there, so what a host prints cannot mix with them.
 *
 * @module
 */
import { isModestJson, type JsonBounds } from "./modest_json.ts";
import { fixedBytes } from "./own_bytes.ts";

const LENGTHS = 8;

/** One frame as it arrived. Of the head it is known only that it is JSON. */
export interface Frame {
  head: unknown;
  body: Uint8Array;
}

/** The most that a reader accepts. */
export interface FrameLimits {
  /** Bytes of a head. */
  head: number;
  /** Bytes of a body. */
  body: number;
  /** What a head's JSON may hold; absent where the other end is trusted. */
  json?: JsonBounds;
}

/** A frame that breaks its limits or is none: nothing after it can be trusted. */
export class FrameError extends Error {
  /** @param message What is wrong with it. */
  constructor(message: string) {
    super(message);
    this.name = "FrameError";
  }
}

/** A body up to this size goes out with its head: one write, and one wake-up on the other side. */
const COPIED_BYTES = 64 * 1024;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/**
 * The bytes of a frame in pieces, so that large parts of its body are not copied, unless their
 * memory is shared or may grow: the length in front would then differ from what follows it.
 */
export function encodeFrame(head: unknown, ...given: Uint8Array[]): Uint8Array[] {
  const body = given.map(fixedBytes);
  const size = body.reduce((sum, part) => sum + part.length, 0);
  const text = ENCODER.encode(JSON.stringify(head));
  const isCopied = size <= COPIED_BYTES;
  const front = new Uint8Array(LENGTHS + text.length + (isCopied ? size : 0));
  const view = new DataView(front.buffer);
  view.setUint32(0, text.length, true);
  view.setUint32(4, size, true);
  front.set(text, LENGTHS);
  if (!isCopied) return [front, ...body];
  let at = LENGTHS + text.length;
  for (const part of body) {
    front.set(part, at);
    at += part.length;
  }
  return [front];
}

/** The lengths at the front of a frame. @throws {FrameError} When one is over its limit. */
function lengthsOf(front: Uint8Array, limits: FrameLimits): { head: number; body: number } {
  const view = new DataView(front.buffer, front.byteOffset, front.byteLength);
  const [head, body] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (head > limits.head) throw new FrameError(`A frame's head has ${head} bytes`);
  if (body > limits.body) throw new FrameError(`A frame's body has ${body} bytes`);
  return { head, body };
}

function parseHead(text: Uint8Array, limits: FrameLimits): unknown {
  if (limits.json !== undefined && !isModestJson(text, limits.json)) {
    throw new FrameError("A frame's head has too many values");
  }
  try {
    return JSON.parse(DECODER.decode(text));
  } catch {
    throw new FrameError("A frame's head is not JSON");
  }
}

/**
 * A function that takes bytes as they arrive and calls `onFrame` for each complete frame. Of each
 * part at most its announced size is kept, and only once; a body's buffer belongs to it alone, so
 * that it can be handed to another thread.
 *
 * @throws {FrameError} From the returned function, which is then of no more use.
 */
export function createFrameReader(
  limits: FrameLimits,
  onFrame: (frame: Frame) => void,
): (chunk: Uint8Array) => void {
  /** The part that is read now, and what was read of the frame before it. */
  let next: "lengths" | "head" | "body" = "lengths";
  let lengths = { head: 0, body: 0 };
  let head: unknown;
  /** Begun parts that did not come in one piece. */
  let part: Uint8Array | null = null;
  let filled = 0;

  function take(bytes: Uint8Array): void {
    if (next === "lengths") {
      lengths = lengthsOf(bytes, limits);
      next = "head";
    } else if (next === "head") {
      head = parseHead(bytes, limits);
      next = "body";
    } else {
      next = "lengths";
      onFrame({ head, body: bytes });
    }
  }

  return (chunk) => {
    let at = 0;
    for (;;) {
      const size = next === "lengths" ? LENGTHS : lengths[next];
      if (at === chunk.length && size > 0) return;
      const end = at + size - filled;
      // What is there as a whole need not be put together; a body is copied all the same.
      if (part === null && next !== "body" && end <= chunk.length) {
        take(chunk.subarray(at, at = end));
        continue;
      }
      part ??= new Uint8Array(size);
      const piece = chunk.subarray(at, end);
      part.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled < size) return;
      const whole = part;
      part = null;
      filled = 0;
      take(whole);
    }
  };
}
