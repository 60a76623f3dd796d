/**
 * Takes what calls come to. A result is checked and passed on as bytes; checking a large one takes
 * milliseconds, so a session may return a limited number of bytes of them per minute.
 *
 * @module
 */
import { readError } from "../../protocol/json_rpc.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { bodyText } from "./body.ts";
import { createByteBudget } from "./budget.ts";
import type { CallOutcome } from "./types.ts";

const MEBIBYTE = 1024 * 1024;

/** Bytes of results of a session in a minute, small ones aside. */
export const RESULT_BYTES_PER_MINUTE = 64 * MEBIBYTE;
/** Results up to this many bytes do not count. */
export const SMALL_RESULT_BYTES = 64 * 1024;

const SERVER_ERROR = -32000;

/** What the code gave, or an error in its place. */
type Outcome = Exclude<CallOutcome, { kind: "ended" }>;

/** Reads one result's body. Rejects when it is nothing that an honest host sends. */
export type ResultReader = (body: Uint8Array) => Promise<Outcome>;

function outcomeOf(text: RawJson): Outcome {
  const members = text.pickOnce("kind", "result", "code", "message", "data");
  const kind = members?.kind?.key();
  if (kind === "result" && members?.result) return { kind, result: members.result };
  const error = kind === "error" ? readError(text) : null;
  if (error === null) throw new Error("An outcome that is neither a result nor an error");
  return { kind: "error", ...error };
}

/** A reader for one session; `now` is in milliseconds. */
export function createResultReader(now?: () => number): ResultReader {
  const take = createByteBudget(RESULT_BYTES_PER_MINUTE, now);
  return async (body) => {
    if (body.byteLength > SMALL_RESULT_BYTES && !take(body.byteLength)) {
      const limit = RESULT_BYTES_PER_MINUTE / MEBIBYTE;
      return {
        kind: "error",
        code: SERVER_ERROR,
        message: `Too much data: a session may return ${limit} MiB per minute`,
        data: { reason: "result_limit", limit: RESULT_BYTES_PER_MINUTE },
      };
    }
    return outcomeOf(await bodyText(body));
  };
}

const INTERNAL_ERROR = -32603;

/** What came of a call for which the code has no answer. */
export function failed(
  message: string,
  why: "cancelled" | "busy" | "timeout",
): CallOutcome {
  return { kind: "error", code: INTERNAL_ERROR, message, why };
}
