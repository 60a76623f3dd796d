/**
 * One analysis host process: started without permissions, told what to run, killed when it hangs.
 *
 * @module
 */
import {
  MAX_BODY_BYTES,
  MAX_HEAD_BYTES,
  REPLY_JSON,
} from "../../../workers/analysis/message_bounds.ts";
import type { RunRequest } from "../../../workers/analysis/messages.ts";
import { type ProcessExit, type SandboxProcess, startProcess } from "../../sandbox/process.ts";
import { readUsage, signalInside } from "../../sandbox/usage.ts";
import type { Walls } from "../../sandbox/walls.ts";
import { DATA_MB, HOST, ROOT } from "./walls.ts";

/** Sizes in MiB; WebAssembly memory comes on top. What the engine keeps of code depends on them. */
export const V8_FLAGS: readonly string[] = [
  "--max-old-space-size=768",
  // Each thread has such spaces: larger ones take more memory than they save time.
  "--max-semi-space-size=8",
  // At once, as growing up to it takes a tenth of a small scan.
  "--min-semi-space-size=8",
  // Compiling ruff's functions anew takes more time and memory than it saves, whatever the scan's size.
  "--liftoff-only",
  // What no scan calls need not be compiled.
  "--wasm-lazy-compilation",
  // Each task that compiles takes tens of megabytes, and a processor that the threads use better.
  "--wasm-num-compilation-tasks=1",
  // By default hundreds of functions are optimised in a scan that is over before they pay.
  "--invocation-count-for-maglev=1200",
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

export interface HostSettings {
  /** Folder of Deno's caches, when the system's default is not the right one. */
  denoDir?: string;
  /** The program to run, for tests; it may read the project's folder of workers only. */
  program?: string;
  /** What the system puts around it. */
  walls: Walls;
}

/** What a process tells its user. */
export interface HostListener {
  /** What it throws of a reply that is none, ends the process. */
  onReply(reply: unknown): void;
  /** Once, when the process is gone. `detail` is for the operator's log. */
  onEnd(detail: string): void;
}

export interface HostProcess extends Pick<SandboxProcess, "pid" | "alive" | "kill"> {
  /** `body`: contents of the request's files, in order. */
  send(request: RunRequest, body: readonly Uint8Array[]): void;
  /** Who hears of replies and of the end; null when nobody waits. */
  listen(listener: HostListener | null): void;
  /**
   * Has it give back to the system what it no longer uses, which it would keep for itself: compiling
   * the linter once takes 170 MB. Only after its first reply, and only on Linux. Resolves when it was
   * told.
   */
  trim(): Promise<void>;
  /** Resident memory in bytes, or null where the system does not say. */
  memory(): Promise<number | null>;
}

function argumentsOf(program: string): string[] {
  const readable = [
    `${ROOT}node_modules`,
    `${ROOT}workers`,
    ...(program === HOST ? [] : [program]),
  ];
  return [
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
}

/** How a process ended, for the operator's log. */
function describe({ code, signal, fault, stderr }: ProcessExit): string {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const parts = [how, fault === null ? "" : `violated the protocol: ${fault}`, stderr.trim()];
  return parts.filter((part) => part !== "").join("; ");
}

export function startHost({ program = HOST, denoDir, walls }: HostSettings): HostProcess {
  let listener: HostListener | null = null;
  const host = startProcess({
    args: argumentsOf(program),
    cwd: ROOT,
    env: { ...ALLOCATOR, ...TRIMMING, ...denoDir === undefined ? {} : { DENO_DIR: denoDir } },
    walls,
    dataMb: DATA_MB,
    limits: { head: MAX_HEAD_BYTES, body: 0, json: REPLY_JSON },
    unreadBytes: MAX_BODY_BYTES,
    onFrame: ({ head }) => listener?.onReply(head),
  });
  host.exited.then((exit) => {
    const last = listener;
    listener = null;
    last?.onEnd(describe(exit));
  });
  return {
    pid: host.pid,
    get alive() {
      return host.alive;
    },
    send: host.send,
    kill: host.kill,
    listen(next) {
      listener = next;
    },
    async trim() {
      if (Deno.build.os === "linux" && host.alive) await signalInside(host.pid, TRIM);
    },
    async memory() {
      const usage = await readUsage([host.pid]).catch(() => null);
      return usage?.get(host.pid)?.memory ?? null;
    },
  };
}
