/**
 * Reads what calls come to. Reading a large result keeps the main process from everything else for
 * tens of milliseconds, so a session may give only so many bytes of them in a while.
 *
 * @module
 */
import { callResult } from "../../../workers/protocol.ts";
import { bodyJson } from "./body.ts";
import type { CallOutcome } from "./types.ts";

const MEBIBYTE = 1024 * 1024;

/** Bytes of results of a session in a minute, small ones aside. */
export const RESULT_BYTES_PER_MINUTE = 64 * MEBIBYTE;
/** Results up to this many bytes do not count. */
export const SMALL_RESULT_BYTES = 64 * 1024;

const SERVER_ERROR = -32000;
const MINUTE_MS = 60_000;

/** Reads one result's body. @throws {Error} When it is nothing that an honest host sends. */
export type ResultReader = (body: Uint8Array) => Exclude<CallOutcome, { kind: "ended" }>;

/** A reader for one session; `now` is in milliseconds. */
export function createResultReader(now: () => number = () => performance.now()): ResultReader {
  let left = RESULT_BYTES_PER_MINUTE;
  let last = now();
  return (body) => {
    if (body.byteLength > SMALL_RESULT_BYTES) {
      const time = now();
      const gained = ((time - last) / MINUTE_MS) * RESULT_BYTES_PER_MINUTE;
      left = Math.min(RESULT_BYTES_PER_MINUTE, left + gained);
      last = time;
      if (left < body.byteLength) {
        const limit = RESULT_BYTES_PER_MINUTE / MEBIBYTE;
        return {
          kind: "error",
          code: SERVER_ERROR,
          message: `The session returned more than ${limit} MiB in a minute, which is the limit`,
          data: { reason: "result_limit", limit: RESULT_BYTES_PER_MINUTE },
        };
      }
      left -= body.byteLength;
    }
    return callResult.parse(bodyJson(body));
  };
}
