/**
 * Boots Pyodide in an interpreter's worker: from files and a compiled module that the host hands over,
 * with no permission of its own, and from the snapshot when there is one.
 *
 * @module
 */
import { loadPyodide, type PyodideAPI } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { readSnapshot, restorePages } from "./snapshot.ts";

/** A file to be written before Python starts, at an absolute path. */
export interface BootFile {
  path: string;
  bytes: Uint8Array;
}

/** The files whose contents are `body`, one after the other; nothing is copied. */
export function splitFiles(files: { path: string; bytes: number }[], body: Uint8Array): BootFile[] {
  let at = 0;
  return files.map(({ path, bytes }) => ({ path, bytes: body.subarray(at, at += bytes) }));
}

export interface BootInput {
  module: WebAssembly.Module;
  /** The standard library, a zip. */
  stdlib: Uint8Array<ArrayBuffer>;
  files: BootFile[];
  /** The stored snapshot; null boots plainly, fit to be snapshotted. */
  snapshot: Uint8Array<ArrayBuffer> | null;
  /** Becomes the interrupt flag. */
  interrupt: SharedArrayBuffer;
  /** Version facts that Pyodide insists on. */
  lockInfo: Record<string, string>;
  /** Takes the lines that C code and unconfigured Python write. */
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

// deno-lint-ignore no-explicit-any -- Emscripten's module object has no published types.
type EmscriptenModule = any;

const WASM_PAGE = 65_536;

/** Runs `body` with stand-ins for the two ways by which Pyodide would fetch its own files. */
async function withHandedFiles<T>(input: BootInput, minBytes: number, body: () => Promise<T>) {
  const scope = globalThis as Record<string, unknown>;
  const streaming = WebAssembly.instantiateStreaming;
  scope["fetch"] = (url: unknown) =>
    Promise.resolve({
      ok: true,
      arrayBuffer: () =>
        Promise.resolve(String(url).endsWith(".zip") ? input.stdlib.buffer : new ArrayBuffer(0)),
    });
  WebAssembly.instantiateStreaming = async (_source, imports) => {
    const instance = await WebAssembly.instantiate(input.module, imports);
    const memory = instance.exports["memory"] as WebAssembly.Memory;
    const missing = minBytes - memory.buffer.byteLength;
    // Before the glue looks at the memory: the snapshot may be larger than a fresh one.
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
    return { instance, module: input.module };
  };
  try {
    return await body();
  } finally {
    delete scope["fetch"];
    WebAssembly.instantiateStreaming = streaming;
  }
}

/**
 * Pyodide keeps its configuration, and with it all that the functions there can name: 30 MB in each
 * session, if they were not given back.
 */
function drop(input: BootInput): void {
  input.stdlib.buffer.transfer(0);
  input.snapshot?.buffer.transfer(0);
  input.snapshot = null;
  input.files = [];
}

/** Boots from `input`, of which nothing is left then: the file system has the files. */
export async function bootPyodide(input: BootInput): Promise<PyodideAPI> {
  const { onOutput } = input;
  let snapshot = input.snapshot === null ? null : readSnapshot(input.snapshot);
  const isPlain = snapshot === null;

  const pyodide = await withHandedFiles(input, snapshot?.memoryBytes ?? 0, () =>
    loadPyodide({
      indexURL: "file:///interpreter/",
      lockFileContents: { info: input.lockInfo, packages: {} } as never,
      packageBaseUrl: "file:///interpreter/",
      stdin: () => null as never,
      stdout: (text: string) => onOutput("stdout", text),
      stderr: (text: string) => onOutput("stderr", text),
      fsInit: (fs: EmscriptenModule) => {
        for (const file of input.files) {
          fs.mkdirTree(file.path.slice(0, file.path.lastIndexOf("/")));
          fs.writeFile(file.path, file.bytes, { canOwn: true });
        }
        return Promise.resolve();
      },
      createPyodideModule: async (settings: EmscriptenModule) => {
        const module = await createPyodideModule(settings);
        settings.API.restoreSnapshot = () => {
          if (snapshot === null) return;
          restorePages(snapshot, module.HEAPU8);
          return JSON.parse(snapshot.state);
        };
        return module;
      },
      // The second only says that there is one: the restore above reads the pages itself.
      ...(isPlain ? { _makeSnapshot: true } : { _loadSnapshot: new Uint8Array(0) }),
    } as never));
  snapshot = null;
  drop(input);
  pyodide.setInterruptBuffer(new Uint8Array(input.interrupt));
  return pyodide;
}
