/**
 * One session host: boots sessions in it, gives each message to the session it belongs to, and
 * tells every session when the process is gone.
 *
 * @module
 */
import { MAX_HEAD_BYTES, MAX_HTTP_BYTES } from "../../../workers/session/limits.ts";
import { FROM_HOST, type FromHost, type ToHost } from "../../../workers/session/messages.ts";
import type { ProcessExit } from "../../sandbox/process.ts";
import { type HostOptions, startHost } from "./process.ts";
import type { EndReason } from "./types.ts";

/** A message from a slot. */
export type SlotMessage = Extract<FromHost, { slot: number }>;
type WithoutSlot<T> = T extends { slot: number } ? Omit<T, "slot"> : never;
/** A message to a slot; which one is known. */
export type SlotCommand = WithoutSlot<ToHost>;

/** What a session does with what happens to it. Throwing ends the host for breaking the protocol. */
export interface SlotOwner {
  /** Whether code of the session may run now: not while every call waits for the client. */
  readonly working: boolean;
  onMessage(message: SlotMessage, body: Uint8Array): void;
  /** The session is no more. Called once. */
  onGone(reason: EndReason, message: string): void;
}

/** A booted session in a host, not yet or no longer in use. */
export interface Slot {
  readonly host: Host;
  /** Takes the session into use. */
  attach(owner: SlotOwner): void;
  /** `onRead` is called when the host has taken the bytes, or will not any more. */
  send(command: SlotCommand, body?: readonly Uint8Array[], onRead?: () => void): void;
  /** Ends the host process because of this session; its neighbours end as `crashed`. */
  killHost(reason: EndReason, message: string): Promise<void>;
}

/** A host never changes either: sessions of two users meet no more than those of two servers. */
export interface Tenant {
  /** Name of the registered server. */
  server: string;
  /** Who calls it. */
  client: string;
}

/** A running host. */
export interface Host {
  readonly pid: number;
  /** Whose sessions it holds; null while it holds none. */
  tenant: Tenant | null;
  /** Sessions it has: booting, waiting and in use. */
  readonly size: number;
  /** Sessions it ever had. */
  readonly served: number;
  /** False once the process is gone or being ended. */
  readonly alive: boolean;
  /** Whether it boots a session or runs a call that does not wait for the client. */
  readonly working: boolean;
  /** Number of times that it began to work. */
  readonly worked: number;
  boot(): Promise<Slot>;
  /** Ends the process and all its sessions with this reason. */
  kill(reason: EndReason, message: string): Promise<void>;
}

/** Bounds of a frame from a host; results and bodies of HTTP requests are the largest. */
export const HOST_FRAME_LIMITS = {
  head: 2 * MAX_HEAD_BYTES,
  body: MAX_HTTP_BYTES + 1024,
  // No head of a session holds more than its own fields.
  json: { values: 100, depth: 4 },
};

/** What the client hears when a session's messages are nothing that Berth's own code sends. */
export const PROTOCOL_BROKEN = "The session was ended: its messages broke the rules of the sandbox";
const HOST_PROTOCOL_BROKEN =
  "The session was ended: messages of its host process broke the rules of the sandbox";

const BEGINS_WORK = new Set<ToHost["type"]>(["open", "call", "ask_done"]);
const OUT_OF_MEMORY = /out of memory|memory limit|OOM/i;

interface Entry {
  owner: SlotOwner | null;
  booted: (() => void) | null;
  failed: (error: Error) => void;
  /** Its end was asked for. */
  closing: boolean;
}

interface Ending {
  reason: EndReason;
  message: string;
  /** The slot because of which the host ends. */
  offender: number | null;
}

/** What a session hears whose host died for want of memory: the limit, and what to do. */
function memoryText(memoryMb: number): string {
  return "The session was ended: its host process ran out of memory. A session has " +
    `${memoryMb} MiB (SESSION_MEMORY_MB): let the server hold less at once, or ask it for less`;
}

