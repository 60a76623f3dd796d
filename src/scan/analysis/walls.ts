/**
 * The walls around analysis processes. Apart from what starts one: `berth scan` tries out what walls
 * there are while it loads the rest.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { MAX_THREADS } from "../../../workers/analysis/host_bounds.ts";
import { denoProgram } from "../../sandbox/launcher.ts";
import { raiseWalls, strongestWalls, type Walls, type WallsOptions } from "../../sandbox/walls.ts";

/** The project's folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** The program of an analysis process. */
export const HOST = `${ROOT}workers/analysis/host.ts`;
/** Megabytes of data that a process may map: Deno's, each thread's, and what engines hold. */
export const DATA_MB = 900 + (MAX_THREADS + 1) * 640 + 2048;
/** Most megabytes of a process in its control group: above what the watch ends it for. */
const MEMORY_MB = 2048;
/** How far processes stand back for Berth itself: less than sessions, as scans have deadlines. */
const NICENESS = 2;

interface AnalysisWallsOptions {
  /** Folder of Deno's caches. */
  denoDir: string;
  niceness?: number;
}

function optionsOf({ denoDir, niceness = NICENESS }: AnalysisWallsOptions): WallsOptions {
  return {
    kind: "analysis",
    dataMb: DATA_MB,
    memoryMb: MEMORY_MB,
    niceness,
    mustRead: [HOST, `${ROOT}deno.json`, `${ROOT}node_modules`, denoDir, denoProgram()],
  };
}

/**
 * The walls around analysis processes. They read what strangers wrote with engines that strangers
 * wrote, so they get what session hosts get.
 */
export function raiseAnalysisWalls(options: AnalysisWallsOptions): Promise<Walls> {
  return raiseWalls(optionsOf(options));
}

/** The strongest of them, for a process that may end because this system does not have them all. */
export function strongestAnalysisWalls(options: AnalysisWallsOptions): Walls {
  return strongestWalls(optionsOf(options));
}
