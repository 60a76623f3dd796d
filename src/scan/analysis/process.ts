/**
 * One analysis host process: started without permissions, told what to run, killed when it hangs.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import process from "node:process";
import {
  createFrameReader,
  encodeFrame,
  MAX_HEADER_BYTES,
  REPLY_JSON,
} from "../../../workers/analysis_frames.ts";
import { HostReply } from "../../../workers/analysis_protocol.ts";
import { removeControlGroup } from "../../sandbox/control_group.ts";
import { denoProgram, type Launch, launchCommand } from "../../sandbox/launcher.ts";
import { readUsage, signalInside } from "../../sandbox/usage.ts";
import { NO_WALLS, raiseWalls, type Walls } from "../../sandbox/walls.ts";
import { MAX_THREADS } from "../../../workers/analysis_protocol.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const HOST = `${root}workers/analysis_host.ts`;
const STDERR_KEPT = 4096;
// Engines write little; what they write is read by this process all the same.
const STDERR_TOLERATED = 4 << 20;
/** Sizes in MiB; WebAssembly memory comes on top. */
const V8_FLAGS: readonly string[] = [
  "--max-old-space-size=768",
  // Each thread has such spaces: larger ones take more memory than they save time.
  "--max-semi-space-size=8",
  // At once, as growing up to it takes a tenth of a small scan.
  "--min-semi-space-size=8",
  // Compiling ruff's functions anew takes more time and memory than it saves, but for the busiest.
  "--wasm-tiering-budget=2000000000",
  // Each such task takes tens of megabytes, and a processor that the threads use better.
  "--wasm-num-compilation-tasks=1",
];

/**
 * For glibc: with an arena for each thread a third of the memory is what others have left behind,
 * with a single one threads wait for each other.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: "4",
  MALLOC_MMAP_THRESHOLD_: "200000",
  MALLOC_TRIM_THRESHOLD_: "1000000",
};

/** What Deno needs to see so that it gives memory back when it is sent {@link TRIM}. */
const TRIMMING = { DENO_USR2_MEMORY_TRIM: "1" };
const TRIM = "USR2";

/** Megabytes of data that a process may map: Deno's, each thread's, and what engines hold. */
const DATA_MB = 900 + (MAX_THREADS + 1) * 640 + 2048;
/** Most megabytes of a process in its control group: above what the watch ends it for. */
const MEMORY_MB = 2048;
/** How far processes stand back for Berth itself: less than sessions, as scans have deadlines. */
const NICENESS = 2;

/** How a host process is started. */
export interface HostSettings {
  /** Folder of Deno's caches, when the system's default is not the right one. */
  denoDir?: string;
  /** The program to run, for tests; it may read the project's folder of workers only. */
  program?: string;
  /** What the system puts around it; default: nothing. */
  walls?: Walls;
}

/**
 * The walls around analysis processes, whose caches are in `denoDir`. They read what strangers wrote
 * with engines that strangers wrote, so they get what session hosts get.
 */
export function raiseAnalysisWalls(
  { denoDir, niceness = NICENESS }: { denoDir: string; niceness?: number },
): Promise<Walls> {
  return raiseWalls({
    kind: "analysis",
    dataMb: DATA_MB,
    memoryMb: MEMORY_MB,
    niceness,
    mustRead: [HOST, `${root}deno.json`, `${root}node_modules`, denoDir, denoProgram()],
  });
}

/** What a process tells its user. */
export interface HostListener {
  onReply(reply: HostReply): void;
  /** Once, when the process is gone. `detail` is for the operator's log. */
  onEnd(detail: string): void;
}

/** A running host. */
export interface HostProcess {
  readonly pid: number;
  readonly alive: boolean;
  send(header: unknown, body: readonly Uint8Array[]): void;
  /** Who hears of replies and of the end; null when nobody waits. */
  listen(listener: HostListener | null): void;
  /** Ends it and what it started at once; resolves when the process is gone. */
  kill(): Promise<void>;
  /**
   * Has it give back to the system what it no longer uses, which it would keep for itself: compiling
   * the linter once takes 170 MB. Only after its first reply, and only on Linux.
   */
  trim(): void;
  /** Resident memory in bytes, or null where the system does not say. */
  memory(): Promise<number | null>;
}

