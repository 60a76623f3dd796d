/**
 * What this machine's analysis processes are started with.
 *
 * @module
 */
import { raiseAnalysisWalls } from "../../scan/analysis/walls.ts";
import { NO_WALLS, type Walls } from "../../sandbox/walls.ts";

/** Walls, and the folder of Deno's caches where it is not the system's default. */
export interface AnalysisPlace {
  denoDir?: string;
  walls: Walls;
}

let place: Promise<AnalysisPlace> | null = null;

/**
 * The walls of the user's machine: those that are unavailable are left out. Caches are the ones
 * that this process uses, so that nothing has to be compiled for the scan. Asked for once.
 */
export function analysisPlace(env: (name: string) => string | undefined): Promise<AnalysisPlace> {
  async function raise(): Promise<AnalysisPlace> {
    const home = env("XDG_CACHE_HOME") ?? `${env("HOME")}/.cache`;
    const denoDir = env("DENO_DIR") ?? `${home}/deno`;
    return { denoDir, walls: await raiseAnalysisWalls({ denoDir, niceness: 0 }) };
  }
  // Elsewhere there are none, and caches are in other places.
  return place ??= Deno.build.os === "linux" ? raise() : Promise.resolve({ walls: NO_WALLS });
}
