import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { pyodideFile } from "../../../../src/setup/inputs.ts";
import { LENDER } from "../../../../workers/session/interpreter/linking/symbols.ts";
import { strip } from "../../../../workers/session/interpreter/strip.ts";

const original = {
  module: await Deno.readFile(pyodideFile("pyodide.asm.wasm")),
  glue: await Deno.readTextFile(pyodideFile("pyodide.asm.mjs")),
};
const loader = await Deno.readTextFile(pyodideFile("pyodide.mjs"));

function exportsOf(module: Uint8Array): string[] {
  return WebAssembly.Module.exports(new WebAssembly.Module(new Uint8Array(module)))
    .map(({ name }) => name);
}

/** A library that imports a function of the interpreter. */
function library(name: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(name);
  const body = [1, 3, ...new TextEncoder().encode("env"), text.length, ...text, 0, 0];
  return new Uint8Array([
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    4,
    1,
    0x60,
    0,
    0,
    2,
    body.length,
    ...body,
  ]);
}

Deno.test("strip() keeps of Pyodide's module what its glue uses, and the glue asks for no more", () => {
  const stripped = strip(original, loader, []);
  const kept = exportsOf(stripped.module);
  assertLess(kept.length, exportsOf(original.module).length / 10);
  for (const name of ["memory", "__wasm_call_ctors", "malloc"]) {
    assert(kept.includes(name), name);
  }
  const wanted = [...stripped.glue.matchAll(/wasmExports(?:\["(\w+)"\]|\.(\w+))/g)]
    .map(([, quoted, dotted]) => quoted ?? dotted!);
  assertEquals(wanted.filter((name) => !kept.includes(name)), []);
  // The code is what it was: only the list of its exports is shorter.
  assertEquals(
    WebAssembly.Module.imports(new WebAssembly.Module(new Uint8Array(stripped.module))),
    WebAssembly.Module.imports(new WebAssembly.Module(new Uint8Array(original.module))),
  );
});

/** An instance with functions that do nothing. */
function instanceOf(bytes: Uint8Array): Record<string, unknown> {
  const module = new WebAssembly.Module(new Uint8Array(bytes));
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = kind === "function"
      ? () => 0
      : new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  }
  return new WebAssembly.Instance(module, imports).exports;
}

Deno.test("strip() leaves every function and variable to be had, under the number and address that it had", () => {
  const { module, symbols } = strip(original, loader, []);
  const before = instanceOf(original.module);
  const after = instanceOf(module);
  const lend = after[LENDER] as (at: number) => { name: string };
  const table = before["__indirect_function_table"] as WebAssembly.Table;
  for (const [name, value] of Object.entries(before)) {
    if (name in after) continue;
    if (typeof value !== "function") {
      assertEquals(symbols.variables[name], (value as WebAssembly.Global).value, name);
      continue;
    }
    const [at, place] = symbols.functions[name]!;
    // V8 names a function by its number in the module.
    assertEquals(lend(at).name, value.name, name);
    if (place !== undefined) assertEquals(table.get(place), value, name);
  }
  const lent = { ...symbols.functions, ...symbols.variables };
  assertEquals(Object.keys(lent).filter((name) => !(name in before) || name in after), []);
});

Deno.test("strip() keeps what libraries import", () => {
  const name = "PyUnicode_Splitlines";
  assertEquals(exportsOf(strip(original, loader, []).module).includes(name), false);
  const { module, glue } = strip(original, loader, [library(name)]);
  assert(exportsOf(module).includes(name));
  assert(glue.includes(`wasmExports["${name}"]`));
});

Deno.test("strip() refuses an interpreter of another form", () => {
  assertThrows(() => strip({ ...original, glue: "" }, loader, []), Error, "another form");
  const changed = original.glue.replace("updateGOT(origExports);", "");
  assertThrows(() => strip({ ...original, glue: changed }, loader, []), Error, "another form");
  const cut = original.module.subarray(0, 100);
  assertThrows(() => strip({ ...original, module: cut }, loader, []), Error);
});
