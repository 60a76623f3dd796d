/**
 * Log entries and notifications on their way out of a session, cut where the limits are.
 *
 * @module
 */
import { MAX_EVENT_BYTES, MAX_LOG_BYTES, MAX_NOTIFICATIONS_PER_SECOND } from "../limits.ts";

/** The way out for what is not an answer. */
export interface Emitter {
  /** Takes an event of the Python runtime, JSON text. */
  emit: (event: string) => void;
  /** Takes a line that did not go through Python's `sys.stdout`. */
  output: (stream: "stdout" | "stderr", text: string) => void;
  /** A new call: its log budget is full again. */
  begin: () => void;
  /** The call is over: says what was left out of its output. */
  flush: () => void;
}

const SECOND_MS = 1000;

function log(level: string, logger: string, text: string): string {
  return JSON.stringify({ type: "log", level, logger, text });
}

/** An emitter that hands each event that is within the limits to `send`. */
export function createEmitter(send: (event: string) => void): Emitter {
  let logBytes = 0;
  let cut = false;
  let second = 0;
  let sent = 0;
  let dropped = 0;

  function allowLog(event: string): boolean {
    if (cut) return false;
    logBytes += event.length;
    if (logBytes <= MAX_LOG_BYTES) return true;
    cut = true;
    const limit = MAX_LOG_BYTES / 1024;
    send(log("warning", "berth", `Log output truncated: the limit is ${limit} KiB per call`));
    return false;
  }

  function reportDropped() {
    if (dropped === 0) return;
    const text = `${dropped} notifications were dropped: the limit is ` +
      `${MAX_NOTIFICATIONS_PER_SECOND} per second`;
    dropped = 0;
    send(log("warning", "berth", text));
  }

  function allowNotification(): boolean {
    const now = Math.floor(performance.now() / SECOND_MS);
    if (now !== second) {
      second = now;
      sent = 0;
      reportDropped();
    }
    if (++sent <= MAX_NOTIFICATIONS_PER_SECOND) return true;
    dropped++;
    return false;
  }

  function emit(event: string) {
    const isLog = event.startsWith('{"type":"log"') || event.startsWith('{"type": "log"');
    if (event.length > MAX_EVENT_BYTES) {
      if (isLog) allowLog(event);
      else dropped++;
      return;
    }
    if (isLog ? allowLog(event) : allowNotification()) send(event);
  }

  return {
    emit,
    output: (stream, text) => emit(log(stream === "stderr" ? "warning" : "info", stream, text)),
    begin() {
      logBytes = 0;
      cut = false;
    },
    flush: reportDropped,
  };
}
