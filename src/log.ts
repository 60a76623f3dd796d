/**
 * Structured logs: one event a line, as text for a terminal or as JSON for a collector.
 *
 * @module
 */

/** How much is logged, from most to least. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** How a line is written. */
export type LogFormat = "text" | "json";
/** Facts of an event. Errors are written with their cause chain; secrets must not be passed. */
export type LogFields = Record<string, unknown>;

/** Writes events; `child` binds fields such as a request id. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A logger that adds `fields` to every event. */
  child(fields: LogFields): Logger;
}

/** Where lines go and when. */
export interface LoggerOptions {
  level: LogLevel;
  format: LogFormat;
  /** Receives one line without its line end. */
  write: (line: string) => void;
  now?: () => Date;
  /** Fields of every event, by when it happens: ids of the trace that it belongs to. */
  context?: () => LogFields;
}

/** Where lines go: put together while there are many. */
export interface LineWriter {
  write(line: string): void;
  /** Writes what waits; to be called before the process ends. */
  flush(): void;
}

/** How long lines may wait for others. */
const GATHER_MS = 20;

/**
 * A writer that hands text to `write`: a line by itself at once, those that follow it closely
 * together, since a write costs a request more than anything else about its line.
 */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let waiting = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = "";
    if (text !== "") write(text);
  }

  function gather() {
    timer = setTimeout(() => {
      const isBusy = waiting !== "";
      flush();
      if (isBusy) gather();
    }, GATHER_MS);
  }

  return {
    write(line) {
      waiting += `${line}\n`;
      if (timer !== undefined) return;
      flush();
      gather();
    },
    flush,
  };
}

// Control characters would let logged input forge lines or drive the operator's terminal.
// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function escapeControl(text: string): string {
  return text.replace(CONTROL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function withoutErrors(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** `value` as JSON; what JSON cannot hold is shown as a string instead of losing the line. */
function asJson(value: unknown): string {
  if (isPlain(value)) return JSON.stringify(value);
  try {
    return JSON.stringify(value, withoutErrors) ?? "null";
  } catch {
    return JSON.stringify(Deno.inspect(value, { depth: 3 }));
  }
}

function asText(value: unknown): string {
  return typeof value === "string" && /^[\w./:@+-]+$/.test(value) ? value : asJson(value);
}

/** A logger that writes events of at least `level`. */
export function createLogger(options: LoggerOptions, bound: LogFields = {}): Logger {
  const now = options.now ?? (() => new Date());
  const threshold = LOG_LEVELS.indexOf(options.level);
  function log(level: LogLevel, event: string, fields: LogFields = {}) {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const all = { ...options.context?.(), ...bound, ...fields };
    const time = now().toISOString();
    if (options.format === "json") {
      const line = { time, level, event, ...all };
      if (Object.values(line).every(isPlain)) {
        return options.write(escapeControl(JSON.stringify(line)));
      }
      const entries = Object.entries(line);
      const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${asJson(value)}`);
      options.write(escapeControl(`{${members.join(",")}}`));
      return;
    }
    const facts = Object.entries(all).map(([key, value]) => ` ${key}=${asText(value)}`).join("");
    options.write(escapeControl(`${time.slice(11, 19)} ${level.padEnd(5)} ${event}${facts}`));
  }
  return {
    debug: (event, fields) => log("debug", event, fields),
    info: (event, fields) => log("info", event, fields),
    warn: (event, fields) => log("warn", event, fields),
    error: (event, fields) => log("error", event, fields),
    child: (fields) => createLogger(options, { ...bound, ...fields }),
  };
}
