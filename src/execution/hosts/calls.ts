/**
 * The work of one session: one piece after the other, except that the next may begin while the
 * others wait, for the client or for something that their code awaits. Each has a deadline, at which
 * its Python code is interrupted; when that does not help within a grace time, the host is killed.
 *
 * @module
 */

/** A piece of work. */
export interface Work {
  /** Hands it to the worker under its number. */
  start(call: number): void;
  /** Milliseconds it may hold the interpreter, from its start; waiting for the client is left out. */
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
  /** Raises KeyboardInterrupt in the code of this call, and ends what it waits for. */
  interrupt(call: number): void;
  /** Ends the session because its code cannot be interrupted. */
  kill(deadlineMs: number): void;
  /** Milliseconds from the interrupt to the kill. */
  graceMs: number;
}

/** See the module. The first piece of work has number 0. */
export interface CallQueue {
  run<T>(work: Work): Promise<WorkOutcome<T>>;
  /** Whether any piece of work runs that does not wait for the client. */
  readonly working: boolean;
  /** @throws {Error} When that piece of work does not run. */
  finish(call: number, value: unknown): void;
  /**
   * The work awaits something and lets others run, for how long is its own business.
   *
   * @throws {Error} When that piece of work does not run, or has said so before.
   */
  wait(call: number): void;
  /** The work waits for the client from now on. @returns What tells that it has its answer. */
  pause(call: number): () => void;
  /** The session is over: nothing runs any more. */
  end(): void;
  /** Interrupts all that runs. */
  interrupt(): void;
}

/** Pieces of work that wait. */
const MAX_WAITING = 64;
/** Pieces of work that have begun, all but one waiting. */
const MAX_BEGUN = 16;

interface Waiting extends Work {
  /** Its number once it runs. */
  call: number | null;
  settle(outcome: WorkOutcome<unknown>): void;
}

interface Running {
  entry: Waiting;
  stopped: boolean;
  /** Whether it has let others run. */
  waits: boolean;
  /** Questions to the client that it waits for. */
  pauses: number;
  /** Milliseconds left of the deadline when its clock was last started. */
  leftMs: number;
  startedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** A queue for one session. */
export function createCallQueue(deps: QueueDeps): CallQueue {
  const waiting: Waiting[] = [];
  const running = new Map<number, Running>();
  let next = 0;
  let over = false;

  function workOf(call: number): Running {
    const work = running.get(call);
    if (work === undefined) throw new Error(`An outcome of call ${call}, which does not run`);
    return work;
  }

  function settle(call: number, work: Running, outcome: WorkOutcome<unknown>) {
    clearTimeout(work.timer);
    running.delete(call);
    work.entry.settle(outcome);
  }

  function startClock(call: number, work: Running) {
    work.startedAt = performance.now();
    work.timer = setTimeout(() => {
      work.stopped = true;
      deps.interrupt(call);
      work.timer = setTimeout(() => killOverdue(work), deps.graceMs);
    }, work.leftMs);
  }

  function killOverdue(work: Running) {
    // What keeps it from ending may be another's code, which has time left. None begins meanwhile.
    const isHeldUp = running.values().some((other) => !other.stopped && other.pauses === 0);
    if (isHeldUp) work.timer = setTimeout(() => killOverdue(work), deps.graceMs);
    else deps.kill(work.entry.deadlineMs);
  }

  function mayStart(): boolean {
    if (over || running.size >= MAX_BEGUN) return false;
    return running.values().every(({ pauses, waits, stopped }) => pauses > 0 || waits && !stopped);
  }

  function startNext() {
    if (!mayStart()) return;
    const entry = waiting.shift();
    if (entry === undefined) return;
    const call = next++;
    entry.call = call;
    const work: Running = {
      entry,
      stopped: false,
      waits: false,
      pauses: 0,
      leftMs: entry.deadlineMs,
      startedAt: 0,
      timer: undefined,
    };
    startClock(call, work);
    running.set(call, work);
    entry.start(call);
  }

  return {
    run<T>(work: Work) {
      if (over) return Promise.resolve({ kind: "ended" });
      if (work.signal?.aborted) return Promise.resolve({ kind: "cancelled" });
      if (waiting.length >= MAX_WAITING) return Promise.resolve({ kind: "full" });
      return new Promise<WorkOutcome<T>>((resolve) => {
        const entry: Waiting = {
          ...work,
          call: null,
          settle(outcome) {
            work.signal?.removeEventListener("abort", onAbort);
            // Whoever runs a kind of work knows what it is finished with.
            resolve(outcome as WorkOutcome<T>);
          },
        };
        function onAbort() {
          if (entry.call !== null) return deps.interrupt(entry.call);
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
    get working() {
      return running.values().some(({ pauses }) => pauses === 0);
    },
    finish(call, value) {
      const work = workOf(call);
      settle(call, work, { kind: "finished", value, stopped: work.stopped });
      startNext();
    },
    wait(call) {
      const work = workOf(call);
      if (work.waits) throw new Error(`Call ${call} waits already`);
      work.waits = true;
      startNext();
    },
    pause(call) {
      const work = running.get(call);
      // Work that is being stopped gets no more time.
      if (work === undefined || work.stopped) return () => {};
      if (work.pauses++ === 0) {
        clearTimeout(work.timer);
        work.leftMs -= performance.now() - work.startedAt;
      }
      startNext();
      let paused = true;
      return () => {
        if (!paused || running.get(call) !== work) return;
        paused = false;
        if (--work.pauses === 0) startClock(call, work);
      };
    },
    end() {
      over = true;
      for (const [call, work] of running) settle(call, work, { kind: "ended" });
      for (const work of waiting.splice(0)) work.settle({ kind: "ended" });
    },
    interrupt() {
      for (const call of running.keys()) deps.interrupt(call);
    },
  };
}
