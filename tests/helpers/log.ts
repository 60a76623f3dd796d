/**
 * Loggers for tests.
 *
 * @module
 */
import { createLogger, type Logger } from "../../src/log.ts";

/** A logger that keeps its lines, as JSON. */
export function recordingLogger(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  return { log: createLogger({ level: "debug", format: "json", write }), lines };
}

/** A logger that drops everything. */
export function silentLogger(): Logger {
  return createLogger({ level: "error", format: "json", write: () => {} });
}
