/**
 * Messages from one thread of a host to another. Small ones go through a ring in shared memory, as
 * frames: that takes a fraction of the time that posting does. All others are posted.
 *
 * Their order is kept: a sender uses the ring only when everything that it has posted was received,
 * and a receiver empties the ring before it takes what was posted.
 *
 * @module
 */
import { createFrameReader, encodeFrame, type Frame, type FrameLimits } from "./frames.ts";
import { isFixed } from "./own_bytes.ts";
import { controlOf, FREE_WORD, ringReader, ringWriter } from "./ring.ts";

// As they are before any code of a session runs, which may replace them.
const { add, load } = Atomics;

/** Counts what was posted and received, modulo 2³². */
const RECEIVED = FREE_WORD;
/** Larger bodies are posted: they would fill the ring. */
const SMALL_BYTES = 8 * 1024;
/** After so many rounds in which there was always more, others get a turn. */
const ROUNDS_AT_ONCE = 16;

/** Whether a body goes through the ring; what is no plain bytes is posted, and refused there. */
function isSmall(body: Uint8Array): boolean {
  return body instanceof Uint8Array && isFixed(body) && body.length <= SMALL_BYTES;
}

/** The sending end. */
export interface MailSender {
  /** Sends a message that is plain data; false when it is to be posted. */
  send(message: object, body: Uint8Array | undefined): boolean;
  /** A message is posted. */
  posting(): void;
}

/** The sending end of the mail through `memory`, which the other thread has or will be posted. */
export function createMailSender(memory: SharedArrayBuffer): MailSender {
  const control = controlOf(memory);
  const write = ringWriter(memory);
  let posted = 0;
  return {
    send(message, body) {
      if (body !== undefined && !isSmall(body)) return false;
      if (load(control, RECEIVED) !== posted) return false;
      const [frame] = encodeFrame(message, ...(body === undefined ? [] : [body]));
      return write(frame!);
    },
    posting() {
      posted = (posted + 1) | 0;
    },
  };
}

/** The receiving end. */
export interface MailReceiver {
  /** A posted message has arrived: calls `take` when it is its turn. */
  posted(take: () => void): void;
  /** Receives no more. */
  close(): void;
}

/** What the receiving end does with what comes. */
export interface MailEvents {
  /** Bounds of a frame in the ring. */
  limits: FrameLimits;
  onFrame(frame: Frame): void;
  /** The other end broke the rules: nothing more of it can be read. */
  onBroken(error: unknown): void;
}

/** Receives the mail through `memory`. */
export function receiveMail(memory: SharedArrayBuffer, events: MailEvents): MailReceiver {
  const control = controlOf(memory);
  const ring = ringReader(memory);
  const read = createFrameReader(events.limits, (frame) => {
    if (isOpen) events.onFrame(frame);
  });
  let isOpen = true;

  function takeAll(): void {
    const bytes = isOpen ? ring.take() : null;
    if (bytes !== null) read(bytes);
  }

  function fail(error: unknown): void {
    if (!isOpen) return;
    isOpen = false;
    events.onBroken(error);
  }

  async function listen(): Promise<void> {
    for (let rounds = 1; isOpen; rounds++) {
      takeAll();
      const written = ring.written();
      if (written !== null) rounds = 0;
      await (rounds < ROUNDS_AT_ONCE ? written : new Promise((next) => setTimeout(next)));
    }
  }

  listen().catch(fail);
  return {
    posted(take) {
      try {
        takeAll();
      } catch (error) {
        return fail(error);
      }
      take();
      add(control, RECEIVED, 1);
    },
    close() {
      isOpen = false;
      ring.wake();
    },
  };
}
