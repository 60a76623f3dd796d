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
  EndReason,
  Interpreter,
  ParkedState,
  ParkOutcome,
} from "../interpreters/types.ts";
import type { ExecutionMetrics } from "../metrics.ts";
import type { RawJson } from "../../protocol/raw_json.ts";

/** When sessions of a node are parked, and how much room there is for them. */
export interface ParkingDeps {
  clock: Clock;
  /** Milliseconds without a request after which a session is parked. */
  afterMs: number;
  /** Most bytes of all parked sessions of this node. */
  roomBytes: number;
  /** Lets sessions park one after the other: what one takes of the room is known to the next. */
  inTurn: (body: () => Promise<void>) => Promise<void>;
  /** Bytes of the parked sessions of each client, by its key. */
  shares: Map<string, number>;
  metrics: Pick<ExecutionMetrics, "parking">;
  log: Logger;
}

/** What answers for a session, whether it has a host at the moment or not. */
export interface SessionInterpreter extends Pick<Interpreter, "request" | "close"> {
  /** Id of its host process; null while it is parked. */
  readonly pid: number | null;
  readonly isParked: boolean;
}

/** The interpreter of one session, and how it comes back. */
export interface Parkable {
  interpreter: Interpreter;
  /** Starts another that goes on with `state`. Rejects when none can be started now. */
  wake(state: ParkedState): Promise<Interpreter>;
  /** It is no more. */
  onLost(reason: EndReason): void;
  /** For the log. */
  server: string;
  /** Whose session it is: `key` of a client. */
  client: string;
}

/** Runs what it is given one after the other. */
export function oneAtATime(): ParkingDeps["inTurn"] {
  let last = Promise.resolve();
  return (body) => last = last.then(body);
}

const INTERNAL_ERROR = -32603;
/** A session that has to stay is tried again ever later, up to this many times the idle time. */
const LATEST = 16;
/** With less room it is not even tried. */
const LEAST_ROOM_BYTES = 1024 * 1024;

/** Share of the room that one client may have. */
const CLIENT_SHARE = 0.5;

/** The longest that a clock's timer may wait. */
const LONGEST_MS = 2 ** 31 - 1;

const LOST = "The session could not be resumed after it was parked. Begin another one";
const BUSY = "The session is parked and cannot be resumed at the moment. Try again in some seconds";

type Tried = ParkOutcome | { kind: "stays"; reason: "room" };

class ParkableInterpreter implements SessionInterpreter {
  readonly #deps: ParkingDeps;
  readonly #own: Parkable;
  /** What runs it; null while it is parked, and when it is over. */
  #live: Interpreter | null;
  #state: ParkedState | null = null;
  /** It is being parked or woken. */
  #moving: Promise<void> | null = null;
  #waking: Promise<Interpreter | typeof LOST | typeof BUSY> | null = null;
  /** When its next timer is due, while it is parked. */
  #dueAt: number | null = null;
  #inUse = 0;
  /** Nobody has used it for long enough. */
  #isDue = false;
  #over = false;
  #factor = 1;
  #cancelTimer: () => void = () => {};

  constructor(own: Parkable, deps: ParkingDeps) {
    this.#own = own;
    this.#deps = deps;
    this.#live = own.interpreter;
    this.#rest();
  }

  get pid(): number | null {
    return this.#live?.pid ?? null;
  }

  get isParked(): boolean {
    return this.#state !== null;
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
    // What is being parked need not come to its end first.
    if (this.#moving !== null) await this.#live?.close();
    await this.#moving;
    this.#drop();
    await this.#live?.close();
  }

  /** Looks after it when it has not been used for a while, or when its next timer is due. */
  #rest(): void {
    this.#cancelTimer();
    if (this.#over || this.#inUse > 0) return;
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
    await this.#deps.inTurn(async () => {
      const live = this.#live;
      // It may have been used while it waited for its turn.
      if (!this.#isDue || this.#over || this.#moving !== null || live === null) return;
      await this.#move(async () => this.#parked(live, await this.#try(live)));
      this.#rest();
    });
  }

  async #try(live: Interpreter): Promise<Tried> {
    const { roomBytes, afterMs, metrics: { parking }, shares } = this.#deps;
    const share = shares.get(this.#own.client) ?? 0;
    const maxBytes = Math.min(roomBytes - parking.bytes, CLIENT_SHARE * roomBytes - share);
    if (maxBytes < LEAST_ROOM_BYTES) return { kind: "stays", reason: "room" };
    return await live.park({ soonMs: afterMs, maxBytes });
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
    this.#state = state;
    this.#factor = 1;
    parking.sessions += 1;
    this.#count(state.bytes.length);
    log.debug("session.parked", { server, bytes: state.bytes.length });
    this.#dueAt = state.dueMs === null ? null : clock.now() + state.dueMs;
  }

  async #wakeForTimer(): Promise<void> {
    const { clock, afterMs } = this.#deps;
    // Without a host it is late then.
    if (await this.#awake() === BUSY) this.#dueAt = clock.now() + afterMs;
    this.#rest();
  }

  /** What runs it, woken if it is parked; else what to say. Those who wait go on in their order. */
  #awake(): Promise<Interpreter | typeof LOST | typeof BUSY> {
    return this.#waking ??= this.#wakeParked().finally(() => this.#waking = null);
  }

  async #wakeParked(): Promise<Interpreter | typeof LOST | typeof BUSY> {
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
      parking.wakesRefused += 1;
      log.warn("session.not_resumed_yet", { server: this.#own.server, error });
      return;
    }
    this.#drop();
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
    const { metrics: { parking }, shares } = this.#deps;
    const { client } = this.#own;
    parking.bytes += bytes;
    const share = (shares.get(client) ?? 0) + bytes;
    if (share === 0) shares.delete(client);
    else shares.set(client, share);
  }

  /** Forgets what was parked, also what is in it. */
  #drop(): void {
    if (this.#state === null) return;
    const { parking } = this.#deps.metrics;
    const { bytes } = this.#state;
    this.#state = null;
    parking.sessions -= 1;
    this.#count(-bytes.length);
    bytes.fill(0);
  }
}

/** An interpreter that is parked when nobody uses it. */
export function createParkable(own: Parkable, deps: ParkingDeps): SessionInterpreter {
  return new ParkableInterpreter(own, deps);
}

/** The same without parking: it keeps its host until it ends. */
export function neverParked(interpreter: Interpreter): SessionInterpreter {
  return {
    get pid() {
      return interpreter.pid;
    },
    isParked: false,
    request: (method, params, options) => interpreter.request(method, params, options),
    close: () => interpreter.close(),
  };
}
