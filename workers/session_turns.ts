/**
 * What a session may say now: each of its numbers is one that was given to it, or is not in use.
 * The main process knows the same and ends the whole host over a wrong number; here it costs the
 * session that sends it.
 *
 * @module
 */
import { MAX_ASKS_AT_ONCE, MAX_HTTP_AT_ONCE } from "./limits.ts";
import type { FromWorker } from "./session_messages.ts";

/** What was asked of one session, and what it has answered. */
export interface Turns {
  /** A call begins; 0 is the entrypoint's run. */
  begin(call: number): void;
  /** Whether a call is in flight. */
  runs(call: number): boolean;
  /** The session got the answer to its question or HTTP request. */
  answered(kind: "ask" | "http", request: number): void;
  /** The session was asked to end. */
  end(): void;
  /** Takes note of what the session says; false when it may not say that now. */
  take(message: FromWorker): boolean;
}

/** The turns of a session, or of a worker that prepares what sessions boot from. */
export function createTurns(kind: "session" | "prepare"): Turns {
  const calls = new Set<number>();
  const waiting = new Set<number>();
  const open = { ask: new Set<number>(), http: new Set<number>() };
  const most = { ask: MAX_ASKS_AT_ONCE, http: MAX_HTTP_AT_ONCE };
  let silent = kind === "session";
  let inUse = false;
  let ending = false;

  function finish(call: number): boolean {
    waiting.delete(call);
    return calls.delete(call);
  }

  function wait(call: number): boolean {
    if (!calls.has(call) || waiting.has(call)) return false;
    waiting.add(call);
    return true;
  }

  function ask(kind: "ask" | "http", request: number): boolean {
    const numbers = open[kind];
    if (!inUse || numbers.has(request) || numbers.size >= most[kind]) return false;
    numbers.add(request);
    return true;
  }

  return {
    begin(call) {
      calls.add(call);
      inUse = true;
    },
    runs: (call) => calls.has(call),
    answered: (kind, request) => void open[kind].delete(request),
    end() {
      ending = true;
    },
    take(message) {
      switch (message.type) {
        case "booted": {
          const isFirst = silent;
          silent = false;
          return isFirst;
        }
        case "opened":
          return finish(0);
        case "result":
          return finish(message.call);
        case "waiting":
          return wait(message.call);
        case "ask":
        case "http":
          return ask(message.type, message.request);
        case "event":
        case "package":
          return inUse;
        case "idle":
          return ending;
        case "prepared":
          return kind === "prepare";
        case "fatal":
          return true;
      }
    },
  };
}
