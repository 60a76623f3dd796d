/**
 * The Web Worker that makes what sessions boot from (setup only). Each task has a host of its own,
 * so that a snapshot holds nothing of the packing: pack the Python files, and strip the interpreter
 * of what they do not need; import what every session needs and take the interpreter's memory;
 * import packages and take what differs.
 *
 * @module
 */
import { openFile } from "./globals.ts";
import { type BootFile, bootPyodide, type Pyodide, splitFiles } from "./boot.ts";
import { send } from "./send.ts";
import { hear } from "./hear.ts";
import { dumpSnapshot } from "./dump.ts";
import { clearFreed } from "./freed.ts";
import { recordLibraries } from "./libraries.ts";
import { watchLibraries } from "./linking/watch.ts";
import { packFiles, unpackPackage } from "./packages.ts";
import { readFully, readSnapshot, type Snapshot } from "./snapshot.ts";
import { strip } from "./strip.ts";
import type { PyodideAPI } from "pyodide";
import type { BootParts } from "../boot_parts.ts";

const INPUT = "/prepare";
const OUTPUT = "/prepared";
/** In the path of a package's file: `/lib/packages/NAME/…`. */
const PACKAGE_PART = 3;

/** Where the packing script leaves compiled libraries, to be looked at. */
const LIBRARIES = "/libraries";

// `Deno.SeekMode` is not there any more.
const SEEK_START = 0;
const SEEK_END = 2;

const encoder = new TextEncoder();
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
  const { module, glue, symbols } = strip(
    { module: read(`${INPUT}/pyodide.asm.wasm`), glue: text("pyodide.asm.mjs") },
    text("pyodide.mjs"),
    libraries,
  );
  return [
    ...takeOutput(pyodide),
    { name: "pyodide.asm.wasm", bytes: module },
    { name: "pyodide.asm.mjs", bytes: encoder.encode(glue) },
    jsonPart("symbols.json", symbols),
  ];
}

/** Takes the snapshot of an interpreter that has run what is to be in it; `stack`: where it began. */
function take(pyodide: Pyodide, stack: number, base: Snapshot | null): Part {
  // What every session has from its beginning need not be looked at by its collections. Each restore
  // adds an entry to the path.
  pyodide.runPython(`
import asyncio, gc, sys
sys.path[:] = [path for path in sys.path if path]
if asyncio.all_tasks(asyncio.get_event_loop()):
    raise RuntimeError("Tasks are suspended: there can be no snapshot")
del asyncio, sys
gc.collect()
gc.freeze()
del gc`);
  clearFreed(pyodide, pyodide._module.stackSave());
  return { name: "snapshot", bytes: dumpSnapshot(pyodide, base, stack) };
}

async function snapshot(parts: BootParts, files: BootFile[]): Promise<Part[]> {
  const pyodide = await bootPyodide({ ...parts, files, makesSnapshot: true, onOutput: () => {} });
  const stack = pyodide._module.stackSave();
  pyodide.runPython(`
import sys
sys.path.append("/lib/berth.zip")
import berth_interpreter
berth_interpreter.prepare()
del sys, berth_interpreter`);
  return [take(pyodide, stack, null)];
}

function jsonPart(name: string, value: unknown): Part {
  return { name, bytes: encoder.encode(JSON.stringify(value)) };
}

/** The bytes of a file, in one buffer. */
function readWhole(path: string): Uint8Array<ArrayBuffer> {
  const file = openFile(path);
  const bytes = new Uint8Array(file.seekSync(0, SEEK_END));
  file.seekSync(0, SEEK_START);
  if (readFully(file, bytes) < bytes.length) throw new Error(`${path} is cut short`);
  file.close();
  return bytes;
}

/** A value in Python's notation. */
function python(value: string | string[] | null): string {
  return value === null ? "None" : JSON.stringify(value);
}

/** The difference that importing `modules` of packages makes to the snapshot. */
async function image(
  parts: BootParts,
  files: BootFile[],
  { modules, own }: { modules: string[]; own: string | null },
): Promise<Part[]> {
  const base = readSnapshot(readWhole(parts.snapshot!));
  const pyodide = await bootPyodide({
    ...parts,
    files: [...parts.files, ...files.flatMap(({ bytes }) => unpackPackage(bytes))],
    makesSnapshot: true,
    onOutput: () => {},
  });
  const packages = files.map(({ path }) => path);
  const stack = pyodide._module.stackSave();
  const { reads, drawn } = watchLibraries(pyodide._module);
  pyodide.globals.set("drawn", () => drawn().join("\n"));
  const facts = JSON.parse(pyodide.runPython(`
import berth_runtime.image
facts = berth_runtime.image.build(${python(packages)}, ${python(modules)}, drawn, ${python(own)})
del berth_runtime, drawn
globals().pop("facts")`)) as { reads: string[]; refused: Record<string, string> };
  facts.reads.push(...reads);
  const made = [jsonPart("facts", facts)];
  // There will be another without those that may be in none.
  if (Object.keys(facts.refused).length > 0) return made;
  made.push(take(pyodide, stack, base));
  const libraries = recordLibraries(pyodide._module).map(({ path }) => ({
    path,
    package: path.split("/")[PACKAGE_PART],
  }));
  return [...made, jsonPart("libraries", libraries)];
}

/** The bytecode of a package's sources, in files beside them. */
async function compile(
  parts: BootParts,
  [packed]: BootFile[],
  { stays }: { stays: boolean },
): Promise<Part[]> {
  const files = unpackPackage(packed!.bytes).filter(({ path }) => path.endsWith(".py"));
  const place = files[0]?.path.split("/").slice(0, PACKAGE_PART + 1).join("/");
  if (place === undefined) return [];
  const pyodide = await bootPyodide({
    ...parts,
    files: [
      ...parts.files,
      ...files.map(({ path, bytes }) => ({ path: `${INPUT}${path}`, bytes })),
    ],
    isFollowed: stays,
    onOutput: () => {},
  });
  pyodide.FS.mkdirTree(OUTPUT);
  const names = [`${INPUT}${place}`, place, OUTPUT].map(python).join(", ");
  pyodide.runPython(`
import berth_runtime.bytecode
berth_runtime.bytecode.compile_package(${names})`);
  const made = takeOutput(pyodide).map(({ name, bytes }) => ({ path: name, bytes }));
  return [{ name: "bytecode", bytes: packFiles(made) }];
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

const TASKS = { pack, snapshot, image, compile };

hear(async (message, body) => {
  try {
    if (message.type !== "prepare") throw new Error("Not a task of this worker");
    const { task, parts: given, files, ...options } = message;
    const made = await TASKS[task](given, splitFiles(files, body), options);
    const parts = made.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
    send({ type: "prepared", parts }, joined(made));
  } catch (error) {
    send({ type: "fatal", message: String(error).slice(-3000) });
  }
});
