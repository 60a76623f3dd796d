/**
 * Who may boot an interpreter now. A boot keeps a processor busy: too many at once and each of them
 * takes as long as all. Users take turns, so that one who starts many sessions delays others by one
 * boot, not by all of them.
 *
 * @module
 */

/** Lets a bounded number of interpreters boot at once; clients take turns. */
export interface Boots {
  /** Runs `boot` when it is the turn of `client`. */
  run<T>(client: string, boot: () => Promise<T>): Promise<T>;
  /** Boots that run or wait. */
  readonly pending: number;
}

/**
 * Milliseconds after which a boot gives up its place, though it goes on: it may be in a host that its
 * user's code has taken over, and that never says that it has booted.
 */
const PLACE_MS = 2000;

/** Up to `places` boots at once. */
export function createBoots(places: number, placeMs = PLACE_MS): Boots {
  /** Those that wait, by user; the user at the front is next. */
  const waiting = new Map<string, (() => void)[]>();
  let free = places;
  let pending = 0;

  function next(): void {
    const first = waiting.entries().next().value;
    if (first === undefined || free === 0) return;
    const [client, [start, ...others]] = first;
    waiting.delete(client);
    // To the end: the other users come first.
    if (others.length > 0) waiting.set(client, others);
    free--;
    start!();
  }

  /** Takes a place. @returns What gives it back, once. */
  async function take(client: string): Promise<() => void> {
    await new Promise<void>((resolve) => {
      waiting.set(client, [...waiting.get(client) ?? [], resolve]);
      next();
    });
    let held = true;
    const leave = () => {
      clearTimeout(timer);
      if (!held) return;
      held = false;
      free++;
      next();
    };
    const timer = setTimeout(leave, placeMs);
    return leave;
  }

  return {
    async run(client, boot) {
      pending++;
      const leave = await take(client);
      try {
        return await boot();
      } finally {
        leave();
        pending--;
      }
    },
    get pending() {
      return pending;
    },
  };
}
