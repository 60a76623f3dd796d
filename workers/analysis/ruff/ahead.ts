/**
 * Compiles ruff beside the thread in which analysers run: that is a third of a first scan. The engine
 * keeps one compiled form of a module for all threads of a process, so the other thread, which loads
 * analysers and parses meanwhile, finds what this one has compiled.
 *
 * @module
 */
import "../no_environment.ts";
import { ruffOn } from "./python_ruff.ts";
import { PYTHON_SAMPLE } from "./sample.ts";

/** Has ruff look at a sample, which no stranger wrote. */
export function compileRuff(): void {
  ruffOn(PYTHON_SAMPLE);
}
