/**
 * The Web Worker that makes what sessions boot from (setup only). Two tasks, each in an interpreter
 * of its own, so that the snapshot holds nothing of the packing: pack the Python files; import what
 * should be warm and take the interpreter's memory.
 *
 * @module
 */
import { listen, post } from "./session_globals.ts";
import { bootPyodide } from "./session_boot.ts";
import { packSnapshot } from "./session_snapshot.ts";
import type { PyodideAPI } from "pyodide";
import type { BootFile } from "./session_boot.ts";
import type { BootParts, FromWorker, ToWorker } from "./session_messages.ts";

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
import berth_session
berth_session.prepare()
del sys, berth_session
`);
  // What every session has from its beginning need not be looked at by its collections.
  pyodide.runPython("import gc; gc.collect(); gc.freeze(); del gc");
  return [{ name: "snapshot", bytes: packSnapshot(pyodide.makeMemorySnapshot()) }];
}

async function handle(message: ToWorker): Promise<FromWorker> {
  if (message.type === "pack") {
    return { type: "prepared", parts: await pack(message.parts, message.files) };
  }
  if (message.type === "snapshot") {
    return { type: "prepared", parts: await snapshot(message.parts, message.files) };
  }
  throw new Error("Not a task of this worker");
}

listen((message) => {
  handle(message as ToWorker)
    .then((done) => post(done))
    .catch((error) => post({ type: "fatal", message: String(error).slice(-3000) }));
});
