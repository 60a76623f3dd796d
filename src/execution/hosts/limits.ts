/**
 * How much a session host may use.
 *
 * @module
 */

/** Most megabytes of each V8 heap in a host: a session's JavaScript side is small. */
export const HEAP_MB = 192;

// What a process maps without using it, measured on Deno 2.9.6: 650 MB at first, then 620 MB for
// each worker.
const BASE_DATA_MB = 900;
const SESSION_DATA_MB = 640;
const SESSION_SPARE_MB = 128;

/**
 * The data limit of a host: enough for all its sessions to be at their ceilings. It stops what the
 * ceilings of linear memory and V8 heap do not cover, such as array buffers.
 */
export function dataLimitMb(sessions: number, memoryMb: number): number {
  return BASE_DATA_MB + sessions * (SESSION_DATA_MB + memoryMb + SESSION_SPARE_MB);
}

// Deno itself with the interpreter's files and the snapshot: measured 200 MB.
const BASE_RESIDENT_MB = 256;
// The worker's code, packages in memory, what a call's result takes on its way.
const SESSION_BESIDE_MB = 64;

/** Most megabytes that a host with this many sessions may have resident. */
export function residentLimitMb(sessions: number, memoryMb: number): number {
  return BASE_RESIDENT_MB + sessions * (memoryMb + HEAP_MB + SESSION_BESIDE_MB);
}
