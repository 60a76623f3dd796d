/**
 * Files that something uses for a while, so that nobody removes them to make room. Other processes of
 * the node see it by the times of the files, which are renewed.
 *
 * @module
 */

/** How long after its last use a file may be removed, at the earliest. */
export const KEPT_MS = 10 * 60_000;
const RENEW_EVERY_MS = 60_000;

/** Counts uses of files, by name; one that is used once or more is not to be removed. */
export interface Held {
  /** Begins a use of `names`. @returns What ends it. */
  hold(names: readonly string[]): () => void;
  has(name: string): boolean;
}

/** Nothing is in use yet; `renew` sets the time of what is. */
export function createHeld(renew: (name: string) => Promise<void>): Held {
  const uses = new Map<string, number>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function change(names: readonly string[], by: number): void {
    for (const name of names) {
      const left = (uses.get(name) ?? 0) + by;
      if (left > 0) uses.set(name, left);
      else uses.delete(name);
    }
    if (uses.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else {
      timer ??= setInterval(() => {
        for (const name of uses.keys()) void renew(name);
      }, RENEW_EVERY_MS);
    }
  }

  return {
    has: (name) => uses.has(name),
    hold(names) {
      change(names, 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        change(names, -1);
      };
    },
  };
}

/** Sets the time of a file to now; one that is gone stays so. */
export async function renewFile(path: string, now: Date): Promise<void> {
  await Deno.utime(path, now, now).catch(() => {});
}
