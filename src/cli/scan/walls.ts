/**
 * What this machine's analysis processes are started with.
 *
 * @module
 */
import { NO_WALLS, type Walls } from "../../sandbox/walls.ts";
import { raiseAnalysisWalls, strongestAnalysisWalls } from "../../scan/analysis/walls.ts";

/** Walls, and the folder of Deno's caches where it is not the system's default. */
export interface AnalysisPlace {
  denoDir?: string;
  walls: Walls;
}

/** Reads a variable of the environment. */
export type Env = (name: string) => string | undefined;

/** The caches that this process uses, so that nothing has to be compiled for the scan. */
function settingsOf(env: Env): { denoDir: string; niceness: number } {
  const home = env("XDG_CACHE_HOME") ?? `${env("HOME")}/.cache`;
  return { denoDir: env("DENO_DIR") ?? `${home}/deno`, niceness: 0 };
}

// Elsewhere there are no walls, and caches are in other places.
const isLinux = Deno.build.os === "linux";

let place: Promise<AnalysisPlace> | null = null;

/** The walls of the user's machine: those that are unavailable are left out. Asked for once. */
export function analysisPlace(env: Env): Promise<AnalysisPlace> {
  async function raise(): Promise<AnalysisPlace> {
    const settings = settingsOf(env);
    return { denoDir: settings.denoDir, walls: await raiseAnalysisWalls(settings) };
  }
  return place ??= isLinux ? raise() : Promise.resolve({ walls: NO_WALLS });
}

/** All the walls that there can be, at once: a process that cannot have one of them ends. */
export function strongestPlace(env: Env): AnalysisPlace {
  if (!isLinux) return { walls: NO_WALLS };
  const settings = settingsOf(env);
  return { denoDir: settings.denoDir, walls: strongestAnalysisWalls(settings) };
}