function start(settings: HostSettings): { child: ChildProcess; launch: Launch } {
  const program = settings.program ?? HOST;
  const readable = [
    `${root}node_modules`,
    `${root}workers`,
    ...(settings.program ? [program] : []),
  ];
  const args = [
    "run",
    "--no-prompt",
    "--no-remote",
    "--cached-only",
    // Looking whether the packages are those of the lock file takes 0.1 s: the service did that.
    "--node-modules-dir=manual",
    `--v8-flags=${V8_FLAGS.join(",")}`,
    `--allow-read=${readable.join(",")}`,
    program,
  ];
  const launch = launchCommand({ walls: settings.walls ?? NO_WALLS, dataMb: DATA_MB, args });
  const child = spawn(launch.program, launch.args, {
    cwd: root,
    env: {
      ...ALLOCATOR,
      ...TRIMMING,
      ...settings.denoDir === undefined ? {} : { DENO_DIR: settings.denoDir },
    },
    // A group of its own, so that one signal ends it with whatever it may have started.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  return { child, launch };
}

/** Starts a host process. */
export function startHost(settings: HostSettings): HostProcess {
  const { child, launch } = start(settings);
  const channel = child.stdio[3] as Duplex;
  const pid = child.pid ?? 0;
  let listener: HostListener | null = null;
  let alive = true;
  let stderr = "";
  let fault = "";
  const gone = Promise.withResolvers<void>();

  function signal(to: number, name: NodeJS.Signals): void {
    if (!alive || pid === 0) return;
    try {
      process.kill(to, name);
    } catch {
      // It ended by itself in the meantime; the exit event follows.
    }
  }
  function ended(detail: string): void {
    if (!alive) return;
    alive = false;
    channel.destroy();
    const last = listener;
    listener = null;
    last?.onEnd([detail, fault, stderr.trim()].filter((part) => part !== "").join("; "));
    gone.resolve();
  }

  const read = createFrameReader({ header: MAX_HEADER_BYTES, body: 0, json: REPLY_JSON });
  channel.on("data", (chunk: Uint8Array) => {
    // What a process says after it lied counts for nothing, also when it comes before its end.
    if (fault !== "") return;
    try {
      for (const { header } of read(chunk)) listener?.onReply(HostReply.parse(header));
    } catch (error) {
      fault = `broke the protocol: ${error instanceof Error ? error.message : error}`;
      signal(-pid, "SIGKILL");
    }
  });
  channel.on("error", (error: Error) => {
    fault ||= error.message;
  });
  let stderrBytes = 0;
  (child.stderr as Readable).on("data", (chunk: Uint8Array) => {
    stderrBytes += chunk.length;
    if (stderrBytes > STDERR_TOLERATED && fault === "") {
      fault = "wrote too much to stderr";
      signal(-pid, "SIGKILL");
    }
    stderr = (stderr + Buffer.from(chunk).toString("utf8")).slice(0, STDERR_KEPT);
  });
  child.on("exit", (code, by) => ended(by === null ? `exit code ${code}` : `signal ${by}`));
  // Only now is nothing left of it, whatever it had started.
  child.on("close", async () => {
    const groups = settings.walls?.groups ?? null;
    if (groups !== null && pid !== 0) await removeControlGroup(groups, pid);
    launch.leave();
  });
  child.on("error", (error) => ended(`could not start: ${error.message}`));

  return {
    pid,
    get alive() {
      return alive;
    },
    send(header, body) {
      for (const part of encodeFrame(header, body)) channel.write(part);
    },
    listen(next) {
      listener = next;
    },
    async kill() {
      signal(-pid, "SIGKILL");
      if (alive) await gone.promise;
    },
    trim() {
      if (Deno.build.os === "linux" && alive) void signalInside(pid, TRIM);
    },
    async memory() {
      const usage = await readUsage([pid]).catch(() => null);
      return usage?.get(pid)?.memory ?? null;
    },
  };
}
