/**
 * Compiling ruff while modules are loaded: its ten megabytes take a tenth of a small scan, and the
 * engine does it on a thread that has nothing else to do.
 *
 * @module
 */
let begun = false;

async function compile(): Promise<void> {
  const program = import.meta.resolve("@astral-sh/ruff-wasm-nodejs");
  const bytes = await Deno.readFile(new URL("ruff_wasm_bg.wasm", program));
  // The engine keeps what it has compiled of these bytes for whoever compiles them again.
  await WebAssembly.compile(bytes);
}

/** Begins, once. Failures are for the package to tell when it is loaded. */
export function compileAhead(): void {
  if (begun) return;
  begun = true;
  compile().catch(() => {});
}
