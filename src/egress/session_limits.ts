/**
 * What one session may ask of the network. Every refusal names its limit.
 *
 * @module
 */

const MEBIBYTE = 1024 * 1024;

/** Most bytes of one answer's body, as sent (still compressed). */
export const ANSWER_MAX_BYTES = 16 * MEBIBYTE;
/** Most bytes of one request's body. */
export const REQUEST_BODY_MAX_BYTES = 16 * MEBIBYTE;
/** Most bytes of an answer's status line and headers. */
export const ANSWER_HEADERS_MAX_BYTES = 64 * 1024;
/** Most bytes of a request's headers, names and values together. */
export const REQUEST_HEADERS_MAX_BYTES = 64 * 1024;
/** Most headers of one request. */
export const REQUEST_HEADERS_MAX = 200;
/** Most characters of an address. */
export const URL_MAX_LENGTH = 16 * 1024;
/** Requests a session may have open at once. */
const OPEN_MAX = 8;
/** Requests a session may start in any minute. */
const STARTED_PER_MINUTE_MAX = 120;
/** Bytes, of bodies sent and of answers received, that a session may move in any minute. */
const BYTES_PER_MINUTE_MAX = 128 * MEBIBYTE;
/** Pieces that one answer's body may come in. */
export const ANSWER_PIECES_MAX = 64 * 1024;
/** Bytes that a piece counts as beside its own: a small one is as much work. */
export const PIECE_COST_BYTES = 1024;
/** Pieces of one answer that are taken before anything else has its turn. */
export const PIECES_AT_ONCE = 256;
/** Bytes of one answer on the wire: framing of chunks and interim answers come on top of the body. */
export const ANSWER_WIRE_MAX_BYTES = 2 * ANSWER_MAX_BYTES;
/** Interim answers (1xx) before the answer. */
export const INTERIM_MAX = 32;
/** Bytes of unfinished answers that all sessions of this node may hold together. */
export const NODE_HELD_MAX_BYTES = 512 * MEBIBYTE;
/** Milliseconds to a connection, name resolution and TLS handshake included. */
export const CONNECT_TIMEOUT_MS = 30_000;
/** Milliseconds between two pieces of an answer. */
export const READ_TIMEOUT_MS = 120_000;
/** Milliseconds for one request from start to end. */
export const TOTAL_TIMEOUT_MS = 300_000;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Counts the requests of one session. */
export interface SessionUse {
  /** Takes a place for one request; a text says which limit is met, null that it may start. */
  start(): string | null;
  /** Counts bytes that were moved; a text says that they are too many. */
  move(bytes: number): string | null;
  /** Gives the place back. */
  end(): void;
}

interface Minute {
  readonly sum: number;
  add(amount: number): void;
  /** Seconds until the oldest of what counts no longer does. */
  wait(): number;
}

/** What was added in the last minute, in steps of a second. */
function lastMinute(now: () => number): Minute {
  let steps: { at: number; amount: number }[] = [];
  const current = () => {
    const time = now();
    if (steps.length > 0 && steps[0]!.at <= time - MINUTE_MS) {
      steps = steps.filter(({ at }) => at > time - MINUTE_MS);
    }
    return steps;
  };
  return {
    get sum() {
      return current().reduce((sum, { amount }) => sum + amount, 0);
    },
    add(amount) {
      const time = now();
      const last = current().at(-1);
      if (last !== undefined && time - last.at < SECOND_MS) last.amount += amount;
      else steps.push({ at: time, amount });
    },
    wait() {
      const first = current()[0];
      if (first === undefined) return 0;
      return Math.max(1, Math.ceil((first.at + MINUTE_MS - now()) / SECOND_MS));
    },
  };
}

/** A fresh count; `now` is in milliseconds. */
export function countSessionUse(now: () => number): SessionUse {
  let open = 0;
  const started = lastMinute(now);
  const moved = lastMinute(now);
  const megabytes = BYTES_PER_MINUTE_MAX / MEBIBYTE;
  return {
    start() {
      if (open >= OPEN_MAX) {
        return `Too many open requests: a session may have ${OPEN_MAX}`;
      }
      if (started.sum >= STARTED_PER_MINUTE_MAX) {
        return `Too many requests: a session may send ${STARTED_PER_MINUTE_MAX} per minute. Try again in ${started.wait()} s`;
      }
      if (moved.sum >= BYTES_PER_MINUTE_MAX) {
        return `Too much data: a session may transfer ${megabytes} MiB per minute. Try again in ${moved.wait()} s`;
      }
      open += 1;
      started.add(1);
      return null;
    },
    move(bytes) {
      moved.add(bytes);
      return moved.sum <= BYTES_PER_MINUTE_MAX
        ? null
        : `Too much data: a session may transfer ${megabytes} MiB per minute`;
    },
    end() {
      open -= 1;
    },
  };
}
