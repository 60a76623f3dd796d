/**
 * Whether the interpreter was refused more memory while a call ran. What fails for want of memory may
 * say anything, or nothing: code that handles a MemoryError raises another error, and an interpreter
 * in the middle of something may just stop.
 *
 * @module
 */

/** The tries, each for less than the one before, after which Emscripten gives up. */
const TRIES = 3;

/** What was refused since the last call began. */
export interface MemoryWatch {
  begin(): void;
  wasRefused(): boolean;
}

/** Watches the memories of this worker. To be called before the interpreter boots. */
export function watchMemory(): MemoryWatch {
  const { grow } = WebAssembly.Memory.prototype;
  let tries = 0;
  let refused = false;
  WebAssembly.Memory.prototype.grow = function (pages) {
    try {
      const before = grow.call(this, pages);
      tries = 0;
      return before;
    } catch (error) {
      tries++;
      if (tries % TRIES === 0) refused = true;
      throw error;
    }
  };
  return {
    begin: () => void (refused = false),
    wasRefused: () => refused,
  };
}
