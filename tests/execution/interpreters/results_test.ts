import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  createResultReader,
  RESULT_BYTES_PER_MINUTE,
  SMALL_RESULT_BYTES,
} from "../../../src/execution/interpreters/results.ts";

function resultOf(bytes: number): Uint8Array {
  const frame = JSON.stringify({ kind: "result", result: { text: "" } });
  return new TextEncoder().encode(frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`));
}

Deno.test("createResultReader() reads 64 MiB of large results a minute, and then says so", async () => {
  let time = 0;
  const read = createResultReader(() => time);
  const large = resultOf(8 * 1024 * 1024);
  for (let i = 0; i < 8; i++) assertEquals((await read(large)).kind, "result");
  const over = await read(large);
  if (over.kind !== "error") throw new Error(over.kind);
  assertEquals(over.data, { reason: "result_limit", limit: RESULT_BYTES_PER_MINUTE });
  assertStringIncludes(over.message, "64 MiB per minute");
  // Small ones go on.
  for (let i = 0; i < 2000; i++) {
    assertEquals((await read(resultOf(SMALL_RESULT_BYTES))).kind, "result");
  }
  time = 7500;
  assertEquals((await read(large)).kind, "result");
  assertEquals((await read(large)).kind, "error");
});

Deno.test("createResultReader() refuses what no honest host sends", async () => {
  const read = createResultReader();
  await assertRejects(() => read(new TextEncoder().encode('{"kind":"result'.padEnd(100_000))));
  await assertRejects(() => read(new TextEncoder().encode('{"kind":"other"}')));
});

Deno.test("createResultReader() passes a result on as the bytes that came", async () => {
  const read = createResultReader();
  const text = '{"a": [9007199254740993, 1.0, 1e400, 2E+2, -0.0], "a": "\\u00e9\\ud800"}';
  const outcome = await read(new TextEncoder().encode(`{"kind": "result", "result": ${text}}`));
  if (outcome.kind !== "result") throw new Error(outcome.kind);
  assertEquals(outcome.result.text(), text);
});

Deno.test("createResultReader() refuses outcomes with a member twice, or with more than one value", async () => {
  const read = createResultReader();
  for (
    const text of [
      '{"kind":"error","kind":"result","result":{}}',
      '{"kind":"result","result":{},"result":{}}',
      '{"kind":"result","result":{}}{}',
      '{"kind":"result","result":{}}}',
      '{"kind":"result","result":{},}',
      '{"kind":"result","result":{"a":1}},"id":5}',
      '{"kind":"error","code":1.5,"message":"x"}',
      "[]",
      "",
    ]
  ) await assertRejects(() => read(new TextEncoder().encode(text)), Error);
});
