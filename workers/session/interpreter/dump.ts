/**
 * Takes the snapshot of an interpreter, in a form that other workers can restore.
 *
 * @module
 */
import type { Pyodide } from "./boot.ts";
import { type EmscriptenModule, recordLibraries } from "./libraries.ts";
import { packSnapshot, type Snapshot } from "./snapshot.ts";

/** Slots of the table of JavaScript values that are looked at beyond the last one in use. */
const LOOKED_BEYOND = 64;

/** Has reading a slot that was freed give null, so that those behind it are not left out. */
function withFreedSlots<T>(module: EmscriptenModule, body: () => T): T {
  const plain = module.__hiwire_get;
  function isUsed(index: number): boolean {
    try {
      plain(index);
      return true;
    } catch {
      return false;
    }
  }
  let used = 0;
  for (let index = 0; index < used + LOOKED_BEYOND; index++) if (isUsed(index)) used = index + 1;
  module.__hiwire_get = (index) => index < used && !isUsed(index) ? null : plain(index);
  try {
    return body();
  } finally {
    module.__hiwire_get = plain;
  }
}

/** A JavaScript value that Python holds cannot be in another worker. */
function refuseValue(value: unknown): never {
  throw new Error(`Python holds a JavaScript value, which no snapshot can have: ${value}`);
}

/**
 * The stored form of the snapshot, as the difference from `base` if that is given. `stack`: where the
 * stack stood before anything ran.
 *
 * @throws {Error} When something is suspended, or Python holds what cannot be in another worker.
 */
export function dumpSnapshot(pyodide: Pyodide, base: Snapshot | null, stack: number): Uint8Array {
  const { _module: module, _api: api } = pyodide;
  if (module.stackSave() !== stack) throw new Error("Code is suspended: there can be no snapshot");
  const head = {
    id: crypto.randomUUID(),
    base: base?.head.id ?? null,
    values: withFreedSlots(module, () => api.serializeHiwireState(refuseValue)),
    stack,
    functions: module.wasmTable.length,
    freeCallbacks: [...module.freeCallbacks ?? []],
    clock: performance.now(),
    libraries: recordLibraries(module),
  };
  return packSnapshot(head, module.HEAPU8, base);
}
