/**
 * What compiled modules find in a session's interpreter: what Pyodide's module exports, of which setup
 * takes nothing away for them, and what its glue has in JavaScript.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import {
  bodyOf,
  exportsOf,
  SECTION,
  sectionsOf,
} from "../../workers/session/interpreter/linking/sections.ts";

/** Screens, sound, games and sockets, which no session has. */
const ABSENT =
  /^(?:emscripten_)?_?gl[A-Z]|^(?:egl|glut|al|alc)[A-Z]|^(?:SDL|IMG|Mix|TTF)_|webgl|^emscripten_(?:[gs]et_|websocket)|(?:Color|RGBA)$/;
const GLUE_IMPORTS = "var wasmImports={";

function pyodideFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`pyodide/${name}`));
}

/** Names of what compiled modules find, in order, with spaces between them, as UTF-8. */
export async function readSymbols(): Promise<Uint8Array> {
  const [module, glue] = await Promise.all([
    Deno.readFile(pyodideFile("pyodide.asm.wasm")),
    Deno.readTextFile(pyodideFile("pyodide.asm.mjs")),
  ]);
  const start = glue.indexOf(GLUE_IMPORTS) + GLUE_IMPORTS.length;
  const inGlue = glue.slice(start, glue.indexOf("}", start)).split(",");
  const exports = exportsOf(bodyOf(sectionsOf(module), SECTION.exports));
  const names = new Set(exports.map(({ name }) => name));
  for (const entry of inGlue) names.add(entry.split(":")[0]!);
  const present = [...names].filter((name) => !ABSENT.test(name)).sort();
  return new TextEncoder().encode(present.join(" "));
}
