/**
 * Bodies that come a byte now and then: a deadline for the whole would have to be long enough for
 * large ones, so a rate is asked for too.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";

/** The slowest rate that is taken. */
export interface BodyRate {
  /** Over which time is measured, in milliseconds. */
  rateWindowMs: number;
  /** Bytes that must come in each such time. */
  rateBytes: number;
  /** How often is looked, in milliseconds. */
  checkMs: number;
}

/** Requests whose bodies are coming. */
export interface Bodies {
  /** A request begins. */
  add(request: IncomingMessage): void;
  /** It is over. */
  remove(request: IncomingMessage): void;
  /** Begins to look. */
  start(): void;
  /** Looks no more. */
  stop(): void;
}

interface Window {
  since: number;
  /** What the connection had received by then. */
  bytes: number;
}

/** Ends connections whose bodies come more slowly than `rate`. */
export function watchBodies(rate: BodyRate): Bodies {
  const coming = new Map<IncomingMessage, Window>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const now = performance.now();
    for (const [request, { since, bytes }] of coming) {
      const { socket } = request;
      if (request.complete || request.destroyed) coming.delete(request);
      else if (now - since < rate.rateWindowMs) continue;
      // What waits here to be read is not the client's fault.
      else if (socket.bytesRead - bytes < rate.rateBytes && request.readableLength === 0) {
        coming.delete(request);
        socket.destroy();
      } else coming.set(request, { since: now, bytes: socket.bytesRead });
    }
  }

  return {
    add(request) {
      const { headers, socket } = request;
      const hasBody = headers["transfer-encoding"] !== undefined ||
        (headers["content-length"] ?? "0") !== "0";
      if (hasBody) coming.set(request, { since: performance.now(), bytes: socket.bytesRead });
    },
    remove: (request) => void coming.delete(request),
    start: () => timer = setInterval(look, Math.min(rate.checkMs, rate.rateWindowMs)),
    stop: () => clearInterval(timer),
  };
}
