/**
 * Takes everything out of a session's global scope that reaches beyond it, before any other module
 * of the worker is evaluated (both main modules import this one first). What the worker itself needs is
 * kept here, in variables that no other code can name.
 *
 * Not a wall: the host process is. It makes forging and leaving harder, and lets Pyodide take its
 * short browser path.
 *
 * @module
 */

import type { ToInterpreter } from "../messages.ts";

/** Globals that stay: the language, and what Pyodide and its event loop use. */
const KEPT = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol
  Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError
  URIError SuppressedError DisposableStack AsyncDisposableStack globalThis self JSON Math Intl
  Temporal ArrayBuffer Atomics DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array
  Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array
  Map BigInt Set Iterator WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN WebAssembly
  SharedArrayBuffer console queueMicrotask setTimeout clearTimeout setInterval clearInterval
  structuredClone performance crypto atob btoa TextEncoder TextDecoder URL URLSearchParams
  AbortController AbortSignal Event EventTarget DOMException MessageChannel MessagePort MessageEvent
  ErrorEvent WorkerGlobalScope DedicatedWorkerGlobalScope location`.split(/\s+/),
);

interface WorkerScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
}

const scope = globalThis as unknown as WorkerScope & Record<string, unknown>;
const postMessage = scope.postMessage.bind(scope);
const addEventListener = scope.addEventListener.bind(scope);
let open: ((path: string) => Deno.FsFile) | null = Deno.openSync.bind(Deno);

for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (!KEPT.has(name)) delete scope[name];
}

/** Sends a message to the host. */
export function post(message: unknown, transfer: Transferable[] = []): void {
  postMessage(message, transfer);
}

/**
 * Opens a file of the interpreter's folder, which is all that a worker may read.
 *
 * @throws {Error} After {@link closeFiles}.
 */
export function openFile(path: string): Deno.FsFile {
  if (open === null) throw new Error("No file is opened any more");
  return open(path);
}

/** Before foreign code runs, which may import this module too: no file is opened any more. */
export function closeFiles(): void {
  open = null;
}

/** Calls `listener` with each message of the host, which is trusted. */
export function listen(listener: (message: ToInterpreter, body: Uint8Array) => void): void {
  addEventListener("message", (event) => {
    const { body = new Uint8Array(0), ...message } = event.data as ToInterpreter & {
      body?: Uint8Array;
    };
    listener(message as ToInterpreter, body);
  });
}
