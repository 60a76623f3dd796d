import { assertEquals, assertLess, assertThrows } from "@std/assert";
import {
  packSnapshot,
  readSnapshot,
  restorePages,
} from "../../../../workers/session/interpreter/snapshot.ts";

const PAGE = 4096;

/** A snapshot in Pyodide's own form. */
function rawSnapshot(state: string, memory: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(state);
  const offset = Math.ceil((48 + 2 * text.length) / 16) * 16;
  const raw = new Uint8Array(offset + memory.length);
  new Uint32Array(raw.buffer).set([1_886_286_592, offset, text.length, 0]);
  raw.set(text, 48);
  raw.set(memory, offset);
  return raw;
}

Deno.test("a snapshot comes back as it was, without its empty pages", () => {
  const memory = new Uint8Array(100 * PAGE);
  for (const at of [0, PAGE - 1, 7 * PAGE + 5, 8 * PAGE, 99 * PAGE + 4095]) {
    memory[at] = at % 251 + 1;
  }
  const packed = packSnapshot(rawSnapshot('{"å":1}', memory));
  assertLess(packed.length, 6 * PAGE);

  const snapshot = readSnapshot(packed);
  assertEquals(snapshot.state, '{"å":1}');
  assertEquals(snapshot.memoryBytes, memory.length);
  const restored = new Uint8Array(memory.length + PAGE);
  restorePages(snapshot, restored);
  assertEquals(restored.subarray(0, memory.length), memory);
});

Deno.test("what is no snapshot, or only a part of one, is refused", () => {
  assertThrows(() => packSnapshot(new Uint8Array(64)), Error, "Not a snapshot");
  assertThrows(() => readSnapshot(new Uint8Array(64)), Error, "Not a stored snapshot");
  const packed = packSnapshot(rawSnapshot("{}", new Uint8Array(PAGE).fill(1)));
  assertThrows(() => readSnapshot(packed.subarray(0, 1000)), Error, "cut short");
});
