/**
 * What the execution side takes from the rest of Berth.
 *
 * @module
 */

import type { RunnableServer as Registered } from "../registry/get.ts";

export type { ExecutionPolicy } from "./runnable.ts";

/** A registered server, as far as running it needs. */
export type RunnableServer = Omit<Registered, "owner" | "revision">;
