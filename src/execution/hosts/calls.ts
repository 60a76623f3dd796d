/**
 * The work of one session, one piece after the other, each with a deadline: at the deadline the
 * Python code is interrupted; when that does not help within a grace time, the host is killed.
 *
 * @module
 */

/** A piece of work. */
export interface Work {
  /** Hands it to the worker under its number. */
  start(call: number): void;
  /** Milliseconds it may hold the interpreter, from its start. */
  deadlineMs: number;
  /** Aborting interrupts it, or takes it out of the queue. */
  signal?: AbortSignal | undefined;
}

/** What came of it. */
export type WorkOutcome<T> =
  /** `stopped`: it had been interrupted for its deadline before it came to its end. */
  | { kind: "finished"; value: T; stopped: boolean }
  | { kind: "cancelled" }
  | { kind: "full" }
  | { kind: "ended" };

/** What a queue needs of its session. */
export interface QueueDeps {
  /** Raises KeyboardInterrupt in the code that runs, and ends what it waits for. */
  interrupt(call: number): void;
  /** Ends the session because its code cannot be interrupted. */
  kill(deadlineMs: number): void;
}

/** See the module. The first piece of work has number 0. */
export interface CallQueue {
  run<T>(work: Work): Promise<WorkOutcome<T>>;
  /** @throws {Error} When that piece of work is not the one that runs. */
  finish(call: number, value: unknown): void;
  /** The session is over: nothing runs any more. */
  end(): void;
  /** Interrupts what runs. */
  interrupt(): void;
}

/** Time from the interrupt to the kill. */
export const INTERRUPT_GRACE_MS = 2000;
/** Pieces of work that wait. */
const MAX_WAITING = 64;

interface Waiting extends Work {
  settle(outcome: WorkOutcome<unknown>): void;
}

interface Running extends Waiting {
  call: number;
  stopped: boolean;
  timer: ReturnType<typeof setTimeout>;
  release(): void;
}

/** A queue for one session. */
export function createCallQueue(deps: QueueDeps): CallQueue {
  const waiting: Waiting[] = [];
  let running: Running | null = null;
  let next = 0;
  let over = false;

  function settle(work: Running, outcome: WorkOutcome<unknown>) {
    clearTimeout(work.timer);
    work.release();
    running = null;
    work.settle(outcome);
  }

  function startNext() {
    if (running !== null || over) return;
    const work = waiting.shift();
    if (work === undefined) return;
    const call = next++;
    const onAbort = () => deps.interrupt(call);
    work.signal?.addEventListener("abort", onAbort, { once: true });
    const current: Running = {
      ...work,
      call,
      stopped: false,
      timer: setTimeout(() => {
        current.stopped = true;
        deps.interrupt(call);
        current.timer = setTimeout(() => deps.kill(work.deadlineMs), INTERRUPT_GRACE_MS);
      }, work.deadlineMs),
      release: () => work.signal?.removeEventListener("abort", onAbort),
    };
    running = current;
    work.start(call);
  }

  return {
    run<T>(work: Work) {
      if (over) return Promise.resolve({ kind: "ended" });
      if (work.signal?.aborted) return Promise.resolve({ kind: "cancelled" });
      if (waiting.length >= MAX_WAITING) return Promise.resolve({ kind: "full" });
      return new Promise<WorkOutcome<T>>((resolve) => {
        const entry: Waiting = {
          ...work,
          settle(outcome) {
            work.signal?.removeEventListener("abort", onAbort);
            // The value was parsed by whoever called `finish` for this kind of work.
            resolve(outcome as WorkOutcome<T>);
          },
        };
        function onAbort() {
          const at = waiting.indexOf(entry);
          if (at < 0) return;
          waiting.splice(at, 1);
          entry.settle({ kind: "cancelled" });
        }
        work.signal?.addEventListener("abort", onAbort, { once: true });
        waiting.push(entry);
        startNext();
      });
    },
    finish(call, value) {
      if (running === null || running.call !== call) {
        throw new Error(`An outcome of call ${call}, which does not run`);
      }
      settle(running, { kind: "finished", value, stopped: running.stopped });
      startNext();
    },
    end() {
      over = true;
      if (running !== null) settle(running, { kind: "ended" });
      for (const work of waiting.splice(0)) work.settle({ kind: "ended" });
    },
    interrupt() {
      if (running !== null) deps.interrupt(running.call);
    },
  };
}
