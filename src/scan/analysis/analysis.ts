/**
 * Runs the analysers over a repository's files in a process that can be killed. A file that
 * crashes or hangs the process is found, named and left out, and the rest is analysed in a fresh
 * process: what could not be analysed is never taken for clean.
 *
 * @module
 */
import { availableParallelism } from "node:os";
import type { Logger } from "../../log.ts";
import type { AnalyserName, NotAnalysable } from "../../../workers/analysis/messages.ts";
import type { Language } from "../schema.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { ENGINES } from "./engines.ts";
import { NO_WALLS } from "../../sandbox/walls.ts";
import { createPool } from "./pool.ts";
import { type HostProcess, type HostSettings, startHost } from "./process.ts";
import { createScanProcess, type ScanProcess } from "./scan_process.ts";
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

/** The analysers of one scan: all of them run in one process, which meets no other repository. */
export interface ScanAnalysis {
  /**
   * Runs one analyser, after those before it. The deadline counts working time, not the wait for a free process. Rejects
   * with the signal's reason when that aborts.
   */
  run(
    request: AnalysisRequest,
    options: { deadlineMs: number; signal?: AbortSignal },
  ): Promise<AnalysisOutcome>;
  /** The scan is over: ends its process. */
  close(): Promise<void>;
}

/** The analysers as the stages use them. */
export interface Analysis extends ScanAnalysis {
  /** A scan begins. A `run` outside of one is a scan of its own, in a process of its own. */
  begin(): ScanAnalysis;
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
  /** Files that may break a process in one run before the run is given up. */
  maxBroken?: number;
  /**
   * Milliseconds after the start until a process is prepared for the first scan; from then on one is
   * prepared whenever a scan has ended. Else never.
   */
  warmAfterMs?: number;
}

/** Milliseconds that each analyser may take while a process is prepared. */
const WARMING_MS = 60_000;

/** Above so many resident bytes a process gives back what it does not use. */
const TRIMMED_BYTES = 192 * 2 ** 20;

/** Between them, servers in these languages load all that any server does but small grammars. */
const PRIMED: readonly Language[] = ["python", "typescript"];

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
  const { threads: most = Math.min(2, availableParallelism()) } = options;
  const pool = createPool(processes, options.start ?? (() => startHost(options)));
  let runs = 0;
  let closed = false;
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
  let primed = options.denoDir === undefined || options.walls.uid === null;
  /** Fills Deno's caches: processes that run as another user only read them. */
  async function prime(): Promise<void> {
    if (primed) return;
    primed = true;
    // Without walls, which is nothing to fear: it reads Berth's own samples and no more.
    const host = startHost({ ...options, walls: NO_WALLS });
    const watch = { deadlineMs: WARMING_MS, fileMs: WARMING_MS, memoryBytes };
    try {
      for (const lang of PRIMED) await warmUp(host, lang, BRIEF, watch);
    } finally {
      await host.kill();
    }
  }
  async function warm(): Promise<void> {
    await prime();
    // Most servers are in Python.
    await prepare("python", THOROUGH);
  }
  function warmSoon(afterMs: number): void {
    if (options.warmAfterMs === undefined || closed) return;
    clearTimeout(soon);
    soon = setTimeout(warm, afterMs);
  }
  warmSoon(options.warmAfterMs ?? 0);

  /** Has a large process give memory back. */
  async function trim(host: HostProcess): Promise<void> {
    const bytes = await host.memory();
    if (bytes !== null && bytes > TRIMMED_BYTES) host.trim();
  }

  function once(
    scan: ScanProcess,
    request: AnalysisRequest,
    files: [string, Uint8Array][],
    { threads, deadlineMs, signal }: {
      threads: number;
      deadlineMs: number;
      signal: AbortSignal | undefined;
    },
  ): Promise<{ outcome: Attempt; tookMs: number; sound: boolean }> {
    return scan.use(async (host) => {
      const started = performance.now();
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
      return { outcome, tookMs: performance.now() - started, sound: outcome.kind === "done" };
    }, signal);
  }

  async function run(
    scan: ScanProcess,
    request: AnalysisRequest,
    { deadlineMs, signal }: { deadlineMs: number; signal?: AbortSignal },
  ): Promise<AnalysisOutcome> {
    let left = deadlineMs;
    let threads = most;
    const broken: NotAnalysable[] = [];
    for (;;) {
      const without = new Set(broken.map(({ file }) => file));
      const files = [...request.files].filter(([path]) => !without.has(path));
      const { outcome, tookMs } = await once(scan, request, files, {
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
  }

  function begin(): ScanAnalysis {
    const scan = createScanProcess(pool);
    return {
      run: (request, given) => run(scan, request, given),
      async close() {
        await scan.close();
        warmSoon(0);
      },
    };
  }

  return {
    engines: ENGINES,
    begin,
    async run(request, given) {
      const scan = begin();
      try {
        return await scan.run(request, given);
      } finally {
        await scan.close();
      }
    },
    warm,
    expect: (lang) => prepare(lang, BRIEF),
    async close() {
      closed = true;
      clearTimeout(soon);
      await pool.close();
    },
  };
}
