/**
 * Frames on file descriptor 3 between the main process and a session host: a JSON head and a
 * binary body, each with its length (unsigned, 32 bits, little-endian) in front.
 *
 * @module
 */

import { fixedBytes } from "./own_bytes.ts";

const LENGTHS = 8;

/** One frame as it arrived: the head is not parsed yet. */
export interface Frame {
  head: string;
  body: Uint8Array;
}

/** Bounds of a frame, bytes. */
export interface FrameLimits {
  head: number;
  body: number;
}

/** A frame that breaks the bounds: nothing after it can be trusted. */
export class FrameError extends Error {
  /** @param message Which bound was broken. */
  constructor(message: string) {
    super(message);
    this.name = "FrameError";
  }
}

const EMPTY = new Uint8Array(0);
/** A body up to this size goes out with its head: one write, and one wake-up on the other side. */
const COPIED_BYTES = 64 * 1024;
const ENCODER = new TextEncoder();

/**
 * The bytes of a frame, in pieces so that a large body is not copied, unless its memory is shared or
 * may grow: the length in front would then be another than that of what follows.
 */
export function encodeFrame(head: unknown, given: Uint8Array = EMPTY): Uint8Array[] {
  const body = fixedBytes(given);
  const text = ENCODER.encode(JSON.stringify(head));
  const copied = body.length <= COPIED_BYTES ? body.length : 0;
  const front = new Uint8Array(LENGTHS + text.length + copied);
  const view = new DataView(front.buffer);
  view.setUint32(0, text.length, true);
  view.setUint32(4, body.length, true);
  front.set(text, LENGTHS);
  if (copied > 0) front.set(body, LENGTHS + text.length);
  return body.length > copied ? [front, body] : [front];
}

/**
 * A function that takes bytes as they arrive and calls `onFrame` for each complete frame.
 *
 * @throws {FrameError} From the returned function, when a frame announces more than `limits`.
 */
export function createFrameReader(
  limits: FrameLimits,
  onFrame: (frame: Frame) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let chunks: Uint8Array[] = [];
  let held = 0;
  let wanted = LENGTHS;

  /** All held bytes as one piece; only called when enough are there, so that no byte is copied twice. */
  function joined(): Uint8Array {
    if (chunks.length === 1) return chunks[0]!;
    const all = new Uint8Array(held);
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    chunks = [all];
    return all;
  }

  return (chunk) => {
    if (chunk.length === 0) return;
    chunks.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const bytes = joined();
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const head = view.getUint32(0, true);
      const body = view.getUint32(4, true);
      if (head > limits.head) throw new FrameError(`A frame's head has ${head} bytes`);
      if (body > limits.body) throw new FrameError(`A frame's body has ${body} bytes`);
      wanted = LENGTHS + head + body;
      if (held < wanted) return;
      const rest = bytes.subarray(wanted);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
      const from = LENGTHS + head;
      const frame = {
        head: decoder.decode(bytes.subarray(LENGTHS, from)),
        // Copied, so that its buffer can be handed to another thread. Not with `slice`: sockets give
        // Node's Buffer, whose `slice` is a view.
        body: new Uint8Array(bytes.subarray(from, wanted)),
      };
      wanted = LENGTHS;
      onFrame(frame);
    }
  };
}
