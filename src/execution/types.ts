/**
 * What the execution side takes from the rest of Berth.
 *
 * @module
 */

import type { RunnableServer as Registered } from "../registry/get.ts";

/** A registered server, as far as running it needs. */
export type RunnableServer = Omit<Registered, "owner" | "revision">;

export type { ScannedTools } from "../registry/get.ts";

/** What becomes of tools that the scan did not see (`TOOLS_POLICY`). */
export type ToolsPolicy = "scanned" | "marked";

/** Which scan outcomes may run (`EXECUTION_POLICY`). */
export type ExecutionPolicy = "unless-failed" | "passed" | "any";
