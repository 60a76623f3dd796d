/**
 * The Web Worker that makes what sessions boot from (setup only). Two tasks, each in a host of its
 * own, so that the snapshot holds nothing of the packing: pack the Python files, and strip the
 * interpreter of what they do not need; import what should be warm and take the interpreter's memory.
 *
 * @module
 */
import { listen } from "./globals.ts";
import { type BootFile, bootPyodide, splitFiles } from "./boot.ts";
import { send } from "./send.ts";
import { packSnapshot } from "./snapshot.ts";
import { strip } from "./strip.ts";
import type { PyodideAPI } from "pyodide";
import type { BootParts } from "../messages.ts";

const INPUT = "/prepare";
const OUTPUT = "/prepared";
/** Where the packing script leaves compiled libraries, to be looked at. */
const LIBRARIES = "/libraries";

/** Blocks of memory that are cleared when they are free. */
const LARGEST_FREED = 2 ** 20;
const SMALLEST_FREED = 2 ** 8;

const decoder = new TextDecoder();

type Part = { name: string; bytes: Uint8Array };

function takeOutput(pyodide: PyodideAPI, folder = OUTPUT): Part[] {
  const names = pyodide.FS.readdir(folder) as string[];
  return names.filter((name) => name !== "." && name !== "..").flatMap((name) => {
    const path = `${folder}/${name}`;
    if (pyodide.FS.isDir(pyodide.FS.stat(path).mode)) return takeOutput(pyodide, path);
    return [{ name: path.slice(OUTPUT.length), bytes: pyodide.FS.readFile(path) as Uint8Array }];
  });
}

async function pack(parts: BootParts, files: BootFile[]): Promise<Part[]> {
  const pyodide = await bootPyodide({
    ...parts,
    files: files.map((file) => ({ ...file, path: `${INPUT}/${file.path}` })),
    onOutput: () => {},
  });
  const read = (path: string) => pyodide.FS.readFile(path) as Uint8Array<ArrayBuffer>;
  const text = (name: string) => decoder.decode(read(`${INPUT}/${name}`));
  pyodide.runPython(text("build.py"));
  const libraries = (pyodide.FS.readdir(LIBRARIES) as string[])
    .filter((name) => name.endsWith(".so"))
    .map((name) => read(`${LIBRARIES}/${name}`));
  const { module, glue } = strip(
    { module: read(`${INPUT}/pyodide.asm.wasm`), glue: text("pyodide.asm.mjs") },
    text("pyodide.mjs"),
    libraries,
  );
  return [
    ...takeOutput(pyodide),
    { name: "pyodide.asm.wasm", bytes: module },
    { name: "pyodide.asm.mjs", bytes: new TextEncoder().encode(glue) },
  ];
}

/** What of the interpreter's C side is used here. */
interface Allocator {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  /** The end of what the allocator has. */
  _sbrk(bytes: number): number;
  /** Where the stack may end, and where it is: it grows downwards. */
  _emscripten_stack_get_end(): number;
  _emscripten_stack_get_current(): number;
}

/**
 * Overwrites with zeros what was freed, and what calls left on the stack: it is of no use, but would
 * be part of the snapshot, and then of each session's memory.
 */
function clearFreed(pyodide: PyodideAPI): void {
  const { _module: c } = pyodide as unknown as { _module: Allocator };
  const taken: number[] = [];
  for (let size = LARGEST_FREED; size >= SMALLEST_FREED; size /= 2) {
    const end = c._sbrk(0);
    while (c._sbrk(0) === end) {
      const address = c._malloc(size);
      c.HEAPU8.fill(0, address, address + size);
      taken.push(address);
    }
  }
  for (const address of taken) c._free(address);
  c.HEAPU8.fill(0, c._emscripten_stack_get_end(), c._emscripten_stack_get_current());
}

async function snapshot(parts: BootParts, files: BootFile[]): Promise<Part[]> {
  const pyodide = await bootPyodide({ ...parts, files, onOutput: () => {} });
  await pyodide.runPythonAsync(`
import sys
sys.path.append("/lib/berth.zip")
import berth_interpreter
berth_interpreter.prepare()
del sys, berth_interpreter
`);
  // What every session has from its beginning need not be looked at by its collections.
  pyodide.runPython("import gc; gc.collect(); gc.freeze(); del gc");
  clearFreed(pyodide);
  return [{ name: "snapshot", bytes: packSnapshot(pyodide.makeMemorySnapshot()) }];
}

/** The contents of the parts, one after the other. */
function joined(parts: Part[]): Uint8Array {
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  let at = 0;
  for (const { bytes } of parts) {
    body.set(bytes, at);
    at += bytes.length;
  }
  return body;
}

const TASKS = { pack, snapshot };

listen(async (message, body) => {
  try {
    if (message.type !== "prepare") throw new Error("Not a task of this worker");
    const { task, parts: given, files } = message;
    const made = await TASKS[task](given, splitFiles(files, body));
    const parts = made.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
    send({ type: "prepared", parts }, joined(made));
  } catch (error) {
    send({ type: "fatal", message: String(error).slice(-3000) });
  }
});
