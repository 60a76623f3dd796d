/**
 * What a host gives its interpreters to boot from.
 *
 * @module
 */
import type { LateFile } from "./interpreter/late.ts";

/** Memory that a host shares with one of its interpreters. */
export interface Shared {
  /** Its interrupt flag and whom that is for. */
  interrupt: SharedArrayBuffer;
  /** The mail to the host and from it. */
  mail: { up: SharedArrayBuffer; down: SharedArrayBuffer };
}

/** What every interpreter of a host boots from. */
export interface BootParts extends Shared {
  module: WebAssembly.Module;
  /** The standard library, a zip; null when it is among the late files. */
  stdlib: Uint8Array<ArrayBuffer> | null;
  files: { path: string; bytes: Uint8Array<ArrayBuffer> }[];
  /** None where there is no snapshot. */
  late: LateFile[];
  /** Path of the stored snapshot. */
  snapshot: string | null;
  /** The list of what the module has beside its exports; null: it exports everything. */
  symbols: Omit<LateFile, "path"> | null;
  lockInfo: Record<string, string>;
}

/** What an interpreter goes on with from the snapshot, for a server that imports certain packages. */
export interface ImageParts {
  /** Path of the stored difference. */
  pages: string;
  /** The compiled modules in it, by their paths. */
  libraries: { path: string; module: WebAssembly.Module }[];
  /** Files that its packages read: to be written once it has started. */
  files: { path: string; bytes: Uint8Array }[];
}
