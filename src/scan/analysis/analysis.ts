/**
 * The analysers of a node: they read a repository's files in processes that can be killed, one for
 * each scan.
 *
 * @module
 */
import type { Language } from "../schema.ts";
import { ENGINES } from "./engines.ts";
import { HostPool } from "./pool.ts";
import { createPreparation, type PreparationOptions } from "./preparation.ts";
import { type HostProcess, startHost } from "./process.ts";
import {
  type AnalysisOutcome,
  type AnalysisRequest,
  createRun,
  type RunDeadline,
  type RunOptions,
} from "./run.ts";
import { createScanProcess } from "./scan_process.ts";

/** The analysers of one scan: all of them run in one process, which meets no other repository. */
export interface ScanAnalysis {
  /**
   * Runs one analyser, after those before it. Rejects with the signal's reason when that aborts.
   */
  run(request: AnalysisRequest, deadline: RunDeadline): Promise<AnalysisOutcome>;
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
  /** Starts a process for a scan that begins soon, unless one is kept or at work. */
  start(): void;
  /** Names and versions of the engines, in stage order. */
  readonly engines: readonly string[];
}

/** Settings of the analysis; the defaults suit a small machine. */
export interface AnalysisOptions extends RunOptions, PreparationOptions {
  /** Starts a process, or gives one that was started before. */
  start?: () => HostProcess;
  /** Processes at once. */
  processes?: number;
}

export function createAnalysis(options: AnalysisOptions): Analysis {
  const pool = new HostPool(options.processes ?? 2, options.start ?? (() => startHost(options)));
  const preparation = createPreparation(options, pool);
  const run = createRun(options);

  function begun(isScan: boolean): ScanAnalysis {
    const scan = createScanProcess(pool, isScan);
    return {
      run: (request, deadline) => run(scan, request, deadline),
      async close() {
        await scan.close();
        preparation.scanEnded();
      },
    };
  }

  return {
    engines: ENGINES,
    begin: () => begun(true),
    async run(request, deadline) {
      const scan = begun(false);
      try {
        return await scan.run(request, deadline);
      } finally {
        await scan.close();
      }
    },
    warm: preparation.warm,
    expect: preparation.expect,
    start: preparation.start,
    async close() {
      preparation.close();
      await pool.close();
    },
  };
}
