// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * The scanner's Python parser against CPython's own, in the interpreter that servers run in, over the
 * standard library and the packages of the interpreter: `deno run -A tests/bench/python_parser.ts
 * [FOLDER]`. With FOLDER over the Python files below it as well. Files that differ are listed.
 *
 * @module
 */
import { decodePython } from "../../workers/analysis/python/decode.ts";
import { differences, openPythonParser, ourFacts } from "../helpers/python_syntax.ts";
import { libraryModules } from "../helpers/python_library.ts";

const [folder] = Deno.args;

async function* pythonFiles(folder: string): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* pythonFiles(path);
    else if (name.endsWith(".py")) yield { path, bytes: await Deno.readFile(path) };
  }
}

async function* modules(): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  yield* await libraryModules();
  if (folder === undefined) return;
  yield* pythonFiles(folder);
}

await using python = await openPythonParser();
const count = { files: 0, facts: 0, refused: 0, differing: 0 };
for await (const { path, bytes } of modules()) {
  const decoded = decodePython(bytes);
  if (decoded.kind === "refused" || bytes.length > 400_000) {
    console.log(path, decoded.kind === "refused" ? decoded.reason : "too large");
    count.refused++;
    continue;
  }
  const ours = await ourFacts(decoded.text);
  const [theirs] = await python.facts([decoded.text]);
  count.files++;
  if (ours === null && theirs === null) continue;
  if (typeof ours === "string" || ours === null || theirs === null || theirs === undefined) {
    console.log(path, typeof ours === "string" ? ours : ours === null ? "no Python" : "Python");
    count.differing++;
    continue;
  }
  count.facts += theirs.length;
  const differing = differences(ours, theirs);
  if (differing.length > 0) {
    count.differing++;
    console.log(path, differing.slice(0, 6));
  }
}
console.log(count);
