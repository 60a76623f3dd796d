/**
 * One request of a connection at a time: a client may send further ones before it has read the
 * answer (RFC 9112, 9.3.2), but not have them all worked on at once, with all answers waiting for it.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that may wait for the ones before them. */
const WAITING_MAX = 16;

/** The requests of each connection that are not answered yet, in order. */
export interface Turns {
  /** Calls `answer` when all requests before were answered, and the client has those answers. */
  take(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** Whether a request of the connection is being answered or waits. */
  has(socket: Socket): boolean;
}

/** No requests yet. */
export function createTurns(): Turns {
  const queues = new WeakMap<Socket, (() => void)[]>();

  return {
    take({ socket }, response, answer) {
      const queue = queues.get(socket) ?? [];
      queues.set(socket, queue);
      if (queue.length > WAITING_MAX) return void socket.destroy();
      queue.push(answer);
      response.once("close", () => {
        queue.shift();
        if (!socket.destroyed) queue[0]?.();
      });
      if (queue.length === 1) answer();
    },
    has: (socket) => (queues.get(socket)?.length ?? 0) > 0,
  };
}
