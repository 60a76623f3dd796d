/**
 * What a parked session consists of, and how that is put together for its way to the main process and
 * back. Only hosts and workers look inside; the main process keeps the bytes as they are.
 *
 * @module
 */

/** Rises with every change of what a parked session consists of, or of how it is gone on with. */
export const PARKED_FORMAT = 2;

/** Why a session stays where it is. */
export const STAY_REASONS = [
  /** A call is in flight. */
  "call",
  /** Code waits on a stack of its own: in `time.sleep`, for an answer. */
  "suspended",
  /** A file, a pipe or a socket is open. */
  "file",
  /** Python holds a JavaScript value. */
  "javascript",
  /** An HTTP request, a question to the client or a package is under way. */
  "request",
  /** A timer is due soon. */
  "timer",
  /** A compiled module or function that cannot be loaded elsewhere. */
  "library",
  /** Code of the server hears of all that Python does, also of Pyodide's start. */
  "hook",
  /** There is more of it than is kept. */
  "size",
  /** Something else failed. */
  "error",
] as const;
export type StayReason = (typeof STAY_REASONS)[number];

/** What a host must know of a parked session before it wakes. */
export interface ParkedHead {
  /** Packages whose files it had. */
  packages: string[];
  /** Compiled modules that it had loaded: path, and the package that has it. */
  libraries: { path: string; package: string }[];
}

const FRONT = 4;

/** Head and contents as one. */
export function packParked(head: ParkedHead, contents: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const packed = new Uint8Array(FRONT + text.length + contents.length);
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, FRONT);
  packed.set(contents, FRONT + text.length);
  return packed;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Takes apart what {@link packParked} made; throws when it was something else. */
export function unpackParked(
  packed: Uint8Array<ArrayBuffer>,
): { head: ParkedHead; contents: Uint8Array<ArrayBuffer> } {
  if (packed.length < FRONT) throw new Error("What was parked is cut short");
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  if (length > packed.length - FRONT) throw new Error("What was parked is cut short");
  const text = new TextDecoder().decode(packed.subarray(FRONT, FRONT + length));
  const head = JSON.parse(text) as Partial<ParkedHead> | null;
  const { packages, libraries } = head ?? {};
  if (
    !Array.isArray(packages) || !packages.every(isText) || !Array.isArray(libraries) ||
    !libraries.every((each) => isText(each?.path) && isText(each?.package))
  ) throw new Error("What was parked has no head");
  return { head: { packages, libraries }, contents: packed.slice(FRONT + length) };
}
