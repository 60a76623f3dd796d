/**
 * A parked session, taken from an interpreter and read in the worker in which it wakes: pages that
 * differ from what the interpreter began with, files, and where JavaScript has to go on.
 *
 * @module
 */
import type { Pyodide } from "../boot.ts";
import { changedRuns } from "./difference.ts";
import type { SessionFiles } from "./files.ts";
import { addedLibraries } from "../libraries.ts";
import { type Layer, openLayer, packRuns, PAGE, readSnapshot } from "../snapshot.ts";
import type { Began, Begun, FileChanges, Parked } from "../start.ts";
import { Stays } from "./stays.ts";
import { type Suspended, suspendedNow } from "./suspended.ts";
import type { Values } from "./values.ts";
import { packParked, type ParkedHead } from "../../parked_parts.ts";
import { MAX_PARKED_PLAIN_BYTES } from "../../limits.ts";

/** An interpreter, and what was noted of it, of which the state is taken. */
export interface Parkable {
  pyodide: Pyodide;
  began: Began;
  /** Functions in the table when it had begun. */
  functions: number;
  files: SessionFiles;
  values: Values;
  /** Packages whose files it was given. */
  packages: readonly string[];
}

/** Text and numbers before the pages. */
interface Head {
  suspended: Suspended;
  changes: FileChanges;
  /** Milliseconds since 1970, when it was parked. */
  at: number;
  snapshotBytes: number;
}

/** The package in whose folder a compiled module is: `/lib/packages/NAME/…`. */
const PACKAGE_PART = 3;
const FRONT = 8;

/** What of a module's path is its package. */
function packageOf(path: string): string {
  return path.split("/")[PACKAGE_PART] ?? "";
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Text before bytes, so that the bytes begin where numbers may. */
function withHead(head: unknown, parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const front = new Uint8Array(Math.ceil((FRONT + text.length) / FRONT) * FRONT);
  new DataView(front.buffer).setUint32(0, text.length, true);
  front.set(text, FRONT);
  return joined([front, ...parts]);
}

/** From the beginning of its file, whatever has been read of it. */
function layerOf({ id, file }: Begun): Layer {
  file.seekSync(0, 0);
  const layer = openLayer(file);
  if (layer.head.id !== id) throw new Error("What the session began with is not there any more");
  return layer;
}

/** The memory of `parkable` as the difference from the snapshots that it began with. */
function takeMemory({ pyodide, began, functions, values }: Parkable, suspended: Suspended) {
  const { _module: module } = pyodide;
  const libraries = addedLibraries(module, began.libraries, functions);
  if (libraries === null) throw new Stays("library");
  // A callback is a function of this worker.
  if (began.freeCallbacks.some((place) => !module.freeCallbacks?.includes(place))) {
    throw new Stays("library");
  }
  const head = {
    id: crypto.randomUUID(),
    base: began.layers.at(-1)!.id,
    values: values.table(suspended.here),
    stack: suspended.stack,
    functions: module.wasmTable.length,
    freeCallbacks: [...module.freeCallbacks ?? []],
    clock: performance.now(),
    libraries,
  };
  const runs = changedRuns(module.HEAPU8, began.layers.map(layerOf), libraries);
  const bytes = runs.reduce((sum, run) => sum + run.pages * PAGE, 0);
  if (bytes > MAX_PARKED_PLAIN_BYTES) throw new Stays("size");
  return { libraries, bytes: packRuns(head, module.HEAPU8, runs) };
}

/**
 * Takes an interpreter's state, as the difference from what it began with. It gives nobody else a turn: what is
 * taken is one moment, after which the interpreter must not go on.
 *
 * @throws {Stays} When the session cannot be parked, or has more than `maxBytes`.
 */
export function takeParked(
  parkable: Parkable,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const suspended = suspendedNow();
  const { changes, contents } = parkable.files.changes();
  const memory = takeMemory(parkable, suspended);
  const head: Head = { suspended, changes, at: Date.now(), snapshotBytes: memory.bytes.length };
  const outer: ParkedHead = {
    packages: [...parkable.packages],
    libraries: memory.libraries.map(({ path }) => ({ path, package: packageOf(path) })),
  };
  const parked = packParked(outer, withHead(head, [memory.bytes, ...contents]));
  if (parked.length > Math.min(maxBytes, MAX_PARKED_PLAIN_BYTES)) throw new Stays("size");
  return parked;
}

/** Reads what was parked; throws when it is nothing that {@link takeParked} made. */
export function readParked(
  plain: Uint8Array,
  libraries: Parked["libraries"],
): Parked {
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0, true);
  const head = JSON.parse(
    new TextDecoder().decode(plain.subarray(FRONT, FRONT + length)),
  ) as Head;
  const start = Math.ceil((FRONT + length) / FRONT) * FRONT;
  const snapshot = readSnapshot(
    plain.slice(start, start + head.snapshotBytes) as Uint8Array<ArrayBuffer>,
  );
  // Time has passed, and its timers may be due.
  snapshot.head.clock += Math.max(0, Date.now() - head.at);
  return {
    snapshot,
    libraries,
    suspended: head.suspended,
    changes: head.changes,
    contents: plain.slice(start + head.snapshotBytes),
  };
}
