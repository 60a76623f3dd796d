/**
 * Runs one analyser over a repository's files. A file that crashes or hangs the process is found,
 * named and left out, and the rest is analysed in a fresh process: what could not be analysed is
 * never taken for clean.
 *
 * @module
 */
import { availableParallelism } from "node:os";
import type { AnalyserName, NotAnalysable } from "../../../workers/analysis/messages.ts";
import type { Logger } from "../../log.ts";
import type { Language } from "../schema.ts";
import { type Attempt, attempt } from "./attempt.ts";
import type { ScanProcess } from "./scan_process.ts";

export interface AnalysisRequest {
  analyser: AnalyserName;
  lang: Language;
  entrypoint: string;
  /** Contents by POSIX path. */
  files: ReadonlyMap<string, Uint8Array>;
  options?: Record<string, unknown>;
}

/** The end of an analysis. `result` is hostile: the stage parses it. */
export type AnalysisOutcome =
  | { kind: "done"; result: unknown; notAnalysable: NotAnalysable[] }
  | { kind: "failed"; code: "timeout" | "crashed" | "limit"; message: string; file?: string };

/** Bounds of a run; the defaults suit a small machine. */
export interface RunOptions {
  log: Logger;
  /** Threads in which a process looks at the files of a large repository side by side. */
  threads?: number;
  /** Milliseconds that one file may take. */
  fileMs?: number;
  /** Resident bytes that a process may reach. */
  memoryBytes?: number;
  /** By what deadlines are multiplied now; by default they stay as they are. */
  patience?: () => number;
  /** Files that may break a process in one run before the run is given up. */
  maxBroken?: number;
}

/** How long a run may take, and what gives it up. */
export interface RunDeadline {
  /** Milliseconds of working time, not of the wait for a free process. */
  deadlineMs: number;
  signal?: AbortSignal;
}

/** Resident bytes that a process may reach unless it is said. */
export const MEMORY_BYTES = 1536 * 2 ** 20;

/** Runs a request in the process of a scan. Rejects with the signal's reason when that aborts. */
export type Run = (
  scan: ScanProcess,
  request: AnalysisRequest,
  deadline: RunDeadline,
) => Promise<AnalysisOutcome>;

type Broken = Attempt & { kind: "broken" };

function failure({ why, file, reason }: Broken): AnalysisOutcome {
  const where = file === null ? "" : ` in ${JSON.stringify(file)}`;
  const code = why === "deadline" || why === "file"
    ? "timeout"
    : why === "memory"
    ? "limit"
    : "crashed";
  const text = code === "crashed" ? "ended unexpectedly" : reason;
  return {
    kind: "failed",
    code,
    message: `The analysis ${text}${where}`,
    ...(file === null ? {} : { file }),
  };
}

/** Shown to the server's author; the engine's own words go to the log only. */
function reasonOf({ why, reason }: Broken): string {
  if (why === "crash") return "the analyser ended unexpectedly on this file";
  return why === "throw" ? "the analyser failed on this file" : `the analyser ${reason}`;
}

/** One attempt in the scan's process, and the milliseconds that it took. */
function once(
  scan: ScanProcess,
  request: AnalysisRequest,
  watch:
    & { id: number; threads: number; files: [string, Uint8Array][] }
    & Parameters<
      typeof attempt
    >[3],
): Promise<{ outcome: Attempt; tookMs: number; sound: boolean }> {
  const { id, threads, files } = watch;
  const { analyser, lang, entrypoint, options = {} } = request;
  return scan.use(async (host) => {
    const started = performance.now();
    const list = files.map(([path, content]) => ({ path, size: content.length }));
    const outcome = await attempt(
      host,
      {
        type: "run",
        id,
        analyser,
        lang,
        entrypoint,
        options,
        ahead: scan.isScan,
        threads,
        files: list,
      },
      files.map(([, content]) => content),
      watch,
    );
    return { outcome, tookMs: performance.now() - started, sound: outcome.kind === "done" };
  }, watch.signal);
}

/** A way to run analysers within these bounds. */
export function createRun(options: RunOptions): Run {
  const { log, fileMs = 15_000, memoryBytes = MEMORY_BYTES, maxBroken = 3 } = options;
  const { threads: most = Math.min(2, availableParallelism()), patience = () => 1 } = options;
  let runs = 0;

  return async (scan, request, { deadlineMs, signal }) => {
    const times = patience();
    let left = deadlineMs * times;
    let threads = most;
    const broken: NotAnalysable[] = [];
    for (;;) {
      const without = new Set(broken.map(({ file }) => file));
      const files = [...request.files].filter(([path]) => !without.has(path));
      const watch = { deadlineMs: left, fileMs: fileMs * times, memoryBytes, signal };
      const { outcome, tookMs } = await once(scan, request, {
        ...watch,
        id: runs++,
        threads,
        files,
      });
      left -= tookMs;
      if (outcome.kind === "done") {
        return { ...outcome, notAnalysable: [...broken, ...outcome.notAnalysable] };
      }
      if (outcome.kind === "aborted") throw signal?.reason;
      const { file, unclear, why, reason } = outcome;
      log.warn("analysis process lost", { analyser: request.analyser, why, file, reason });
      // One after the other, it is clear which file breaks the process.
      threads = 1;
      if (why !== "deadline" && left > 0 && unclear) continue;
      if (why === "deadline" || file === null || left <= 0) return failure(outcome);
      broken.push({ file, reason: reasonOf(outcome) });
      if (broken.length > maxBroken) return failure(outcome);
    }
  };
}
