import { assertEquals, assertThrows } from "@std/assert";
import type { EmscriptenModule } from "../../../../../workers/session/interpreter/libraries.ts";
import { createValues } from "../../../../../workers/session/interpreter/parking/values.ts";

const SCOPE = { own: { part: {} } };
const FRONT = [null, SCOPE, {}, {}, () => {}, {}, {}];
const emit = () => {};

/** A table of values as an interpreter has it; null: a free slot. */
function moduleWith(values: unknown[]): EmscriptenModule {
  const all = [...FRONT, ...values];
  return {
    __hiwire_get(index: number) {
      if (index >= all.length) throw new RangeError("beyond the table");
      return all[index];
    },
    __hiwire_immortal_get(index: number) {
      if (index > 7) throw new RangeError("beyond the table");
      return "text";
    },
  } as unknown as EmscriptenModule;
}

function tableOf(values: unknown[], waiting = 0, restored: unknown = null) {
  const watched = createValues({ emit }, SCOPE);
  watched.watch(moduleWith(values), restored);
  return watched.table(waiting).hiwireKeys;
}

Deno.test("each value that is parked is named, free slots to the end of the table too", () => {
  assertEquals(tableOf([emit, undefined, null, SCOPE, null]), [
    { serialized: { bridge: "emit" } },
    { serialized: { nothing: true } },
    null,
    { serialized: { path: [] } },
    null,
  ]);
  const restored = { hiwireKeys: [{ path: ["own", "part"] }] };
  assertEquals(tableOf([SCOPE.own.part], 0, restored), [{ serialized: { path: ["own", "part"] } }]);
});

Deno.test("a program that waits holds two functions; one more or less keeps the session", () => {
  const functions = [() => {}, () => {}, () => {}];
  assertEquals(tableOf(functions.slice(1), 1).length, 2);
  for (const [held, waiting] of [[3, 1], [1, 1], [0, 1], [1, 0], [2, 0], [3, 2]] as const) {
    assertThrows(() => tableOf(functions.slice(0, held), waiting), Error, "javascript");
  }
  for (const value of [{}, "text", 1, Promise.resolve()]) {
    assertThrows(() => tableOf([value], 1), Error, "javascript");
  }
});

Deno.test("names are read where they mean something, and anything else is refused", () => {
  const { read } = createValues({ emit }, SCOPE);
  assertEquals(read({ bridge: "emit" }), emit);
  assertEquals(read({ path: ["own", "part"] }), SCOPE.own.part);
  assertEquals(read({ nothing: true }), undefined);
  assertEquals(typeof read({ settles: true }), "function");
  for (const name of [{}, { bridge: "toString" }, { bridge: 1 }, { path: "own" }]) {
    assertThrows(() => read(name), TypeError);
  }
});
