/**
 * Which tools a session of this node serves.
 *
 * @module
 */
import type { RunnableServer } from "../types.ts";
import type { Entry } from "./entry.ts";
import { createToolGate, type ToolGate } from "./scanned_tools.ts";
import type { SessionsDeps } from "./types.ts";

/** The gate of a session, which logs what it refuses. */
export function gateOf(
  { log, toolsPolicy: policy, onToolRefused }: Pick<
    SessionsDeps,
    "log" | "toolsPolicy" | "onToolRefused"
  >,
  { row, mask }: Pick<Entry, "row" | "mask">,
  { scannedTools: scanned }: RunnableServer,
): ToolGate {
  return createToolGate({
    policy,
    scanned,
    onRefused(name) {
      // The name is the code's choice, and may say what it was given.
      const tool = mask(name);
      log.warn("session.tool_refused", { server: row.server, session: row.instance, tool });
      onToolRefused?.({ server: row.server, tool });
    },
  });
}
