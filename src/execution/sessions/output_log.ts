/**
 * What a server's code writes, on its way to the operator's log: bounded, so that a chatty server
 * cannot fill a disk.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { ServerLog } from "../interpreters/types.ts";
import { LOG_MAX_BYTES } from "../limits.ts";

/** Writes a session's output to the operator's log. */
export interface OutputLog {
  write(log: ServerLog): void;
  /** A call begins: it has the whole allowance again. */
  refill(): void;
}

const ERRORS = new Set(["error", "critical", "alert", "emergency"]);

/** An output log that writes through `log`; `mask` takes secrets out of each text. */
export function outputLog(log: Logger, mask: (text: string) => string): OutputLog {
  let left = LOG_MAX_BYTES;
  return {
    write({ level, logger, text }) {
      if (left <= 0) return;
      left -= text.length;
      if (left <= 0) {
        log.warn("server.output_cut", { limit: LOG_MAX_BYTES });
        return;
      }
      const fields = { level, logger: mask(logger), text: mask(text) };
      if (ERRORS.has(level)) log.warn("server.output", fields);
      else log.info("server.output", fields);
    },
    refill() {
      left = LOG_MAX_BYTES;
    },
  };
}
