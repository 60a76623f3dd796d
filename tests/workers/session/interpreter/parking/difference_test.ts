import { assertEquals } from "@std/assert";
import { changedRuns } from "../../../../../workers/session/interpreter/parking/difference.ts";
import type { Library } from "../../../../../workers/session/interpreter/libraries.ts";
import { openLayer, packRuns, PAGE } from "../../../../../workers/session/interpreter/snapshot.ts";

const HEAD = {
  id: "x",
  base: null,
  values: null,
  stack: 0,
  functions: 0,
  freeCallbacks: [],
  clock: 0,
  libraries: [],
};

function memoryWith(pages: Record<number, number>, count = 8): Uint8Array {
  const memory = new Uint8Array(count * PAGE);
  for (const [page, byte] of Object.entries(pages)) {
    memory.fill(byte, Number(page) * PAGE, (Number(page) + 1) * PAGE);
  }
  return memory;
}

function fileOf(bytes: Uint8Array) {
  let at = 0;
  return {
    readSync(into: Uint8Array) {
      // As a file may: fewer than there is room for.
      const part = bytes.subarray(at, at + Math.min(into.length, 5000));
      into.set(part);
      at += part.length;
      return part.length === 0 ? null : part.length;
    },
  };
}

function layer(pages: Record<number, number>, count?: number) {
  const runs = Object.keys(pages).map((page) => ({ page: Number(page), pages: 1 }));
  return openLayer(fileOf(packRuns(HEAD, memoryWith(pages, count), runs)));
}

Deno.test("pages are compared with the uppermost snapshot that has them, else with zeros", () => {
  const layers = () => [layer({ 0: 1, 1: 1, 2: 1 }), layer({ 1: 2, 3: 3 })];
  const same = { 0: 1, 1: 2, 2: 1, 3: 3 };
  assertEquals(changedRuns(memoryWith(same), layers(), []), []);
  assertEquals(changedRuns(memoryWith({ ...same, 1: 1 }), layers(), []), [{ page: 1, pages: 1 }]);
  assertEquals(changedRuns(memoryWith({ ...same, 0: 0 }), layers(), []), [{ page: 0, pages: 1 }]);
  assertEquals(changedRuns(memoryWith({ ...same, 4: 5, 5: 5, 7: 5 }), layers(), []), [
    { page: 4, pages: 2 },
    { page: 7, pages: 1 },
  ]);
  const last = memoryWith(same);
  last[3 * PAGE - 1] = 9;
  assertEquals(changedRuns(last, layers(), []), [{ page: 2, pages: 1 }]);
});

Deno.test("memory that has grown is compared with zeros", () => {
  const layers = () => [layer({ 7: 1 })];
  assertEquals(changedRuns(memoryWith({ 7: 1, 9: 2 }, 12), layers(), []), [{ page: 9, pages: 1 }]);
});

Deno.test("pages of modules that will be linked again are kept though they are equal", () => {
  const library = { memoryBase: 2 * PAGE + 16, memoryBytes: PAGE } as Library;
  assertEquals(changedRuns(memoryWith({}), [layer({})], [library]), [{ page: 2, pages: 2 }]);
});

Deno.test("long runs of pages are read in pieces", () => {
  const count = 200;
  const pages = Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i % 100 + 1]));
  const runs = [{ page: 0, pages: count }];
  const layer = () => openLayer(fileOf(packRuns(HEAD, memoryWith(pages, count), runs)));
  assertEquals(changedRuns(memoryWith(pages, count), [layer()], []), []);
  assertEquals(changedRuns(memoryWith({ ...pages, 63: 0, 64: 0, 199: 0 }, count), [layer()], []), [
    { page: 63, pages: 2 },
    { page: 199, pages: 1 },
  ]);
});
