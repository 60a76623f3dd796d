import { assertEquals, assertThrows } from "@std/assert";
import {
  type EmscriptenModule,
  type Library,
  linkLibraries,
  recordLibraries,
} from "../../../../workers/session/interpreter/libraries.ts";

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const PLAIN = Uint8Array.of(...HEADER);

/** A module that exports an empty function under this name. */
function exporting(name: string): Uint8Array<ArrayBuffer> {
  const text = [...new TextEncoder().encode(name)];
  const type = [1, 4, 1, 0x60, 0, 0];
  const functions = [3, 2, 1, 0];
  const exports = [7, text.length + 4, 1, text.length, ...text, 0, 0];
  return Uint8Array.of(...HEADER, ...type, ...functions, ...exports, 10, 4, 1, 2, 0, 0x0b);
}

const FIRST: Library = {
  path: "/lib/packages/a/a.so",
  handle: 64,
  memoryBase: 4096,
  memoryBytes: 100,
  tableBase: 3,
  functions: 2,
};
const SECOND = { ...FIRST, path: "/lib/packages/b/b.so", handle: 128, tableBase: 5 };

/** A loader whose table has three functions, with these files. */
function fakeLoader(files: Record<string, Uint8Array<ArrayBuffer>> = {}, needed: string[] = []) {
  const words = new Uint32Array(64);
  const log: string[] = [];
  const byHandle: EmscriptenModule["LDSO"]["loadedLibsByHandle"] = {};
  const byName: EmscriptenModule["LDSO"]["loadedLibsByName"] = {
    __main__: { name: "__main__", exports: {}, global: true },
  };
  const module = {
    HEAPU32: words,
    wasmTable: new WebAssembly.Table({ element: "anyfunc", initial: 3 }),
    FS: { readFile: (path: string) => files[path]! },
    LDSO: { loadedLibsByName: byName, loadedLibsByHandle: byHandle },
    GOTHandler: {},
    getDylinkMetadata: () => ({
      memorySize: 100,
      tableSize: 2,
      neededDynlibs: needed,
      weakImports: new Set<string>(),
    }),
    updateTableMap: (first: number, count: number) => void log.push(`map ${first} ${count}`),
    relocateExports(exports: WebAssembly.Exports, base: number) {
      log.push(`relocate ${Object.keys(exports)} ${base}`);
      return exports;
    },
    updateGOT: () => void log.push("GOT"),
    reportUndefinedSymbols: () => void log.push("symbols"),
    newDSO(name: string, handle: number, exports: WebAssembly.Exports) {
      return byHandle[handle] = { name, exports, global: true };
    },
  } as unknown as EmscriptenModule;
  function load(library: Library) {
    byHandle[library.handle] = { name: library.path, exports: {}, global: false };
    byName[library.path] = byHandle[library.handle]!;
    const { memoryBase, memoryBytes, tableBase, functions } = library;
    words.set([memoryBase, memoryBytes, tableBase, functions], (library.handle + 12) / 4);
  }
  return { module, log, load, byHandle };
}

const compiled = (bytes: Uint8Array<ArrayBuffer>) => new WebAssembly.Module(bytes);

Deno.test("libraries are recorded in the order in which they were loaded", () => {
  const loader = fakeLoader({ [FIRST.path]: PLAIN, [SECOND.path]: PLAIN });
  loader.byHandle[0] = { name: "__main__", exports: {}, global: true };
  // One without functions has no place in the table.
  const loaded = [{ ...FIRST, handle: 128 }, { ...SECOND, handle: 64, tableBase: 0, functions: 0 }];
  for (const library of loaded) loader.load(library);
  assertEquals(recordLibraries(loader.module), loaded);
});

Deno.test("a library that is no plain module cannot be recorded", () => {
  for (
    const [bytes, needed] of [
      [PLAIN, ["other.so"]],
      [exporting("__em_js__alert"), []],
      [exporting("__start_em_asm"), []],
    ] as const
  ) {
    const loader = fakeLoader({ [FIRST.path]: bytes }, [...needed]);
    loader.load(FIRST);
    assertThrows(() => recordLibraries(loader.module), Error, "cannot be part of a snapshot");
  }
  const loader = fakeLoader({ [FIRST.path]: PLAIN });
  loader.load(FIRST);
  loader.byHandle[FIRST.handle]!.global = true;
  assertThrows(() => recordLibraries(loader.module), Error, "cannot be part of a snapshot");
});

Deno.test("libraries are linked at their places", () => {
  const { module, log, byHandle } = fakeLoader();
  const modules = new Map([
    [FIRST.path, compiled(exporting("run"))],
    [SECOND.path, compiled(PLAIN)],
  ]);
  linkLibraries(module, { libraries: [FIRST, SECOND], functions: 7, freeCallbacks: [] }, modules);
  assertEquals(module.wasmTable.length, 7);
  assertEquals(log.slice(0, 4), ["map 3 2", "relocate run 4096", "GOT", "symbols"]);
  assertEquals([byHandle[64]?.name, byHandle[128]?.name], [FIRST.path, SECOND.path]);
  assertEquals(byHandle[64]?.global, false);
});

Deno.test("what a library imports is made ready once it has its place in the table", () => {
  const { module, log } = fakeLoader();
  module.prepareLibrary = (_library, imports) => {
    log.push(`prepare ${module.wasmTable.length}`);
    return imports;
  };
  const modules = new Map([[FIRST.path, compiled(PLAIN)]]);
  linkLibraries(module, { libraries: [FIRST], functions: 5, freeCallbacks: [] }, modules);
  assertEquals(log[0], "prepare 5");
});

Deno.test("libraries that would not be at their places are refused", () => {
  const modules = new Map([[FIRST.path, compiled(PLAIN)], [SECOND.path, compiled(PLAIN)]]);
  const refused: [Library[], number, string][] = [
    [[SECOND], 7, "does not get its place"],
    [[FIRST], 6, "another table of functions"],
    [[{ ...FIRST, memoryBytes: 99 }], 5, "not the module that the image was made with"],
    [[{ ...FIRST, functions: 3 }], 5, "not the module that the image was made with"],
    [[{ ...FIRST, path: "/lib/c.so" }], 5, "was not given with the image"],
  ];
  for (const [libraries, functions, message] of refused) {
    const { module } = fakeLoader();
    assertThrows(
      () => linkLibraries(module, { libraries, functions, freeCallbacks: [] }, modules),
      Error,
      message,
    );
  }
});

Deno.test("places that callbacks had are left free where they were, and nowhere else", () => {
  const modules = new Map([[FIRST.path, compiled(PLAIN)], [SECOND.path, compiled(PLAIN)]]);
  const moved = { ...SECOND, tableBase: 6 };
  const linked = (freeCallbacks: number[], functions = 9) => {
    const { module } = fakeLoader();
    module.freeCallbacks = [1];
    linkLibraries(module, { libraries: [FIRST, moved], functions, freeCallbacks }, modules);
    return module;
  };
  // One between the libraries, one behind them.
  const module = linked([8, 5]);
  assertEquals(module.wasmTable.length, 9);
  assertEquals(module.freeCallbacks, [8, 5]);
  assertThrows(() => linked([8]), Error, "does not get its place");
  assertThrows(() => linked([5]), Error, "another table of functions");
  assertThrows(() => linked([5, 8, 9], 10 + 1), Error, "another table of functions");
});
