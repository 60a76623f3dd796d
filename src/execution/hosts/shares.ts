/**
 * Which share of the processors session hosts get: those that a client waits for the whole of it, others
 * what those leave over.
 *
 * @module
 */
import { standBack } from "../../sandbox/priority.ts";
import { createScheduling } from "../../sandbox/scheduling.ts";
import type { Host } from "./host.ts";

/** Who stands back at the processors, and for how long. */
export interface Shares {
  /** What a host begins with that prepares for a client to come. */
  readonly waiting: number;
  /** Somebody waits for it now; `booted`: when it has surely begun, as its start sets the share too. */
  hasten(host: Pick<Host, "pid">, booted?: Promise<unknown>): void;
  /**
   * Has it stand back for good, unless its work is done soon.
   *
   * @returns What is called when it is done.
   */
  standBackSoon(host: Pick<Host, "pid">): () => void;
  close(): Promise<void>;
}

// Above that of sessions, whose share is three times as large then: further down, a busy machine would
// make honest work late.
const BACKGROUND_NICENESS = 10;
/** What is done sooner than this disturbs nobody: most of what works in the background is. */
const STAND_BACK_MS = 500;

/** @param niceness That of hosts which have clients. */
export function createShares(niceness: number): Shares {
  const scheduling = createScheduling();
  return {
    waiting: BACKGROUND_NICENESS,
    hasten({ pid }, booted) {
      const hasten = () => scheduling.share(pid, niceness);
      hasten();
      booted?.then(hasten, () => {});
    },
    standBackSoon({ pid }) {
      const timer = setTimeout(() => void standBack(pid, BACKGROUND_NICENESS), STAND_BACK_MS);
      return () => clearTimeout(timer);
    },
    close: scheduling.close,
  };
}
