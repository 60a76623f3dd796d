/**
 * What an interpreter has for compiled modules beside its exports. Of thousands of functions and
 * variables, a session's own libraries need some hundred, and most sessions none: what a library
 * imports is looked up before it is linked.
 *
 * @module
 */

/** The name under which the interpreter's module exports the function that lends others. */
export const LENDER = "berth_lend";

/** What is not exported, by name. */
export interface Symbols {
  /** Where a function stands in what the lender gives; and in the table of functions, if it does. */
  functions: Record<string, readonly [at: number] | readonly [at: number, place: number]>;
  /** The addresses of variables. */
  variables: Record<string, number>;
}

/** What is used of Emscripten's loader. */
export interface Loader {
  LDSO: { loadedLibsByName: Record<string, { exports: WebAssembly.Exports }> };
  GOTHandler: ProxyHandler<Set<string>>;
  wasmTable: WebAssembly.Table;
  addFunction(symbol: unknown): number;
  updateTableMap(first: number, count: number): void;
}

/** Makes ready what a compiled module imports. */
export interface Lender {
  /** Looks up what the interpreter does not export; before the module is instantiated. */
  prepare(library: WebAssembly.Module): void;
  /** Looks up what Python code asks the interpreter's own library for, as `ctypes.pythonapi` does. */
  find(name: string): void;
  /** Whether that put a function at this place of the table. */
  hasPlaced(index: number): boolean;
}

type Lend = (at: number) => unknown;

/** Tables of addresses, which all libraries share. */
const OF_ADDRESSES = /^GOT\./;
/** What the loader gives each module itself. */
const OF_LOADER = new Set(["__memory_base", "__table_base"]);

/**
 * Runs text or bytecode, past what a session checks of either. Packages ask Python for that, not its
 * library.
 */
const RUNS_CODE = /^_?Py(Run_|_Compile|_RunMain|Eval_Eval|Marshal_|Import_Exec|Code_New)/;

/** A lender for an interpreter; `read` gives what it does not export. */
export function createLender(loader: Loader, read: () => Symbols): Lender {
  const main = loader.LDSO.loadedLibsByName["__main__"]!.exports as Record<string, unknown>;
  const lend = main[LENDER] as Lend;
  // No symbol for libraries.
  delete main[LENDER];
  const placed = new Set<number>();
  /** The next library needs it at once, or none does: a megabyte is not kept. */
  let known: WeakRef<Symbols> | null = null;

  function functionOf(name: string, [at, known]: Symbols["functions"][string]): unknown {
    if (!Object.hasOwn(main, name)) {
      main[name] = lend(at);
      // So that it gets no second place.
      if (known !== undefined) loader.updateTableMap(known, 1);
    }
    return main[name];
  }

  function place(symbol: unknown): number {
    const before = loader.wasmTable.length;
    const found = loader.addFunction(symbol);
    if (found >= before) placed.add(found);
    return found;
  }

  function giveAddress(name: string, find: () => number): void {
    const entry = loader.GOTHandler.get!(new Set([name]), name, null) as WebAssembly.Global;
    if (entry.value === -1) entry.value = find();
  }

  function allSymbols(): Symbols {
    const symbols = known?.deref() ?? read();
    known = new WeakRef(symbols);
    return symbols;
  }

  function provide(symbols: Symbols, name: string, isAddress: boolean): void {
    if (Object.hasOwn(symbols.variables, name)) {
      giveAddress(name, () => symbols.variables[name]!);
    } else if (Object.hasOwn(symbols.functions, name)) {
      const found = symbols.functions[name]!;
      if (isAddress) giveAddress(name, () => found[1] ?? place(functionOf(name, found)));
      else functionOf(name, found);
    }
  }

  return {
    hasPlaced: (index) => placed.has(index),
    prepare(library) {
      const exported = WebAssembly.Module.exports(library);
      const own = new Set(exported.map(({ name }) => name));
      const imported = WebAssembly.Module.imports(library)
        .filter(({ name }) => !OF_LOADER.has(name));
      if (imported.every(({ name }) => Object.hasOwn(main, name) || own.has(name))) return;
      const symbols = allSymbols();
      for (const { module, name } of imported) provide(symbols, name, OF_ADDRESSES.test(module));
      // What both have is the interpreter's for every library.
      for (const { name } of exported) provide(symbols, name, true);
    },
    find(name) {
      if (Object.hasOwn(main, name) || RUNS_CODE.test(name)) return;
      const { functions, variables } = allSymbols();
      if (Object.hasOwn(functions, name)) functionOf(name, functions[name]!);
      else if (Object.hasOwn(variables, name)) main[name] = variables[name];
    },
  };
}
