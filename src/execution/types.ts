/**
 * What the execution side takes from the rest of Berth.
 *
 * @module
 */

import type { RunnableServer as Registered } from "../registry/servers/get.ts";

export type { ScannedTools } from "../registry/servers/get.ts";
export type { ExecutionPolicy } from "./admission/runnable.ts";

/** A registered server, as far as running it needs. */
export type RunnableServer = Omit<Registered, "owner"> & Partial<Pick<Registered, "owner">>;

/** What becomes of tools that the scan did not see (`TOOLS_POLICY`). */
export type ToolsPolicy = "scanned" | "marked";
