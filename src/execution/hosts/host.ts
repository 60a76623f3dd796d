/**
 * One session host: boots interpreters in it, gives each message to the slot it comes from, and
 * tells every slot when the process is gone.
 *
 * @module
 */
import { MAX_HEAD_BYTES, MAX_PARKED_BYTES } from "../../../workers/session/limits.ts";
import {
  FROM_HOST,
  type FromHost,
  type MessageOf,
  type ToHost,
} from "../../../workers/session/messages.ts";
import type { ProcessExit } from "../../sandbox/process.ts";
import type { Slot, SlotCommand, SlotMessage, SlotOwner } from "../interpreters/slot.ts";
import type { EndReason } from "../interpreters/types.ts";
import {
  type Ending,
  endingFor,
  endingOfExit,
  endingOfInterpreter,
  type HostEnding,
} from "./endings.ts";
import { type HostOptions, startHost } from "./process.ts";

/** A host never changes either: sessions of two users meet no more than those of two servers. */
export interface Tenant {
  /** Name of the registered server. */
  readonly server: string;
  /** Who calls it; null until a client takes the spare session that waits there. */
  client: string | null;
}

/** One session host process: its interpreters, and the tenant that it serves. */
export interface Host {
  readonly pid: number;
  /** Whose sessions it holds; null while it holds none. */
  tenant: Tenant | null;
  /** Interpreters it has: booting, waiting and in use. */
  readonly size: number;
  /** Interpreters it ever had. */
  readonly served: number;
  /** False once the process is gone or being ended. */
  readonly alive: boolean;
  /** Whether it boots an interpreter or runs a call that does not wait for the client. */
  readonly working: boolean;
  /** Number of times that it began to work. */
  readonly worked: number;
  /** Whether its session has no client yet. */
  readonly isSpare: boolean;
  /**
   * Boots an interpreter; `images`: what it may go on with, made ready meanwhile; `waits`: its session
   * is still to come, so that the host may prepare for it.
   */
  boot(images?: readonly string[], waits?: boolean): Promise<Slot>;
  /** Has it give back to the system what it no longer uses. */
  trim(): void;
  /** Ends the process and all its sessions with this reason. */
  kill(reason: EndReason, message: string): Promise<void>;
}

/** Called once, after the slots of a host that is gone have been told. */
export type OnHostExit = (host: Host, exit: ProcessExit, end: Ending) => void;

/** Bounds of a frame from a host; a parked session is the largest. */
const FRAME_LIMITS = {
  head: 2 * MAX_HEAD_BYTES,
  body: MAX_PARKED_BYTES,
  // No head of a slot holds more than its own fields.
  json: { values: 100, depth: 4 },
};

const BEGINS_WORK = new Set<ToHost["type"]>(["open", "wake", "park", "call", "ask_done"]);

interface Entry {
  owner: SlotOwner | null;
  booted: (() => void) | null;
  failed: (error: Error) => void;
  /** Its end was asked for. */
  closing: boolean;
}

class RunningHost implements Host {
  tenant: Tenant | null = null;
  readonly #options: HostRunOptions;
  readonly #entries = new Map<number, Entry>();
  readonly #child;
  readonly #exited: Promise<void>;
  #served = 0;
  #worked = 0;
  #offender: number | null = null;
  #ending: HostEnding | null = null;

  constructor(options: HostRunOptions, onExit: OnHostExit) {
    this.#options = options;
    this.#child = startHost(
      { ...options, limits: FRAME_LIMITS },
      (message, body) => this.#onMessage(message, body),
    );
    this.#exited = this.#child.exited.then((exit) => {
      const end = this.#ending ??= endingOfExit(exit, this.#offender, options.memoryMb);
      for (const [slot, entry] of this.#entries) {
        const { reason, message } = endingFor(slot, end);
        entry.failed(new Error(message));
        entry.owner?.onGone(reason, message);
      }
      this.#entries.clear();
      onExit(this, exit, end);
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  get size(): number {
    return this.#entries.size;
  }

  get served(): number {
    return this.#served;
  }

  get alive(): boolean {
    return this.#ending === null;
  }

  get working(): boolean {
    return this.#entries.values().some(({ booted, owner }) => booted !== null || owner?.working);
  }

  get worked(): number {
    return this.#worked;
  }

  get isSpare(): boolean {
    return this.tenant !== null && this.tenant.client === null;
  }

  #onMessage(message: FromHost, body: Uint8Array): void {
    if (message.type === "fault") {
      const text = `The session was ended: its host process failed (${message.message})`;
      return void this.#end({ reason: "crashed", message: text, offender: null });
    }
    const entry = this.#entries.get(message.slot);
    if (entry === undefined) throw new Error("A message for an unknown session");
    if (message.type === "ended") return this.#onEnded(message, entry);
    if (message.type === "booted" && entry.booted !== null) {
      entry.booted();
      entry.booted = null;
      return;
    }
    this.#toOwner(message, body, entry);
  }

  #toOwner(message: SlotMessage, body: Uint8Array, { owner }: Entry): void {
    try {
      if (owner === null) throw new Error("A message from an unused session");
      if (body.length > FROM_HOST[message.type].body) {
        throw new Error(`A body of ${body.length} bytes`);
      }
      owner.onMessage(message, body);
    } catch (error) {
      this.#offender = message.slot;
      throw error;
    }
  }

  #onEnded({ slot, message }: MessageOf<typeof FROM_HOST, "ended">, entry: Entry): void {
    this.#entries.delete(slot);
    entry.failed(new Error(message));
    // What a host calls closed was closed only if that was asked for.
    const end: Ending = entry.closing
      ? { reason: "closed", message: "" }
      : endingOfInterpreter(message, this.#options.memoryMb);
    entry.owner?.onGone(end.reason, end.message);
    // A host never changes servers, and an empty one costs as much memory as a session.
    if (this.#entries.size === 0) void this.kill("closed", "");
  }

  async #end(next: HostEnding): Promise<void> {
    this.#ending ??= next;
    await this.#child.kill();
    await this.#exited;
  }

  kill(reason: EndReason, message: string): Promise<void> {
    return this.#end({ reason, message, offender: null });
  }

  trim(): void {
    this.#child.trim();
  }

  async boot(images: readonly string[] = [], waits = false): Promise<Slot> {
    const slot = ++this.#served;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    const entry: Entry = { owner: null, booted: resolve, failed: reject, closing: false };
    this.#entries.set(slot, entry);
    this.#worked++;
    const timer = setTimeout(
      () => void this.kill("crashed", "The interpreter did not start"),
      this.#options.bootTimeoutMs,
    );
    try {
      this.#child.send({ type: "boot", slot, images: [...images], waits });
      await promise;
    } finally {
      clearTimeout(timer);
    }
    return this.#slot(slot, entry);
  }

  #slot(slot: number, entry: Entry): Slot {
    const size = () => this.size;
    return {
      pid: this.pid,
      get isAlone() {
        return size() === 1;
      },
      attach: (owner) => entry.owner = owner,
      send: (command: SlotCommand, body, onRead) => {
        if (BEGINS_WORK.has(command.type)) this.#worked++;
        entry.closing ||= command.type === "end";
        this.#child.send({ ...command, slot } as ToHost, body, onRead);
      },
      killHost: (reason, message) => this.#end({ reason, message, offender: slot }),
    };
  }
}

export type HostRunOptions = Omit<HostOptions, "limits"> & {
  /** Milliseconds from the start of an interpreter to the kill of a host that has none. */
  bootTimeoutMs: number;
};

export function createHost(options: HostRunOptions, onExit: OnHostExit): Host {
  return new RunningHost(options, onExit);
}
