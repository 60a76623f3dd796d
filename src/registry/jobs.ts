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
  /** Aborts `signal` and waits until every job has ended. */
  close(): Promise<void>;
}

/** An empty set of jobs. */
export function createJobs(): Jobs {
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    signal: controller.signal,
    run(work) {
      const job = work();
      running.add(job);
      return job.finally(() => running.delete(job));
    },
    async close() {
      controller.abort(new Error("Berth is stopping"));
      await Promise.allSettled(running);
    },
  };
}
