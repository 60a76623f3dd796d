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
}

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
    env: { DENO_DIR: options.cache, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    walls,
    dataMb,
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
  return host;
}
