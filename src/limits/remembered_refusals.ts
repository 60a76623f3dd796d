/**
 * Memory of refusals: who is over a limit is told so without asking the database again, so that a
 * flood of requests beyond a limit costs others nothing.
 *
 * @module
 */
import type { Taken } from "./window.ts";

/** An answer is used again for so long, so that windows which an operator empties are seen soon. */
const REMEMBERED_MS = 10_000;
const REMEMBERED_MAX = 10_000;

/** Remembers refusals of windows that nobody clears. */
export interface RememberedRefusals<T extends { taken: Taken }> {
  /** What `count` answered last, while that is a refusal which still holds; else what it answers. */
  ask(key: string, count: () => Promise<T>): Promise<T>;
}

/** @param now Milliseconds of a clock that does not jump. */
export function rememberRefusals<T extends { taken: Taken }>(
  now: () => number,
): RememberedRefusals<T> {
  const known = new Map<string, { answer: T; since: number }>();

  function remember(key: string, answer: T, since: number): void {
    known.delete(key);
    if (answer.taken.allowed) return;
    // The first is the one that was remembered first.
    if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value!);
    known.set(key, { answer, since });
  }

  return {
    async ask(key, count) {
      const time = now();
      const last = known.get(key);
      if (last !== undefined) {
        const passed = time - last.since;
        const waitMs = last.answer.taken.waitMs - passed;
        if (passed >= 0 && passed < REMEMBERED_MS && waitMs > 0) {
          return { ...last.answer, taken: { ...last.answer.taken, waitMs } };
        }
      }
      const answer = await count();
      // Since before it was asked for: the window has room no later than this says.
      remember(key, answer, time);
      return answer;
    },
  };
}
