/**
 * The analysers of this machine, for as long as a command needs them.
 *
 * @module
 */
import { createLogger, type Logger } from "../../log.ts";
import { patience } from "../../sandbox/patience.ts";
import { type Analysis, createAnalysis } from "../../scan/analysis/analysis.ts";
import { type HostProcess, startHost } from "../../scan/analysis/process.ts";
import type { CliContext } from "../context.ts";
import { analysisPlace } from "./walls.ts";

/** A process that was started before anybody knew what to analyse. */
let ahead: HostProcess | null = null;

/**
 * Starts the process of the first analysis. One that is not used ends with this process: nobody
 * holds the other end of its channel then.
 */
export async function startAhead(env: (name: string) => string | undefined): Promise<void> {
  const given = await analysisPlace(env);
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
  const given = await analysisPlace(context.env);
  const analysis = createAnalysis({
    ...given,
    log: logOf(context),
    patience,
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
