/**
 * The work of one interpreter: one piece after the other, except that the next may begin while the
 * others wait, for the client or for something that their code awaits. Each has a deadline, at which
 * its Python code is interrupted; when that does not help within a grace time, the host is killed.
 *
 * @module
 */

export interface Work {
  /** Hands it to the worker under its number. */
  start(call: number): void;
  /** Milliseconds it may hold the interpreter, from its start; waiting for the client is left out. */
  deadlineMs: number;
  /** Aborting interrupts it, or takes it out of the queue. */
  signal?: AbortSignal | undefined;
}

export type WorkOutcome<T> =
  /** `stopped`: it had been interrupted for its deadline before it came to its end. */
  | { kind: "finished"; value: T; stopped: boolean }
  | { kind: "cancelled" }
  | { kind: "full" }
  | { kind: "ended" };

export interface QueueDeps {
  /** Raises KeyboardInterrupt in the code of this call, and ends what it waits for. */
  interrupt(call: number): void;
  /** Ends the session because its code cannot be interrupted. */
  kill(deadlineMs: number): void;
  /** Milliseconds from the interrupt to the kill. */
  graceMs: number;
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

/** The first piece of work, which is the entrypoint's run, has number 0. */
export class CallQueue {
  readonly #deps: QueueDeps;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<number, Running>();
  #next = 0;
  #over = false;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  run<T>(work: Work): Promise<WorkOutcome<T>> {
    if (this.#over) return Promise.resolve({ kind: "ended" });
    if (work.signal?.aborted) return Promise.resolve({ kind: "cancelled" });
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve({ kind: "full" });
    return new Promise<WorkOutcome<T>>((resolve) => {
      const onAbort = () => this.#abort(entry);
      const entry: Waiting = {
        ...work,
        call: null,
        settle(outcome) {
          work.signal?.removeEventListener("abort", onAbort);
          // Whoever runs a kind of work knows what it is finished with.
          resolve(outcome as WorkOutcome<T>);
        },
      };
      work.signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(entry);
      this.#startNext();
    });
  }

  #abort(entry: Waiting): void {
    if (entry.call !== null) return this.#deps.interrupt(entry.call);
    const at = this.#waiting.indexOf(entry);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    entry.settle({ kind: "cancelled" });
  }

  #mayStart(): boolean {
    if (this.#over || this.#running.size >= MAX_BEGUN) return false;
    return this.#running.values().every(({ pauses, waits, stopped }) =>
      pauses > 0 || waits && !stopped
    );
  }

  #startNext(): void {
    if (!this.#mayStart()) return;
    const entry = this.#waiting.shift();
    if (entry === undefined) return;
    const call = this.#next++;
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
    this.#startClock(call, work);
    this.#running.set(call, work);
    entry.start(call);
  }

  #startClock(call: number, work: Running): void {
    const { interrupt, graceMs } = this.#deps;
    work.startedAt = performance.now();
    work.timer = setTimeout(() => {
      work.stopped = true;
      interrupt(call);
      work.timer = setTimeout(() => this.#killOverdue(work), graceMs);
    }, work.leftMs);
  }

  #killOverdue(work: Running): void {
    // What keeps it from ending may be another's code, which has time left. None begins meanwhile.
    const isHeldUp = this.#running.values().some((other) => !other.stopped && other.pauses === 0);
    if (isHeldUp) work.timer = setTimeout(() => this.#killOverdue(work), this.#deps.graceMs);
    else this.#deps.kill(work.entry.deadlineMs);
  }

  #workOf(call: number): Running {
    const work = this.#running.get(call);
    if (work === undefined) throw new Error(`An outcome of call ${call}, which is not running`);
    return work;
  }

  #settle(call: number, work: Running, outcome: WorkOutcome<unknown>): void {
    clearTimeout(work.timer);
    this.#running.delete(call);
    work.entry.settle(outcome);
  }

  /** Whether any piece of work runs that does not wait for the client. */
  get working(): boolean {
    return this.#running.values().some(({ pauses }) => pauses === 0);
  }

  /** @throws {Error} When that piece of work does not run. */
  finish(call: number, value: unknown): void {
    const work = this.#workOf(call);
    this.#settle(call, work, { kind: "finished", value, stopped: work.stopped });
    this.#startNext();
  }

  /**
   * The work awaits something and lets others run, for how long is its own business.
   *
   * @throws {Error} When that piece of work does not run, or has said so before.
   */
  wait(call: number): void {
    const work = this.#workOf(call);
    if (work.waits) throw new Error(`Call ${call} is already waiting`);
    work.waits = true;
    this.#startNext();
  }

  /** The work waits for the client from now on. @returns What tells that it has its answer. */
  pause(call: number): () => void {
    const work = this.#running.get(call);
    // Work that is being stopped gets no more time.
    if (work === undefined || work.stopped) return () => {};
    if (work.pauses++ === 0) {
      clearTimeout(work.timer);
      work.leftMs -= performance.now() - work.startedAt;
    }
    this.#startNext();
    let paused = true;
    return () => {
      if (!paused || this.#running.get(call) !== work) return;
      paused = false;
      if (--work.pauses === 0) this.#startClock(call, work);
    };
  }

  /** The session is over: nothing runs any more. */
  end(): void {
    this.#over = true;
    for (const [call, work] of this.#running) this.#settle(call, work, { kind: "ended" });
    for (const work of this.#waiting.splice(0)) work.settle({ kind: "ended" });
  }

  /** Interrupts all that runs. */
  interrupt(): void {
    for (const call of this.#running.keys()) this.#deps.interrupt(call);
  }
}
