/**
 * The analysers of this machine, for as long as a command needs them.
 *
 * @module
 */
import { createLogger, type Logger } from "../../log.ts";
import { patience } from "../../sandbox/patience.ts";
import { type Analysis, createAnalysis } from "../../scan/analysis/analysis.ts";
import type { CliContext } from "../context.ts";
import { takeProcess } from "./ahead.ts";
import { strongestPlace } from "./walls.ts";

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
  const analysis = createAnalysis({
    ...strongestPlace(context.env),
    log: logOf(context),
    patience,
    processes: 1,
    start: () => takeProcess(context.env),
  });
  try {
    return await use(analysis);
  } finally {
    await analysis.close();
  }
}
