import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  createResultReader,
  RESULT_BYTES_PER_MINUTE,
  SMALL_RESULT_BYTES,
} from "../../../src/execution/hosts/results.ts";

function resultOf(bytes: number): Uint8Array {
  const frame = JSON.stringify({ kind: "result", result: { text: "" } });
  return new TextEncoder().encode(frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`));
}

Deno.test("createResultReader() reads 64 MiB of large results a minute, and then says so", () => {
  let time = 0;
  const read = createResultReader(() => time);
  const large = resultOf(8 * 1024 * 1024);
  for (let i = 0; i < 8; i++) assertEquals(read(large).kind, "result");
  const over = read(large);
  if (over.kind !== "error") throw new Error(over.kind);
  assertEquals(over.data, { reason: "result_limit", limit: RESULT_BYTES_PER_MINUTE });
  assertStringIncludes(over.message, "64 MiB in a minute");
  // Small ones go on.
  for (let i = 0; i < 2000; i++) assertEquals(read(resultOf(SMALL_RESULT_BYTES)).kind, "result");
  time = 7500;
  assertEquals(read(large).kind, "result");
  assertEquals(read(large).kind, "error");
});

Deno.test("createResultReader() refuses what no honest host sends", () => {
  const read = createResultReader();
  assertThrows(() => read(new TextEncoder().encode('{"kind":"result'.padEnd(100_000))));
  assertThrows(() => read(new TextEncoder().encode('{"kind":"other"}')));
});
