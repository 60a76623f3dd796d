/**
 * Whether other nodes can be reached at all. A request that is on its way to one may take minutes, so
 * that its silence says nothing.
 *
 * @module
 */
import { connect } from "node:net";
import type { Clock } from "../clock.ts";

/** Knows which addresses have answered of late. */
export interface Reach {
  /** Whether something listens there. */
  check(url: string): Promise<boolean>;
  /** It has just answered. */
  note(url: string): void;
}

const CONNECT_MS = 2000;
/** For so long an answer is proof. */
const PROOF_MS = 1000;

/** Whether a connection to `url` comes about in time. */
function isListening(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
  });
  const timer = setTimeout(() => resolve(false), CONNECT_MS);
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** Checks by connecting. */
export function createReach(clock: Pick<Clock, "now">): Reach {
  const proofs = new Map<string, number>();
  return {
    async check(url) {
      if (clock.now() - (proofs.get(url) ?? -Infinity) < PROOF_MS) return true;
      const isThere = await isListening(url);
      if (isThere) proofs.set(url, clock.now());
      else proofs.delete(url);
      return isThere;
    },
    note: (url) => void proofs.set(url, clock.now()),
  };
}
