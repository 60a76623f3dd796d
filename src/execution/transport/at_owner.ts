/**
 * Requests for sessions that may be at another node.
 *
 * @module
 */
import type { Clock } from "../clock.ts";
import { ownerNotReached } from "../failures.ts";
import { Elsewhere } from "../nodes/types.ts";
import type { Exchange, TransportDeps } from "./types.ts";

/** Looks, of which each but the last is followed by a pause. */
const LOOKS = 6;
const PAUSE_MS = 200;

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(PAUSE_MS, resolve));
}

/**
 * What `attempt` answers, or the node that has the session. A session that is just changing hands is
 * looked for again for about a second.
 *
 * @throws {Elsewhere} When another node has forwarded the request to this one, which does not have
 * the session.
 */
export async function atOwner(
  { forward, clock }: TransportDeps,
  exchange: Exchange,
  attempt: () => Promise<Response>,
): Promise<Response> {
  for (let look = 1;; look++) {
    let owner;
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Elsewhere) || exchange.forwarded !== null) throw error;
      ({ owner } = error);
    }
    const response = owner === null ? null : await forward?.(exchange, owner) ?? null;
    if (response !== null) return response;
    if (look === LOOKS) throw ownerNotReached();
    await pause(clock);
  }
}
