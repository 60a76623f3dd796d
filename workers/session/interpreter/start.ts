/**
 * What an interpreter goes on with from the snapshot that all begin with.
 *
 * @module
 */
import type { ImageParts } from "../boot_parts.ts";
import type { Snapshot, SnapshotFile } from "./snapshot.ts";
import type { Suspended } from "./parking/suspended.ts";

/** What of the file system is not as it was given. */
export interface FileChanges {
  /** Time of change of the files that were given. */
  stamp: number;
  /** The current folder. */
  cwd: string;
  folders: { path: string; mode: number }[];
  links: { path: string; target: string }[];
  /** Their contents come one after the other. */
  files: { path: string; bytes: number; mode: number; mtime: number }[];
  /** What was given and is gone; folders after what was in them. */
  removed: string[];
}

/** A parked session as the worker gets it that it wakes in. */
export interface Parked {
  snapshot: Snapshot;
  libraries: { path: string; module: WebAssembly.Module }[];
  suspended: Suspended;
  changes: FileChanges;
  contents: Uint8Array;
}

/** What an interpreter goes on with from the snapshot. */
export interface Start {
  image: ImageParts | null;
  parked: Parked | null;
}

/** A snapshot that an interpreter began with. */
export interface Begun {
  id: string;
  /** Open as long as the interpreter is, as no other can be opened once its code runs. */
  file: KeptFile;
}

/** A file that can be read from its beginning again. */
export interface KeptFile extends Pick<SnapshotFile, "readSync"> {
  seekSync(offset: number, whence: number): number;
}

/** The snapshots and values of an interpreter as no Python has changed them. */
export interface Began {
  /** The snapshots whose pages it has, each over those before it. */
  layers: Begun[];
  /** Paths of the compiled modules in them. */
  libraries: ReadonlySet<string>;
  /** Places in their table of functions that were free for callbacks. */
  freeCallbacks: readonly number[];
  /** Their table of JavaScript values. */
  values: unknown;
  /** Pyodide's configuration, which `asyncio.run` looks at and holds. */
  config: unknown;
}
