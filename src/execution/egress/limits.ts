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
export const OPEN_MAX = 8;
/** Requests a session may start in any minute. */
export const STARTED_PER_MINUTE_MAX = 120;
/** Bytes of unfinished answers that all sessions of this node may hold together. */
export const NODE_HELD_MAX_BYTES = 512 * MEBIBYTE;
/** Milliseconds to a connection, name resolution and TLS handshake included. */
export const CONNECT_TIMEOUT_MS = 30_000;
/** Milliseconds between two pieces of an answer. */
export const READ_TIMEOUT_MS = 120_000;
/** Milliseconds for one request from start to end. */
export const TOTAL_TIMEOUT_MS = 300_000;

const MINUTE_MS = 60_000;

/** Counts the requests of one session. */
export interface SessionUse {
  /** Takes a place for one request; a text says which limit is met, null that it may start. */
  start(): string | null;
  /** Gives the place back. */
  end(): void;
}

/** A fresh count; `now` is in milliseconds. */
export function countSessionUse(now: () => number): SessionUse {
  let open = 0;
  let started: number[] = [];
  return {
    start() {
      const time = now();
      started = started.filter((at) => at > time - MINUTE_MS);
      if (open >= OPEN_MAX) {
        return `The session has ${OPEN_MAX} requests open, which is the limit`;
      }
      if (started.length >= STARTED_PER_MINUTE_MAX) {
        const seconds = Math.max(1, Math.ceil((started[0]! + MINUTE_MS - time) / 1000));
        return `The session made ${STARTED_PER_MINUTE_MAX} requests in a minute, which is the limit: the next may start in ${seconds} s`;
      }
      open += 1;
      started.push(time);
      return null;
    },
    end() {
      open -= 1;
    },
  };
}
