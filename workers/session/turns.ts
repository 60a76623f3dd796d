/**
 * What an interpreter may say now: each of its numbers is one that was given to it, or is not in
 * use. The main process knows the same and ends the whole host over a wrong number; here it costs
 * only the interpreter that sends it.
 *
 * @module
 */
import { MAX_ASKS_AT_ONCE, MAX_HTTP_AT_ONCE } from "./limits.ts";
import type { Turn } from "./kinds.ts";

/** A message, with the numbers that count here. A call that is not named is the entrypoint's run. */
interface Numbers {
  type: string;
  call?: number | null;
  request?: number;
}

/** What was asked of one interpreter, and what it has answered. */
export interface Turns {
  /** Whether a call is in flight. */
  runs(call: number): boolean;
  /** Takes note of what the interpreter is sent. */
  give(turn: Turn, message: Numbers): void;
  /** Takes note of what the interpreter says; false when it may not say that now. */
  take(turn: Turn, message: Numbers): boolean;
}

/** Requests of the code that are not answered yet. */
function openRequests(most: number) {
  const numbers = new Set<number>();
  return {
    open(request: number): boolean {
      if (numbers.has(request) || numbers.size >= most) return false;
      numbers.add(request);
      return true;
    },
    close: (request: number) => void numbers.delete(request),
  };
}

/** The turns of an interpreter that runs a server, or of one that prepares what others boot from. */
export function createTurns(task: "run" | "prepare"): Turns {
  const calls = new Set<number>();
  const waiting = new Set<number>();
  const asks = openRequests(MAX_ASKS_AT_ONCE);
  const http = openRequests(MAX_HTTP_AT_ONCE);
  let isBooting = task === "run";
  let inUse = false;
  let ending = false;
  let parking = false;

  function boot(): boolean {
    const isFirst = isBooting;
    isBooting = false;
    return isFirst;
  }

  function parked(): boolean {
    const wasAsked = parking;
    parking = false;
    return wasAsked;
  }

  function finish(call: number): boolean {
    waiting.delete(call);
    return calls.delete(call);
  }

  function wait(call: number): boolean {
    if (!calls.has(call) || waiting.has(call)) return false;
    waiting.add(call);
    return true;
  }

  return {
    runs: (call) => calls.has(call),
    give(turn, { call, request }) {
      if (turn === "answers an ask") asks.close(request!);
      else if (turn === "answers an http") http.close(request!);
      else if (turn === "dismisses") ending = true;
      else if (turn === "parks") parking = true;
      else if (turn === "begins") {
        calls.add(call ?? 0);
        inUse = true;
      }
    },
    take(turn, { call, request }) {
      if (turn === "boots") return boot();
      if (turn === "finishes") return finish(call ?? 0);
      if (turn === "waits") return wait(call ?? 0);
      if (turn === "asks") return inUse && asks.open(request!);
      if (turn === "asks for http") return inUse && http.open(request!);
      if (turn === "speaks") return inUse;
      if (turn === "leaves") return ending;
      if (turn === "stays" || turn === "is parked") return parked();
      if (turn === "prepares") return task === "prepare";
      return turn === "fails";
    },
  };
}
