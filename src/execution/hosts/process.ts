/**
 * Starts a session host and speaks frames with it.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Duplex } from "node:stream";
import { createFrameReader, encodeFrame, type FrameLimits } from "../../../workers/frames.ts";
import { type HostCommand, type HostMessage, hostMessage } from "../../../workers/protocol.ts";
import { removeControlGroup } from "../../sandbox/control_group.ts";
import { STALL_MS, watchReading } from "./reading.ts";
import { launchCommand } from "../../sandbox/launcher.ts";
import type { Walls } from "../../sandbox/walls.ts";
import { hostArguments } from "./host_walls.ts";
import { HOST_MODULE } from "./import_map.ts";

/** How a host is started. */
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

/** How a host came to its end. */
export interface HostExit {
  /** What it broke, when it was ended for lying. */
  fault: string | null;
  code: number | null;
  signal: string | null;
  /** The last of what it wrote to stderr. */
  stderr: string;
}

/** A running host process. */
export interface HostProcess {
  readonly pid: number;
  /** `onRead` is called when the host has taken the bytes, or will not any more. */
  send(head: HostCommand, body?: Uint8Array, onRead?: () => void): void;
  /** Ends the process group at once. Resolves when the process is gone. */
  kill(): Promise<void>;
  readonly exited: Promise<HostExit>;
}

const WASM_PAGES_PER_MB = 16;
const STDERR_KEPT = 8192;
// Python's output does not go there; what does is read by this process all the same.
const STDERR_TOLERATED = 4 << 20;
// Repository files of a few sessions and the largest answers; a host that reads keeps it near zero.
const UNREAD_TOLERATED = 256 << 20;

function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    // The group: whatever the host started goes with it.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Starts a host; `onMessage` gets each message that parses. One that does not ends the host. */
export function startHost(
  options: HostOptions,
  onMessage: (message: HostMessage, body: Uint8Array) => void,
): HostProcess {
  const module = options.module ?? HOST_MODULE;
  const { walls, dataMb } = options;
  const launch = launchCommand({ walls, dataMb, args: hostArguments({ ...options, module }) });
  const child = spawn(launch.program, launch.args, {
    cwd: options.interpreter,
    detached: true,
    env: { DENO_DIR: options.cache, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const channel = child.stdio[3] as Duplex;
  let stderr = "";
  let fault: string | null = null;

  const exited = new Promise<HostExit>((resolve) => {
    child.once("error", (error) => {
      resolve({ fault, code: null, signal: null, stderr: String(error) });
    });
    child.once("close", (code, signal) => {
      reading.stop();
      channel.destroy();
      resolve({ fault, code, signal, stderr });
    });
  }).then(async (exit) => {
    const { groups } = walls;
    if (groups !== null && child.pid !== undefined) await removeControlGroup(groups, child.pid);
    launch.leave();
    return exit;
  });

  function blame(text: string) {
    fault ??= text;
    kill(child);
  }

  const read = createFrameReader(options.limits, (frame) => {
    if (fault !== null) return;
    onMessage(hostMessage.parse(JSON.parse(frame.head)), frame.body);
  });
  channel.on("data", (chunk: Uint8Array) => {
    if (fault !== null) return;
    try {
      read(chunk);
    } catch (error) {
      blame(error instanceof Error ? error.message.slice(0, 500) : String(error));
    }
  });
  // Writing to a host that has just died; `exited` tells.
  channel.on("error", () => {});
  const reading = watchReading(channel, STALL_MS, () => blame("Does not read what it asked for"));
  let stderrBytes = 0;
  child.stderr?.on("data", (chunk: Uint8Array) => {
    stderrBytes += chunk.length;
    if (stderrBytes > STDERR_TOLERATED) blame("Writes too much to stderr");
    stderr = (stderr + new TextDecoder().decode(chunk)).slice(-STDERR_KEPT);
  });

  function send(head: HostCommand, body?: Uint8Array, onRead: () => void = () => {}) {
    if (child.exitCode !== null || channel.destroyed || fault !== null) return onRead();
    const pieces = encodeFrame(head, body);
    const last = pieces.pop()!;
    for (const piece of pieces) channel.write(piece);
    channel.write(last, () => {
      reading.taken();
      onRead();
    });
    reading.wrote();
    if (channel.writableLength > UNREAD_TOLERATED) blame("Does not read what it asked for");
  }

  send({
    type: "init",
    interpreter: options.interpreter,
    memory_pages: options.memoryMb * WASM_PAGES_PER_MB,
  });
  return {
    pid: child.pid ?? 0,
    send,
    exited,
    async kill() {
      kill(child);
      await exited;
    },
  };
}
