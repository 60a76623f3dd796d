/**
 * The supervisor of untrusted processes, whatever they are for: starts one behind its walls, speaks
 * frames with it, and ends it as soon as it sends or writes what no honest one does.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Duplex } from "node:stream";
import {
  createFrameReader,
  encodeFrame,
  type Frame,
  type FrameLimits,
} from "../../workers/wire/frames.ts";
import { removeControlGroup } from "./control_group.ts";
import { launchCommand } from "./launcher.ts";
import { STALL_MS, watchReading } from "./reading.ts";
import type { Walls } from "./walls.ts";

export interface ProcessOptions {
  /** Deno's arguments. */
  args: readonly string[];
  cwd: string;
  /** Its whole environment. */
  env: Record<string, string>;
  walls: Walls;
  /** Most megabytes of data it may map; null: no limit. */
  dataMb: number | null;
  /** How far its group stands back for others, in place of what the walls say. */
  groupNiceness?: number | undefined;
  limits: FrameLimits;
  /** Bytes that may wait for it to read them. */
  unreadBytes: number;
  /** Takes each frame. Throwing ends the process for breaking the protocol. */
  onFrame(frame: Frame): void;
}

/** How a process came to its end. */
export interface ProcessExit {
  /** What it broke, when it was ended for that. */
  fault: string | null;
  code: number | null;
  signal: string | null;
  /** The last of what it wrote to stderr. */
  stderr: string;
}

export interface SandboxProcess {
  readonly pid: number;
  /** Whether there is still a process. */
  readonly alive: boolean;
  /** `onRead` is called when the process has taken the bytes, or will not any more. */
  send(head: unknown, body?: readonly Uint8Array[], onRead?: () => void): void;
  /** Ends it at once with all that it started. Resolves when nothing of it is left. */
  kill(): Promise<void>;
  readonly exited: Promise<ProcessExit>;
}

const STDERR_KEPT = 8192;
// Honest processes write little there; what is written is read by this process all the same.
const STDERR_TOLERATED = 4 << 20;

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function kill(child: ChildProcess): void {
  if (!isAlive(child)) return;
  try {
    // The group: whatever the process started goes with it.
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Keeps the end of what a process writes to stderr; `onFlood` is called when it is too much. */
function keepStderr(child: ChildProcess, onFlood: () => void): () => string {
  const decoder = new TextDecoder();
  let bytes = 0;
  let kept = "";
  child.stderr?.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > STDERR_TOLERATED) onFlood();
    kept = (kept + decoder.decode(chunk, { stream: true })).slice(-STDERR_KEPT);
  });
  return () => kept;
}

/** A process that could not be started, as one that has ended. */
function neverStarted(child: ChildProcess): SandboxProcess {
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("error", (error) => {
      resolve({ fault: null, code: null, signal: null, stderr: String(error) });
    });
  });
  return {
    pid: 0,
    alive: false,
    exited,
    send: (_head, _body, onRead) => onRead?.(),
    kill: () => Promise.resolve(),
  };
}

/** Starts a process of which nothing is believed but what its frames say within the limits. */
export function startProcess(options: ProcessOptions): SandboxProcess {
  const { walls, dataMb, groupNiceness, args, cwd, env } = options;
  const launch = launchCommand({ walls, dataMb, groupNiceness, args });
  const child = spawn(launch.program, launch.args, {
    cwd,
    env,
    // A group of its own, so that one signal ends it with whatever it may have started.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  if (child.pid === undefined) {
    // Its folder is gone, say, or there are too many processes.
    launch.leave();
    return neverStarted(child);
  }
  return supervise(child, options, launch);
}

function supervise(
  child: ChildProcess,
  options: ProcessOptions,
  launch: ReturnType<typeof launchCommand>,
): SandboxProcess {
  const { walls } = options;
  const channel = child.stdio[3] as Duplex;
  let fault: string | null = null;

  function blame(text: string): void {
    fault ??= text;
    kill(child);
  }

  const reading = watchReading(
    channel,
    STALL_MS,
    () => blame("The process does not read its input"),
  );
  const stderr = keepStderr(child, () => blame("The process writes too much to stderr"));
  const read = createFrameReader(options.limits, (frame) => {
    // What it says after it lied counts for nothing, also when it comes before its end.
    if (fault === null) options.onFrame(frame);
  });
  channel.on("data", (chunk: Uint8Array) => {
    if (fault !== null) return;
    try {
      read(chunk);
    } catch (error) {
      blame(error instanceof Error ? error.message.slice(0, 500) : String(error));
    }
  });
  // Writing to a process that has just died; `exited` tells.
  channel.on("error", () => {});

  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("error", (error) => {
      resolve({ fault, code: null, signal: null, stderr: String(error) });
    });
    child.once("close", (code, signal) => resolve({ fault, code, signal, stderr: stderr() }));
  });
  const gone = exited.then(async () => {
    reading.stop();
    channel.destroy();
    if (walls.groups !== null && child.pid !== undefined) {
      await removeControlGroup(walls.groups, child.pid);
    }
    launch.leave();
  });

  return {
    pid: child.pid ?? 0,
    get alive() {
      return isAlive(child);
    },
    exited,
    send(head, body = [], onRead = () => {}) {
      if (!isAlive(child) || channel.destroyed || fault !== null) return onRead();
      const pieces = encodeFrame(head, ...body);
      const last = pieces.pop()!;
      for (const piece of pieces) channel.write(piece);
      channel.write(last, () => {
        reading.taken();
        onRead();
      });
      reading.wrote();
      if (channel.writableLength > options.unreadBytes) {
        blame("The process does not read its input");
      }
    },
    async kill() {
      kill(child);
      await gone;
    },
  };
}
