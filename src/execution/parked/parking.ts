/**
 * Parking of idle sessions: an interpreter that nobody uses gives its memory back, and goes on with
 * the next request, or when its next timer is due. To those who use it, it is one interpreter.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { Clock } from "../clock.ts";
import type {
  CallOptions,
  CallOutcome,
  Interpreter,
  ParkedState,
  ParkOutcome,
} from "../interpreters/types.ts";
import type { ExecutionMetrics } from "../metrics.ts";
import type { Left, Parkable, SessionInterpreter } from "./session_interpreter.ts";
import type { ParkedRoom } from "./room.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { MAX_PARKED_BYTES } from "../../../workers/session/limits.ts";

/** When sessions of a node are parked, and how much room there is for them. */
export interface ParkingDeps {
  clock: Clock;
  /** Milliseconds without a request after which a session is parked. */
  afterMs: number;
  room: ParkedRoom;
  metrics: Pick<ExecutionMetrics, "parking">;
  log: Logger;
}

const INTERNAL_ERROR = -32603;
/** A session that has to stay is tried again ever later, up to this many times the idle time. */
const LATEST = 16;
/** The longest that a clock's timer may wait. */
const LONGEST_MS = 2 ** 31 - 1;

const LOST = "The session could not be resumed after it was parked. Begin another one";
const BUSY = "The session is parked and cannot be resumed at the moment. Try again in some seconds";

type Awake = Interpreter | typeof LOST | typeof BUSY;
type Tried = ParkOutcome | { kind: "stays"; reason: "room" };

class ParkableInterpreter implements SessionInterpreter {
  readonly #deps: ParkingDeps;
  readonly #own: Parkable;
  /** What runs it; null while it is parked, and when it is over. */
  #live: Interpreter | null = null;
  #state: ParkedState | null = null;
  /** Ends what {@link Parkable.keep} began. */
  #unkeep: () => void = () => {};
  /** It is being parked or woken. */
  #moving: Promise<void> | null = null;
  #waking: Promise<Awake> | null = null;
  readonly #closed = Promise.withResolvers<typeof LOST>();
  /** When its next timer is due, while it is parked. */
  #dueAt: number | null = null;
  #inUse = 0;
  /** Nobody has used it for long enough. */
  #isDue = false;
  #over = false;
  #isLeaving = false;
  #factor = 1;
  #cancelTimer: () => void = () => {};

  constructor(own: Parkable, deps: ParkingDeps) {
    this.#own = own;
    this.#deps = deps;
    const { began } = own;
    if ("request" in began) this.#live = began;
    else {
      this.#count(began.bytes.length);
      this.#hold(began, began.dueAt);
    }
    this.#rest();
  }

  get pid(): number | null {
    return this.#live?.pid ?? null;
  }

  get isParked(): boolean {
    return this.#state !== null;
  }

  get isStill(): boolean {
    return this.isParked && this.#dueAt === null && !this.#isBusy;
  }

