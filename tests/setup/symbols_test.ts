import { assertEquals } from "@std/assert";
import { testInterpreter } from "../helpers/interpreter.ts";

const LIST = new URL("../../workers/python/symbols.lock", import.meta.url);
/** Screens, sound and games, which no session has. */
const OF_SCREENS =
  /^(?:emscripten_)?_?gl[A-Z]|^(?:egl|glut|al|alc)[A-Z]|^(?:SDL|IMG|Mix|TTF)_|webgl|^emscripten_(?:[gs]et_|websocket)|(?:Color|RGBA)$/;

/** Names of what the prepared interpreter has for compiled modules that are linked to it. */
async function symbolsOf(folder: string): Promise<string[]> {
  const module = new WebAssembly.Module(await Deno.readFile(`${folder}/pyodide.asm.wasm`));
  const glue = await Deno.readTextFile(`${folder}/pyodide.asm.mjs`);
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const head = "var wasmImports={";
  const start = glue.indexOf(head) + head.length;
  for (const entry of glue.slice(start, glue.indexOf("}", start)).split(",")) {
    names.add(entry.split(":")[0]!);
  }
  return [...names].filter((name) => !OF_SCREENS.test(name)).sort();
}

// After a change of Pyodide or packages.lock: `deno test -A tests/setup/symbols_test.ts -- --update`.
Deno.test("symbols.lock lists what compiled modules find in the interpreter that setup makes", async () => {
  const { folder } = await testInterpreter();
  const symbols = `${(await symbolsOf(folder)).join("\n")}\n`;
  if (Deno.args.includes("--update")) await Deno.writeTextFile(LIST, symbols);
  assertEquals(await Deno.readTextFile(LIST), symbols);
});
