/**
 * Which requests of the client run in an interpreter, by the numbers of their calls.
 *
 * @module
 */
import type { RequestId } from "../../protocol/json_rpc.ts";

export interface RunningRequests {
  begin(call: number, id: RequestId): void;
  end(call: number): void;
  /** Whether a call is a request, as its host says. */
  has(call: number): boolean;
  /** The call that an id stands for; the code may name any, only what runs counts. */
  callOf(id: RequestId | null | undefined): number | null;
}

export function createRunningRequests(): RunningRequests {
  const ids = new Map<number, RequestId>();
  return {
    begin: (call, id) => void ids.set(call, id),
    end: (call) => void ids.delete(call),
    has: (call) => ids.has(call),
    callOf(id) {
      for (const [call, requestId] of ids) if (requestId === id) return call;
      return null;
    },
  };
}