  /** It is used, or about to be. */
  get #isBusy(): boolean {
    return this.#inUse > 0 || this.#moving !== null || this.#waking !== null;
  }

  async request(method: string, params: RawJson, options: CallOptions): Promise<CallOutcome> {
    this.#inUse++;
    this.#isDue = false;
    this.#cancelTimer();
    try {
      // At once where it can be: calls begin in the order in which they come.
      const isStill = this.#moving === null && this.#waking === null;
      const live = isStill && this.#live || await this.#awake();
      if (typeof live === "string") return { kind: "error", code: INTERNAL_ERROR, message: live };
      return await live.request(method, params, options);
    } finally {
      this.#inUse--;
      this.#rest();
    }
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#cancelTimer();
    this.#closed.resolve(LOST);
    // What is being parked need not come to its end first.
    if (this.#moving !== null) await this.#live?.close();
    // Nobody waits for one that is being woken: it is closed as soon as it is there.
    if (this.#moving !== null && this.#state !== null) return;
    await this.#moving;
    this.#drop();
    await this.#live?.close();
  }

  async leave(): Promise<Left | null> {
    // It may just be parked.
    await this.#moving;
    if (this.#over || this.#isBusy) return null;
    this.#isLeaving = true;
    this.#cancelTimer();
    const live = this.#live;
    if (live !== null) await this.#move(async () => this.#parked(live, await this.#parkNow(live)));
    const state = this.#state;
    if (state !== null && !this.#over && !this.#isBusy) return { ...state, dueAt: this.#dueAt };
    this.stay();
    return null;
  }

  stay(): void {
    this.#isLeaving = false;
    this.#rest();
  }

  /** Whatever room there is: it is about to go. */
  async #parkNow(live: Interpreter): Promise<Tried> {
    const outcome = await live.park({ soonMs: 0, maxBytes: MAX_PARKED_BYTES });
    if (outcome.kind === "parked") this.#count(outcome.state.bytes.length);
    return outcome;
  }

  /** Looks after it when it has not been used for a while, or when its next timer is due. */
  #rest(): void {
    this.#cancelTimer();
    if (this.#over || this.#isLeaving || this.#inUse > 0) return;
    const { clock, afterMs } = this.#deps;
    if (this.#live !== null) {
      this.#cancelTimer = clock.after(afterMs * this.#factor, () => void this.#park());
    } else if (this.#state !== null && this.#dueAt !== null) {
      const ms = Math.min(LONGEST_MS, Math.max(0, this.#dueAt - clock.now()));
      this.#cancelTimer = clock.after(ms, () => void this.#wakeForTimer());
    }
  }

  /** Runs `body` while nobody else parks or wakes it. */
  async #move(body: () => Promise<void>): Promise<void> {
    const moving = body().catch((error) =>
      this.#deps.log.error("session.parking_failed", { server: this.#own.server, error })
    );
    this.#moving = moving;
    await moving;
    if (this.#moving === moving) this.#moving = null;
  }

  async #park(): Promise<void> {
    this.#isDue = true;
    await this.#deps.room.inTurn(this.#own.client, async () => {
      const live = this.#live;
      // It may have been used while it waited for its turn.
      if (!this.#isDue || this.#over || this.#isLeaving || this.#isBusy || live === null) return;
      await this.#move(async () => this.#parked(live, await this.#try(live)));
      this.#rest();
    });
  }

  async #try(live: Interpreter): Promise<Tried> {
    const { room, afterMs, metrics: { parking } } = this.#deps;
    const place = await room.take(this.#own.client);
    let kept = 0;
    try {
      if (place.bytes === 0) return { kind: "stays", reason: "room" };
      const outcome = await live.park({ soonMs: afterMs, maxBytes: place.bytes });
      if (outcome.kind === "parked") kept = outcome.state.bytes.length;
      return outcome;
    } finally {
      place.keep(kept);
      parking.bytes = room.bytes;
    }
  }

  #parked(live: Interpreter, outcome: Tried): void {
    const { clock, log, metrics: { parking } } = this.#deps;
    const { server } = this.#own;
    if (outcome.kind === "stays") {
      parking.refusals[outcome.reason] = (parking.refusals[outcome.reason] ?? 0) + 1;
      this.#factor = Math.min(2 * this.#factor, LATEST);
      log.debug("session.stays", { server, reason: outcome.reason });
    }
    if (outcome.kind === "ended") this.#over = true;
    if (outcome.kind !== "parked") return;
    const { state } = outcome;
    if (this.#live === live) this.#live = null;
    this.#factor = 1;
    log.debug("session.parked", { server, bytes: state.bytes.length });
    this.#hold(state, state.dueMs === null ? null : clock.now() + state.dueMs);
  }

  /** Has what is left of it, for which there is room. */
  #hold(state: ParkedState, dueAt: number | null): void {
    this.#deps.metrics.parking.sessions += 1;
    this.#state = state;
    this.#unkeep = this.#own.keep(state);
    this.#dueAt = dueAt;
  }

  async #wakeForTimer(): Promise<void> {
    const { clock, afterMs } = this.#deps;
    // Without a host it is late then.
    if (await this.#awake() === BUSY) this.#dueAt = clock.now() + afterMs;
    this.#rest();
  }

  /** What runs it, woken if it is parked; else what to say. Those who wait go on in their order. */
  #awake(): Promise<Awake> {
    this.#waking ??= this.#wakeParked().finally(() => this.#waking = null);
    return Promise.race([this.#waking, this.#closed.promise]);
  }

  async #wakeParked(): Promise<Awake> {
    await this.#moving;
    const state = this.#state;
    if (state !== null && !this.#over) await this.#move(() => this.#wake(state));
    return this.#live ?? (this.#state === null ? LOST : BUSY);
  }

  async #wake(state: ParkedState): Promise<void> {
    const { metrics: { parking }, log, clock } = this.#deps;
    const started = clock.now();
    let live: Interpreter;
    try {
      live = await this.#own.wake(state);
    } catch (error) {
      if (this.#over) return this.#drop();
      parking.wakesRefused += 1;
      log.warn("session.not_resumed_yet", { server: this.#own.server, error });
      return;
    }
    this.#drop();
    if (this.#over) return await live.close();
    if (live.load.kind === "loaded") {
      this.#live = live;
      parking.wakes += 1;
      log.debug("session.resumed", { server: this.#own.server, ms: clock.now() - started });
    } else {
      parking.wakesFailed += 1;
      const message = live.load.kind === "raised" ? live.load.message : live.load.kind;
      log.warn("session.not_resumed", { server: this.#own.server, message });
      this.#own.onLost("crashed");
      await live.close();
    }
  }

  #count(bytes: number): void {
    const { metrics: { parking }, room } = this.#deps;
    room.count(this.#own.client, bytes);
    parking.bytes = room.bytes;
  }

  /** Forgets what was parked, also what is in it. */
  #drop(): void {
    if (this.#state === null) return;
    const { parking } = this.#deps.metrics;
    const { bytes } = this.#state;
    this.#state = null;
    this.#unkeep();
    parking.sessions -= 1;
    this.#count(-bytes.length);
    bytes.fill(0);
  }
}

/** An interpreter that is parked when nobody uses it. */
export function createParkable(own: Parkable, deps: ParkingDeps): SessionInterpreter {
  return new ParkableInterpreter(own, deps);
}
