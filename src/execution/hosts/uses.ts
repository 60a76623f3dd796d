/**
 * What the booted interpreters of a node are in use for, which decides whether there is room for
 * one more.
 *
 * @module
 */

/** `spare`: it waits, with a server loaded, for a client; `background`: it is for none. */
export type Use = "session" | "background" | "spare";

/** Counts interpreters by what they are used for. */
export interface Uses {
  /** How many are used for any of these. */
  count(...uses: Use[]): number;
  /** One more is used. @returns What changes that, and with null ends it, once. */
  hold(use: Use): (next: Use | null) => void;
}

/** Counts from zero. */
export function createUses(): Uses {
  const counts: Record<Use, number> = { session: 0, background: 0, spare: 0 };
  return {
    count: (...uses) => uses.reduce((sum, use) => sum + counts[use], 0),
    hold(use) {
      let held: Use | null = use;
      counts[use]++;
      return (next) => {
        if (held === null) return;
        counts[held]--;
        held = next;
        if (next !== null) counts[next]++;
      };
    },
  };
}
