/**
 * The analysers of this machine, for as long as a command needs them.
 *
 * @module
 */
import { createLogger, type Logger } from "../../log.ts";
import { type Analysis, createAnalysis } from "../../scan/analysis/analysis.ts";
import {
  type HostProcess,
  type HostSettings,
  raiseAnalysisWalls,
  startHost,
} from "../../scan/analysis/process.ts";
import { NO_WALLS } from "../../sandbox/walls.ts";
import type { CliContext } from "../context.ts";

/** What processes are started with, once it is known what walls there are here. */
let settings: Promise<HostSettings> | null = null;
/** A process that was started before anybody knew what to analyse. */
let ahead: HostProcess | null = null;

/**
 * The walls of the user's machine: those that are unavailable are left out. Caches are the ones
 * that this process uses, so that nothing has to be compiled for the scan.
 */
function settingsOf(env: (name: string) => string | undefined): Promise<HostSettings> {
  async function raise(): Promise<HostSettings> {
    const home = env("XDG_CACHE_HOME") ?? `${env("HOME")}/.cache`;
    const denoDir = env("DENO_DIR") ?? `${home}/deno`;
    return { denoDir, walls: await raiseAnalysisWalls({ denoDir, niceness: 0 }) };
  }
  // Elsewhere there are none, and caches are in other places.
  return settings ??= Deno.build.os === "linux" ? raise() : Promise.resolve({ walls: NO_WALLS });
}

/**
 * Starts the process of the first analysis. One that is not used ends with this process: nobody
 * holds the other end of its channel then.
 */
export async function startAhead(env: (name: string) => string | undefined): Promise<void> {
  const given = await settingsOf(env);
  ahead ??= startHost(given);
}

/** Where the scan's own messages go: to standard error with `BERTH_DEBUG`, else nowhere. */
export function logOf(context: CliContext): Logger {
  const verbose = context.env("BERTH_DEBUG") !== undefined;
  return createLogger({
    level: verbose ? "debug" : "error",
    format: "text",
    write: (line) => verbose ? context.err(`${line}\n`) : undefined,
  });
}

/** Does what `use` does with analysers, and ends them. */
export async function withAnalysis<T>(
  context: CliContext,
  use: (analysis: Analysis) => Promise<T>,
): Promise<T> {
  const given = await settingsOf(context.env);
  const analysis = createAnalysis({
    ...given,
    log: logOf(context),
    processes: 1,
    start() {
      const host = ahead?.alive ? ahead : startHost(given);
      ahead = null;
      return host;
    },
  });
  try {
    return await use(analysis);
  } finally {
    await analysis.close();
  }
}
