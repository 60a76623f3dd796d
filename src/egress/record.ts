/**
 * What is written down of requests that fail: refusals in the operator's log and the audit log,
 * the rest for debugging. Hostile code can fail as often as it likes, so the lines are bounded; the
 * audit log bounds its own.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import type { EgressFailure, SecretAttempt } from "./types.ts";

/** A request that the policy or a limit refused. */
export interface RefusedRequest {
  server: string;
  /** Host and port, null where the request did not come so far. Text of the sandbox. */
  target: string | null;
  /** `refused` by the policy, `limit` of the session. */
  kind: "refused" | "limit";
  /** Why, as the code was told. */
  message: string;
}

export interface RecordDeps {
  log: Logger;
  /** Milliseconds. */
  now: () => number;
  onRefused?: (refused: RefusedRequest) => void;
  /** Told of each attempt to learn a secret. */
  onAttempt?: (attempt: SecretAttempt & { server: string; target: string }) => void;
}

/** Writes down failures. */
export interface EgressRecord {
  failed(server: string, target: string | null, failure: EgressFailure): void;
  /** A request to `target`, or its answer, looked like an attempt to learn a secret. */
  attempt(server: string, target: string, attempt: SecretAttempt): void;
}

/** Lines about one server in a minute. */
export const LINES_PER_MINUTE_MAX = 20;
const MINUTE_MS = 60_000;
const SERVERS_MAX = 1000;

interface Window {
  start: number;
  lines: number;
}

/** A record that writes to `deps.log` and tells `deps.onRefused`. */
export function createRecord(deps: RecordDeps): EgressRecord {
  const { log } = deps;
  const windows = new Map<string, Window>();

  /** Whether a line about `server` may be written now; the last one says that others are left out. */
  function mayWrite(server: string): boolean {
    const time = deps.now();
    let window = windows.get(server);
    if (window === undefined || time - window.start >= MINUTE_MS) {
      window = { start: time, lines: 0 };
      windows.delete(server);
      windows.set(server, window);
      if (windows.size > SERVERS_MAX) windows.delete(windows.keys().next().value!);
    }
    window.lines += 1;
    if (window.lines === LINES_PER_MINUTE_MAX + 1) {
      log.warn("egress.refusals_left_out", { server, limit: LINES_PER_MINUTE_MAX });
    }
    return window.lines <= LINES_PER_MINUTE_MAX;
  }

  return {
    attempt(server, target, { name, way }) {
      if (mayWrite(server)) log.warn(`egress.secret_${way}`, { server, target, name });
      deps.onAttempt?.({ server, target, name, way });
    },
    failed(server, target, { error, message }) {
      if (error !== "refused" && error !== "limit") {
        log.debug("egress.failed", { server, target, error, message });
        return;
      }
      if (mayWrite(server)) log.warn("egress.refused", { server, target, error, message });
      deps.onRefused?.({ server, target, kind: error, message });
    },
  };
}
