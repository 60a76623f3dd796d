/**
 * Wiring of what is kept of calls: sums for servers, and records for operators.
 *
 * @module
 */
import { type CallRecorder, startCallRecorder } from "../../audit/calls/recorder.ts";
import { now } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Sql } from "../../database/client.ts";
import type { ToolCall } from "../../execution/sessions/types.ts";
import type { Logger } from "../../log.ts";
import { startCallCounter } from "../../registry/usage/counter.ts";
import { nodeName } from "./node.ts";

/** What becomes of calls that have ended. */
export interface CallNotes {
  /** Null where no records are made. */
  records: CallRecorder["figures"] | null;
  note(call: ToolCall): void;
  close(): Promise<void>;
}

/** Starts to keep sums and records. @param options.config With the listeners' ports. */
export function startCallNotes(
  { config, sql, log }: { config: Config; sql: Sql; log: Logger },
): CallNotes {
  const sums = startCallCounter({ sql, log, now });
  const recorder = config.CALL_RECORD_DAYS === 0
    ? null
    : startCallRecorder({ sql, log, node: nodeName(config) });
  return {
    records: recorder?.figures ?? null,
    note(call) {
      sums.note(call.server, call.result !== "ok");
      recorder?.note(call);
    },
    async close() {
      await Promise.all([sums.close(), recorder?.close()]);
    },
  };
}
