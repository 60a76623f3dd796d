// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * What the interpreter's module costs each instance: as Pyodide has it, and stripped, before and after
 * functions are lent. `deno run -A --v8-flags=--expose-gc tests/bench/lending.ts`
 *
 * @module
 */
import { pyodideFile } from "../../src/setup/inputs.ts";
import { LENDER } from "../../workers/session/interpreter/linking/symbols.ts";
import { strip } from "../../workers/session/interpreter/strip.ts";

const ROUNDS = 5;
const LENT = 200;
const KIB = 1024;

const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error("Run it with --v8-flags=--expose-gc");

function used(): number {
  collect!();
  collect!();
  return Deno.memoryUsage().heapUsed;
}

function importsOf(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = kind === "function"
      ? () => 0
      : new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  }
  return imports;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

const kept: unknown[] = [];

/** KiB of objects of one instance, of the first function that it lends, and of more. */
function measure(bytes: Uint8Array): string[] {
  const module = new WebAssembly.Module(new Uint8Array(bytes));
  const imports = importsOf(module);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const marks = [used()];
    const { exports } = new WebAssembly.Instance(module, imports);
    kept.push(exports);
    marks.push(used());
    const lend = exports[LENDER] as ((at: number) => unknown) | undefined;
    if (lend !== undefined) {
      kept.push(lend(0));
      marks.push(used());
      for (let at = 1; at <= LENT; at++) kept.push(lend(at * 30));
      marks.push(used());
    }
    return marks.slice(1).map((mark, i) => (mark - marks[i]!) / KIB);
  });
  return rounds[0]!.map((_, i) => median(rounds.map((round) => round[i]!)).toFixed(0));
}

const module = await Deno.readFile(pyodideFile("pyodide.asm.wasm"));
const glue = await Deno.readTextFile(pyodideFile("pyodide.asm.mjs"));
const loader = await Deno.readTextFile(pyodideFile("pyodide.mjs"));
console.log(`KiB of one instance, its first lent function, and ${LENT} more`);
console.log("everything exported:", measure(module).join(" "));
console.log("stripped:", measure(strip({ module, glue }, loader, []).module).join(" "));
