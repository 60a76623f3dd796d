/**
 * The client's requests that a session's code is answering.
 *
 * @module
 */
import { type Params, readId, type RequestId } from "../../protocol/json_rpc.ts";
import type { Receiver } from "../streams/receiver.ts";

export interface InFlightRequest {
  id: RequestId;
  /** What the client wants to hear of progress under; null: nothing. */
  token: RequestId | null;
  /** The last progress that was sent. */
  progress: number;
  receiver: Receiver;
  controller: AbortController;
}

/** The requests in flight of one session. Clients may repeat ids, so several can have one. */
export interface InFlight {
  add(id: RequestId, params: Params, receiver: Receiver): InFlightRequest;
  remove(request: InFlightRequest): void;
  byId(id: RequestId | null): InFlightRequest | undefined;
  byToken(token: RequestId): InFlightRequest | undefined;
  /** Interrupts those with this id. */
  cancel(id: RequestId): void;
  /** Resolves when none is left. */
  drained(): Promise<void>;
}

function tokenOf(params: Params): RequestId | null {
  return readId(params.member("_meta")?.member("progressToken"));
}

export function createInFlight(): InFlight {
  const requests = new Set<InFlightRequest>();
  let drained = Promise.withResolvers<void>();
  function find(matches: (request: InFlightRequest) => boolean): InFlightRequest | undefined {
    for (const request of requests) if (matches(request)) return request;
    return undefined;
  }
  return {
    add(id, params, receiver) {
      if (requests.size === 0) drained = Promise.withResolvers();
      const controller = new AbortController();
      const request = { id, token: tokenOf(params), progress: -Infinity, receiver, controller };
      requests.add(request);
      return request;
    },
    remove(request) {
      requests.delete(request);
      if (requests.size === 0) drained.resolve();
    },
    byId: (id) => id === null ? undefined : find((request) => request.id === id),
    byToken: (token) => find((request) => request.token === token),
    cancel(id) {
      for (const request of requests) if (request.id === id) request.controller.abort();
    },
    drained: () => requests.size === 0 ? Promise.resolve() : drained.promise,
  };
}
