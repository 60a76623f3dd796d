/**
 * The process of a session host, and the messages that are exchanged with it.
 *
 * @module
 */
import type { FrameLimits } from "../../../workers/wire/frames.ts";
import {
  FROM_HOST,
  type FromHost,
  readHead,
  type ToHost,
} from "../../../workers/session/messages.ts";
import { type SandboxProcess, startProcess } from "../../sandbox/process.ts";
import { signalInside } from "../../sandbox/usage.ts";
import type { Walls } from "../../sandbox/walls.ts";
import { hostArguments } from "./walls.ts";
import { HOST_MODULE } from "./import_map.ts";

export interface HostOptions {
  /** Folder that setup made, absolute. */
  interpreter: string;
  /** Most megabytes of linear memory of one session. */
  memoryMb: number;
  /** Most megabytes of each V8 heap in the process. */
  heapMb: number;
  /** Most megabytes of data the process may map; null: no limit. */
  dataMb: number | null;
  /** How far it stands back for others, in place of what the walls say. */
  groupNiceness?: number | undefined;
  /** What the system puts around it. */
  walls: Walls;
  /** Main module, for tests; default {@link HOST_MODULE}. */
  module?: URL | undefined;
  /** Bounds of a frame from the host. */
  limits: FrameLimits;
  /** Deno's cache folder for the host: compiled modules and code cache. */
  cache: string;
}

export interface HostProcess extends Omit<SandboxProcess, "send"> {
  /** `onRead` is called when the host has taken the bytes, or will not any more. */
  send(message: ToHost, body?: readonly Uint8Array[], onRead?: () => void): void;
  /** Has it give back to the system what it no longer uses; only after it has booted a session. */
  trim(): void;
}

/**
 * For glibc: one arena for all threads, and what is freed goes back to the system. A host's threads
 * hardly ever ask for memory at the same time; with an arena each, a host of four sessions keeps 45 MB
 * that nobody uses.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  // What lies between what is still used goes back when Deno is sent this signal.
  DENO_USR2_MEMORY_TRIM: "1",
};
const TRIM = "USR2";

const WASM_PAGES_PER_MB = 16;
// Repository files of a few sessions and the largest answers; a host that reads keeps it near zero.
const UNREAD_TOLERATED = 256 << 20;

/** Starts a host; `onMessage` gets each message that parses. One that does not ends the host. */
export function startHost(
  options: HostOptions,
  onMessage: (message: FromHost, body: Uint8Array) => void,
): HostProcess {
  const { walls, dataMb, limits, interpreter, module = HOST_MODULE } = options;
  const host = startProcess({
    args: hostArguments({ ...options, module }),
    cwd: interpreter,
    env: { DENO_DIR: options.cache, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...ALLOCATOR },
    walls,
    dataMb,
    groupNiceness: options.groupNiceness,
    limits,
    unreadBytes: UNREAD_TOLERATED,
    onFrame({ head, body }) {
      const message = readHead(FROM_HOST, head);
      if (message === null) throw new TypeError("Unknown message");
      onMessage(message, body);
    },
  });
  const memory_pages = options.memoryMb * WASM_PAGES_PER_MB;
  host.send({ type: "init", interpreter, memory_pages } satisfies ToHost);
  return Object.assign(host, {
    trim() {
      if (Deno.build.os === "linux" && host.alive) void signalInside(host.pid, TRIM);
    },
  });
}