function endingOf(exit: ProcessExit, offender: number | null, memoryMb: number): Ending {
  if (exit.fault !== null) {
    // Whose messages they were is known only where one session is named.
    const message = offender === null ? HOST_PROTOCOL_BROKEN : PROTOCOL_BROKEN;
    return { reason: "protocol", message, offender };
  }
  if (OUT_OF_MEMORY.test(exit.stderr)) {
    return { reason: "memory", message: memoryText(memoryMb), offender: null };
  }
  const how = exit.signal ?? `code ${exit.code}`;
  // So the system ends what needs more memory than it may have.
  const why = exit.signal === "SIGKILL"
    ? `, perhaps for want of memory: a session has ${memoryMb} MiB (SESSION_MEMORY_MB)`
    : "";
  const message = `The session was ended: its host process stopped (${how})${why}`;
  return { reason: "crashed", message, offender: null };
}

/** Starts a host. `onExit` is called once, after its sessions have been told. */
export function createHost(
  options: Omit<HostOptions, "limits"> & { bootTimeoutMs: number },
  onExit: (host: Host, exit: ProcessExit, end: { reason: EndReason; message: string }) => void,
): Host {
  const entries = new Map<number, Entry>();
  let last = 0;
  let worked = 0;
  let offender: number | null = null;
  let ending: Ending | null = null;

  function onMessage(message: FromHost, body: Uint8Array) {
    if (message.type === "fault") {
      const text = `The session was ended: its host process failed (${message.message})`;
      return void end({ reason: "crashed", message: text, offender: null });
    }
    const entry = entries.get(message.slot);
    if (entry === undefined) throw new Error("A message for a session that is not there");
    if (message.type === "booted" && entry.booted !== null) {
      entry.booted();
      entry.booted = null;
      return;
    }
    if (message.type === "ended") {
      entries.delete(message.slot);
      entry.failed(new Error(message.message));
      const isMemory = OUT_OF_MEMORY.test(message.message);
      const text = isMemory
        ? memoryText(options.memoryMb)
        : `The session was ended: ${message.message || "its interpreter stopped"}`;
      // What a host calls closed was closed only if that was asked for.
      if (entry.closing) entry.owner?.onGone("closed", "");
      else entry.owner?.onGone(isMemory ? "memory" : "crashed", text);
      // A host never changes servers, and an empty one costs as much memory as a session.
      if (entries.size === 0) void end({ reason: "closed", message: "", offender: null });
      return;
    }
    try {
      if (body.length > FROM_HOST[message.type].body) {
        throw new Error(`A body of ${body.length} bytes`);
      }
      if (entry.owner === null) throw new Error("A message before the session is in use");
      entry.owner.onMessage(message, body);
    } catch (error) {
      offender = message.slot;
      throw error;
    }
  }

  const child = startHost({ ...options, limits: HOST_FRAME_LIMITS }, onMessage);

  const exited = child.exited.then((exit) => {
    const end = ending ?? endingOf(exit, offender, options.memoryMb);
    for (const [slot, entry] of entries) {
      const mine = end.offender === null || end.offender === slot;
      const message = mine
        ? end.message
        : "The session was ended: another session of yours took its host process down";
      entry.failed(new Error(message));
      entry.owner?.onGone(mine ? end.reason : "crashed", message);
    }
    entries.clear();
    ending = end;
    onExit(host, exit, end);
  });

  async function end(next: Ending): Promise<void> {
    ending ??= next;
    await child.kill();
    await exited;
  }

  async function boot(): Promise<Slot> {
    const slot = ++last;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    const entry: Entry = { owner: null, booted: resolve, failed: reject, closing: false };
    entries.set(slot, entry);
    worked++;
    const timer = setTimeout(() => {
      void end({ reason: "crashed", message: "The interpreter did not start", offender: null });
    }, options.bootTimeoutMs);
    try {
      child.send({ type: "boot", slot });
      await promise;
    } finally {
      clearTimeout(timer);
    }
    return {
      host,
      attach: (owner) => entry.owner = owner,
      send(command, body, onRead) {
        if (BEGINS_WORK.has(command.type)) worked++;
        entry.closing ||= command.type === "end";
        child.send({ ...command, slot } as ToHost, body, onRead);
      },
      killHost: (reason, message) => end({ reason, message, offender: slot }),
    };
  }

  const host: Host = {
    pid: child.pid,
    tenant: null,
    get size() {
      return entries.size;
    },
    get served() {
      return last;
    },
    get alive() {
      return ending === null;
    },
    get working() {
      return entries.values().some(({ booted, owner }) => booted !== null || owner?.working);
    },
    get worked() {
      return worked;
    },
    boot,
    kill: (reason, message) => end({ reason, message, offender: null }),
  };
  return host;
}
