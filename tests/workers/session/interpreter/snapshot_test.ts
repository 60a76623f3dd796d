import { assertEquals, assertLess, assertThrows } from "@std/assert";
import {
  assertBase,
  openSnapshot,
  packSnapshot,
  readSnapshot,
  restorePages,
  type SnapshotFile,
  type SnapshotHead,
} from "../../../../workers/session/interpreter/snapshot.ts";

const PAGE = 4096;
const HEAD: SnapshotHead = {
  id: "whole",
  base: null,
  values: { hiwireKeys: [null], immortalKeys: ["å"] },
  stack: 64,
  functions: 3,
  freeCallbacks: [],
  clock: 12.5,
  libraries: [],
};
const LIBRARY = {
  path: "/lib/x.so",
  handle: 8,
  memoryBase: 20 * PAGE,
  memoryBytes: 2 * PAGE,
  tableBase: 1,
  functions: 2,
};

function memoryWith(pages: number, bytes: readonly number[]): Uint8Array {
  const memory = new Uint8Array(pages * PAGE);
  for (const at of bytes) memory[at] = at % 251 + 1;
  return memory;
}

Deno.test("a snapshot comes back as it was, without its empty pages", () => {
  const memory = memoryWith(100, [0, PAGE - 1, 7 * PAGE + 5, 8 * PAGE, 99 * PAGE + 4095]);
  const packed = packSnapshot(HEAD, memory, null);
  assertLess(packed.length, 6 * PAGE);
  const snapshot = readSnapshot(packed);
  assertEquals(snapshot.head, HEAD);
  assertEquals(snapshot.memoryBytes, memory.length);
  const restored = new Uint8Array(memory.length + PAGE);
  restorePages(snapshot, restored);
  assertEquals(restored.subarray(0, memory.length), memory);
});

Deno.test("a difference holds the pages that changed, were emptied, or belong to a library", () => {
  const before = memoryWith(50, [0, 3 * PAGE, 9 * PAGE, 20 * PAGE, 49 * PAGE]);
  const base = readSnapshot(packSnapshot(HEAD, before, null));
  const after = new Uint8Array(80 * PAGE);
  after.set(before);
  after.fill(0, 9 * PAGE, 10 * PAGE);
  after[3 * PAGE + 1] = 1;
  after[79 * PAGE] = 7;
  const head = { ...HEAD, id: "difference", base: HEAD.id, libraries: [LIBRARY] };
  const difference = readSnapshot(packSnapshot(head, after, base));
  assertEquals(difference.head, head);
  const pages = difference.runs.flatMap(({ page, pages }) =>
    Array.from({ length: pages }, (_, i) => page + i)
  );
  assertEquals(pages, [3, 9, 20, 21, 79]);

  const restored = new Uint8Array(after.length);
  restorePages(base, restored);
  // What instantiating the library leaves there.
  restored.fill(9, LIBRARY.memoryBase, LIBRARY.memoryBase + LIBRARY.memoryBytes);
  restorePages(difference, restored);
  assertEquals(restored, after);
});

/** A file that gives a few bytes at a time. */
function fileOf(bytes: Uint8Array) {
  let at = 0;
  const file: SnapshotFile & { isOpen: boolean } = {
    isOpen: true,
    readSync(into) {
      const part = bytes.subarray(at, at + Math.min(into.length, 1000));
      into.set(part);
      at += part.length;
      return part.length === 0 ? null : part.length;
    },
    close: () => file.isOpen = false,
  };
  return file;
}

Deno.test("a snapshot is restored from its file as from its bytes", () => {
  const memory = memoryWith(100, [0, PAGE - 1, 7 * PAGE + 5, 8 * PAGE, 99 * PAGE + 4095]);
  const file = fileOf(packSnapshot(HEAD, memory, null));
  const snapshot = openSnapshot(file);
  assertEquals([snapshot.head, snapshot.memoryBytes], [HEAD, memory.length]);
  const restored = new Uint8Array(memory.length + PAGE);
  snapshot.restore(restored);
  assertEquals(restored.subarray(0, memory.length), memory);
  assertEquals(file.isOpen, false);
});

Deno.test("a file that is no snapshot, or only a part of one, is refused", () => {
  assertThrows(() => openSnapshot(fileOf(new Uint8Array(64))), Error, "Not a stored snapshot");
  assertThrows(() => openSnapshot(fileOf(new Uint8Array(3))), Error, "cut short");
  const packed = packSnapshot(HEAD, new Uint8Array(PAGE).fill(1), null);
  assertThrows(() => openSnapshot(fileOf(packed.subarray(0, 100))), Error, "cut short");
  const cut = openSnapshot(fileOf(packed.subarray(0, 1000)));
  assertThrows(() => cut.restore(new Uint8Array(PAGE)), Error, "cut short");
});

Deno.test("a difference from another snapshot is refused", () => {
  const difference = { ...HEAD, id: "difference", base: HEAD.id };
  assertBase(difference, HEAD.id);
  assertThrows(() => assertBase(difference, "new"), Error, "another snapshot");
  assertThrows(() => assertBase(HEAD, HEAD.id), Error, "another snapshot");
});

Deno.test("what is no snapshot, an old one, or only a part of one, is refused", () => {
  assertThrows(() => readSnapshot(new Uint8Array(64)), Error, "Not a stored snapshot");
  assertThrows(() => readSnapshot(new Uint8Array(3)), Error, "cut short");
  const packed = packSnapshot(HEAD, new Uint8Array(PAGE).fill(1), null);
  assertThrows(() => readSnapshot(packed.subarray(0, 1000)), Error, "cut short");
  assertThrows(() => readSnapshot(packed.subarray(0, 30)), Error, "cut short");
  const old = packed.slice();
  old[3] = 0x31; // BSP1
  assertThrows(() => readSnapshot(old), Error, "of this version");
  const beyond = packed.slice();
  new DataView(beyond.buffer).setUint32(16, 7, true);
  assertThrows(() => readSnapshot(beyond), Error, "beyond its memory");
});
