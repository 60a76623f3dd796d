/**
 * The Web Worker that makes what sessions boot from (setup only). Two tasks, each in an interpreter
 * of its own, so that the snapshot holds nothing of the packing: pack the Python files; import what
 * should be warm and take the interpreter's memory.
 *
 * @module
 */
import { listen } from "./globals.ts";
import { type BootFile, bootPyodide, splitFiles } from "./boot.ts";
import { send } from "./send.ts";
import { packSnapshot } from "./snapshot.ts";
import type { PyodideAPI } from "pyodide";
import type { BootParts } from "../messages.ts";

const INPUT = "/prepare";
const OUTPUT = "/prepared";

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
  pyodide.runPython(pyodide.FS.readFile(`${INPUT}/build.py`, { encoding: "utf8" }) as string);
  return takeOutput(pyodide);
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
