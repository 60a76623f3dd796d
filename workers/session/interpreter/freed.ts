/**
 * Memory of an interpreter that nothing uses: what was freed, and the stack below where it is. What is
 * in it would be part of a snapshot, or of a parked session.
 *
 * @module
 */
import type { Pyodide } from "./boot.ts";

/** Blocks of memory that are cleared when they are free. */
const LARGEST_FREED = 2 ** 20;
const SMALLEST_FREED = 2 ** 8;

/** What of the interpreter's C side is used here. */
interface Allocator {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  /** The end of what the allocator has. */
  _sbrk(bytes: number): number;
  /** Where the stack may end: it grows downwards. */
  _emscripten_stack_get_end(): number;
}

/** Overwrites with zeros what was freed, and what calls left on the stack below `stack`. */
export function clearFreed(pyodide: Pyodide, stack: number): void {
  const c = pyodide._module as unknown as Allocator;
  const taken: number[] = [];
  for (let size = LARGEST_FREED; size >= SMALLEST_FREED; size /= 2) {
    const end = c._sbrk(0);
    while (c._sbrk(0) === end) {
      const address = c._malloc(size);
      // There is no more memory.
      if (address === 0) break;
      c.HEAPU8.fill(0, address, address + size);
      taken.push(address);
    }
  }
  for (const address of taken) c._free(address);
  c.HEAPU8.fill(0, c._emscripten_stack_get_end(), stack);
}
