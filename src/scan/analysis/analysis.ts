/**
 * Runs the analysers over a repository's files in a process that can be killed. A file that
 * crashes or hangs the process is found, named and left out, and the rest is analysed in a fresh
 * process: what could not be analysed is never taken for clean.
 *
 * @module
 */
import { availableParallelism } from "node:os";
import type { Logger } from "../../log.ts";
import type { AnalyserName, NotAnalysable } from "../../../workers/analysis_protocol.ts";
import type { Language } from "../schema.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { ENGINES } from "./engines.ts";
import { createPool } from "./pool.ts";
import { type HostProcess, type HostSettings, startHost } from "./process.ts";
import { BRIEF, type Effort, THOROUGH, warmUp } from "./warming.ts";

/** What to analyse, and how. */
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

/** The analysers as the stages use them. */
export interface Analysis {
  /**
   * Runs one analyser. The deadline counts working time, not the wait for a free process. Rejects
   * with the signal's reason when that aborts.
   */
  run(
    request: AnalysisRequest,
    options: { deadlineMs: number; signal?: AbortSignal },
  ): Promise<AnalysisOutcome>;
  /** Ends every process. */
  close(): Promise<void>;
  /** Prepares a process for the next scan, unless one is kept or at work. Never rejects. */
  warm(): Promise<void>;
  /**
   * The same, in brief, for a scan of a server in `lang` that begins as soon as its files are read.
   */
  expect(lang: Language): Promise<void>;
  /** Names and versions of the engines, in stage order. */
  readonly engines: readonly string[];
}

/** Settings of the analysis; the defaults suit a small machine. */
export interface AnalysisOptions extends HostSettings {
  log: Logger;
  /** Starts a process, or gives one that was started before. */
  start?: () => HostProcess;
  /** Processes at once. */
  processes?: number;
  /** Threads in which a process looks at the files of a large repository side by side. */
  threads?: number;
  /** Milliseconds that one file may take. */
  fileMs?: number;
  /** Resident bytes that a process may reach. */
  memoryBytes?: number;
  /** Resident bytes of a process that is kept: above them a fresh one is cheaper. */
  keptBytes?: number;
  /** Ends each process after one run, so that nothing of it meets the next. */
  single?: boolean;
  /** Files that may break a process in one run before the run is given up. */
  maxBroken?: number;
  /** Milliseconds after the start, or the loss of a process, until one is prepared; else never. */
  warmAfterMs?: number;
}

/** Milliseconds that each analyser may take while a process is prepared. */
const WARMING_MS = 60_000;

/** Above so many resident bytes a process gives back what it does not use. */
const TRIMMED_BYTES = 192 * 2 ** 20;

/** After these a process has hardly more than before: weighing it would take longer than they do. */
const LIGHT: ReadonlySet<AnalyserName> = new Set(["manifests", "advisories"]);

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

/** The analysis of one node. */
export function createAnalysis(options: AnalysisOptions): Analysis {
  const { log, processes = 2, fileMs = 15_000, memoryBytes = 1536 * 2 ** 20, maxBroken = 3 } =
    options;
  const { keptBytes = 1024 * 2 ** 20 } = options;
  const { threads: most = Math.min(2, availableParallelism()) } = options;
  const pool = createPool(processes, options.start ?? (() => startHost(options)));
  let runs = 0;
  let closed = false;
  let weighing = Promise.resolve();
  let soon: ReturnType<typeof setTimeout> | undefined;

  async function prepare(lang: Language, effort: Effort): Promise<void> {
    const watch = { deadlineMs: WARMING_MS, fileMs: WARMING_MS, memoryBytes };
    try {
      await pool.prepare(async (host) => {
        const ready = await warmUp(host, lang, effort, watch);
        if (ready) await trim(host);
        return ready;
      });
    } catch (error) {
      log.warn("no analysis process was prepared", { error });
    }
  }
  // Most servers are in Python, and a process keeps the engines of every language that it met.
  const warm = () => prepare("python", THOROUGH);
  function warmSoon(): void {
    if (options.warmAfterMs === undefined || closed) return;
    clearTimeout(soon);
    soon = setTimeout(warm, options.warmAfterMs);
  }
  warmSoon();

  async function once(
    request: AnalysisRequest,
    files: [string, Uint8Array][],
    { threads, deadlineMs, signal }: {
      threads: number;
      deadlineMs: number;
      signal: AbortSignal | undefined;
    },
  ): Promise<{ outcome: Attempt; tookMs: number }> {
    const host = await pool.take(signal);
    const started = performance.now();
    let sound = false;
    try {
      const outcome = await attempt(
        host,
        {
          type: "run",
          id: runs++,
          analyser: request.analyser,
          lang: request.lang,
          entrypoint: request.entrypoint,
          options: request.options ?? {},
          threads,
          files: files.map(([path, content]) => ({ path, size: content.length })),
        },
        files.map(([, content]) => content),
        { deadlineMs, fileMs, memoryBytes, signal },
      );
      sound = outcome.kind === "done";
      return { outcome, tookMs: performance.now() - started };
    } finally {
      await pool.give(host, sound && options.single !== true);
      // The next stage does not wait for it.
      if (!sound) warmSoon();
      else if (!LIGHT.has(request.analyser)) weighing = weighing.then(() => weigh(host));
    }
  }
  /** Has a large process give memory back; tells what it had. */
  async function trim(host: HostProcess): Promise<number | null> {
    const bytes = await host.memory();
    if (bytes !== null && bytes > TRIMMED_BYTES) host.trim();
    return bytes;
  }
  async function weigh(host: HostProcess): Promise<void> {
    const bytes = await trim(host);
    if (bytes !== null && bytes > keptBytes && await pool.drop(host)) warmSoon();
  }

  return {
    engines: ENGINES,
    async run(request, { deadlineMs, signal }) {
      let left = deadlineMs;
      let threads = most;
      const broken: NotAnalysable[] = [];
      for (;;) {
        const without = new Set(broken.map(({ file }) => file));
        const files = [...request.files].filter(([path]) => !without.has(path));
        const { outcome, tookMs } = await once(request, files, {
          threads,
          deadlineMs: left,
          signal,
        });
        left -= tookMs;
        if (outcome.kind === "done") {
          return { ...outcome, notAnalysable: [...broken, ...outcome.notAnalysable] };
        }
        if (outcome.kind === "aborted") throw signal?.reason;
        log.warn("analysis process lost", {
          analyser: request.analyser,
          why: outcome.why,
          file: outcome.file,
          reason: outcome.reason,
        });
        const { file, unclear, why } = outcome;
        // One after the other, it is clear which file breaks the process.
        threads = 1;
        if (why !== "deadline" && left > 0 && unclear) continue;
        if (why === "deadline" || file === null || left <= 0) return failure(outcome);
        broken.push({ file, reason: reasonOf(outcome) });
        if (broken.length > maxBroken) return failure(outcome);
      }
    },
    warm,
    expect: (lang) => prepare(lang, BRIEF),
    async close() {
      closed = true;
      clearTimeout(soon);
      await Promise.all([pool.close(), weighing]);
    },
  };
}
