/**
 * What is written down of requests that fail: refusals in the operator's log and the audit log,
 * the rest for debugging. Hostile code can fail as often as it likes, so the lines are bounded; the
 * audit log bounds its own.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import type { EgressFailure } from "./types.ts";

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
  /** Told of each request that would have taken a secret to a host that it is not for. */
  onElsewhere?: (attempt: { server: string; target: string; name: string }) => void;
}

/** Writes down failures. */
export interface EgressRecord {
  failed(server: string, target: string | null, failure: EgressFailure): void;
  /** An answer of `target` showed a secret, which was taken out: a hostile server may look for it. */
  reflected(server: string, target: string): void;
  /** A request to `target` had the placeholder of the secret `name`. */
  elsewhere(server: string, target: string, name: string): void;
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
    reflected(server, target) {
      if (mayWrite(server)) log.warn("egress.secret_reflected", { server, target });
    },
    elsewhere(server, target, name) {
      if (mayWrite(server)) log.warn("egress.secret_elsewhere", { server, target, name });
      deps.onElsewhere?.({ server, target, name });
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
