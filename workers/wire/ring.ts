/**
 * Bytes from one thread of a host to another through memory that both have. Either end may distrust
 * the other: each keeps its own place, and of the other's believes no more than fits the ring.
 *
 * @module
 */

/** Places in the control words: bytes ever written and ever read, modulo 2³². */
const WRITTEN = 0;
const READ = 1;
/** Words of the control part; the last two are for who uses the ring. */
const WORDS = 4;
/** The first of those words. */
export const FREE_WORD = 2;
/** A power of two, so that counts modulo 2³² are places in the ring. */
const RING_BYTES = 32 * 1024;

// As they are before any code of a session runs, which may replace them.
const { load, notify, store, waitAsync } = Atomics;

/** The other end says what cannot be. */
export class RingError extends Error {
  /** @param message What is wrong. */
  constructor(message: string) {
    super(message);
    this.name = "RingError";
  }
}

/** Memory for a ring: its control words, then the bytes. */
export function createRing(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * WORDS + RING_BYTES);
}

/** The control words of a ring. */
export function controlOf(memory: SharedArrayBuffer): Int32Array<SharedArrayBuffer> {
  return new Int32Array(memory, 0, WORDS);
}

/**
 * A function that writes bytes and wakes the reader; false when there is no room, and nothing was
 * written.
 *
 * @throws {RingError} From the returned function, when the reader has read what was not written.
 */
export function ringWriter(memory: SharedArrayBuffer): (piece: Uint8Array) => boolean {
  const control = controlOf(memory);
  const bytes = new Uint8Array(memory, 4 * WORDS);
  let written = 0;
  return (piece) => {
    const unread = (written - load(control, READ)) | 0;
    if (unread < 0 || unread > RING_BYTES) throw new RingError("More was read than written");
    if (piece.length > RING_BYTES - unread) return false;
    const at = written & (RING_BYTES - 1);
    const first = Math.min(piece.length, RING_BYTES - at);
    bytes.set(piece.subarray(0, first), at);
    bytes.set(piece.subarray(first), 0);
    written = (written + piece.length) | 0;
    store(control, WRITTEN, written);
    notify(control, WRITTEN);
    return true;
  };
}

/** The reading end of a ring. */
export interface RingReader {
  /**
   * What was written since the last time, in memory of its own; null when that is nothing.
   *
   * @throws {RingError} When more was written than there is room for.
   */
  take(): Uint8Array | null;
  /** Resolves when there is something to take, or after a wake; null when there is already. */
  written(): Promise<unknown> | null;
  /** Has who waits look once more. */
  wake(): void;
}

/** Reads what {@link ringWriter} writes to the same memory. */
export function ringReader(memory: SharedArrayBuffer): RingReader {
  const control = controlOf(memory);
  const bytes = new Uint8Array(memory, 4 * WORDS);
  let read = 0;
  return {
    take() {
      const written = load(control, WRITTEN);
      const count = (written - read) | 0;
      if (count === 0) return null;
      if (count < 0 || count > RING_BYTES) throw new RingError("More was written than fits");
      const at = read & (RING_BYTES - 1);
      const first = Math.min(count, RING_BYTES - at);
      const taken = new Uint8Array(count);
      taken.set(bytes.subarray(at, at + first));
      taken.set(bytes.subarray(0, count - first), first);
      read = written;
      store(control, READ, read);
      return taken;
    },
    written() {
      const waiting = waitAsync(control, WRITTEN, read);
      return waiting.async ? waiting.value : null;
    },
    wake: () => void notify(control, WRITTEN),
  };
}
