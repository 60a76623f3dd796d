/**
 * Work that goes on after its request was answered, so that a shutdown can end it in order.
 *
 * @module
 */

/** The running jobs of a process. */
export interface Jobs {
  /** Aborted by `close`. */
  readonly signal: AbortSignal;
  /** Runs `work`, which does not throw, and remembers it until it ends. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits for one of the few places for work that holds much in memory; call what it returns to
   * leave the place. Rejects when `signal` aborts first.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** How many have a place, and how many wait for one. */
  load(): { running: number; waiting: number };
  /** Aborts `signal` and waits until every job has ended. */
  close(): Promise<void>;
}

/** Scans at once: repositories may have hundreds of megabytes. The others wait. */
const PLACES = 4;

/** Places that are taken in the order of asking. */
function createPlaces(count: number): Pick<Jobs, "enter" | "load"> {
  let free = count;
  const waiting: (() => void)[] = [];
  function leave() {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }
  async function enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (free > 0) free--;
    else {
      await new Promise<void>((resolve, reject) => {
        function take() {
          signal.removeEventListener("abort", giveUp);
          resolve();
        }
        function giveUp() {
          waiting.splice(waiting.indexOf(take), 1);
          reject(signal.reason);
        }
        waiting.push(take);
        signal.addEventListener("abort", giveUp);
      });
    }
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  }
  return { enter, load: () => ({ running: count - free, waiting: waiting.length }) };
}

/** An empty set of jobs. @param places How many have a place at once. */
export function createJobs(places = PLACES): Jobs {
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    signal: controller.signal,
    ...createPlaces(places),
    run(work) {
      const job = work();
      running.add(job);
      return job.finally(() => running.delete(job));
    },
    async close() {
      controller.abort(new Error("Berth is shutting down"));
      await Promise.allSettled(running);
    },
  };
}
