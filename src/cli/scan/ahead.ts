/**
 * The process of a command's first analysis, started before anything else is loaded: it takes as long
 * to start as the command line does.
 *
 * @module
 */
import type { HostProcess } from "../../scan/analysis/process.ts";
import { startUntried } from "../../scan/analysis/untried.ts";
import { analysisPlace, type Env, strongestPlace } from "./walls.ts";

let ahead: HostProcess | null = null;

function start(env: Env): HostProcess {
  return startUntried(strongestPlace(env), () => analysisPlace(env));
}

/**
 * Starts it before anybody knows what to analyse. One that is not used ends with this process: nobody
 * holds the other end of its channel then.
 */
export function startAhead(env: Env): void {
  ahead ??= start(env);
}

/** The process that was started ahead, or another. */
export function takeProcess(env: Env): HostProcess {
  const host = ahead?.alive ? ahead : start(env);
  ahead = null;
  return host;
}
