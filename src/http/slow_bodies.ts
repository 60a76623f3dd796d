/**
 * Bodies that come a byte now and then: a deadline for the whole would have to be long enough for
 * large ones, so a rate is asked for too.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";

/** The slowest rate that is taken. */
export interface BodyRate {
  /** How often is looked, in milliseconds. */
  rateWindowMs: number;
  /** Bytes that must come in each such time. */
  rateBytes: number;
}

/** Calls `onSlow` once when the body of `request` comes too slowly. */
export function watchBody(request: IncomingMessage, rate: BodyRate, onSlow: () => void): void {
  const { headers, socket } = request;
  const hasBody = headers["transfer-encoding"] !== undefined ||
    (headers["content-length"] ?? "0") !== "0";
  if (!hasBody) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const now = socket.bytesRead;
    // What waits here to be read is not the client's fault.
    if (request.complete || request.destroyed) clearInterval(timer);
    else if (now - before < rate.rateBytes && request.readableLength === 0) {
      clearInterval(timer);
      onSlow();
    }
    before = now;
  }, rate.rateWindowMs);
  request.once("end", () => clearInterval(timer));
  request.once("close", () => clearInterval(timer));
}
