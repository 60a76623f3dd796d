import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { bodyText, headOf, smallBodyText } from "../../../src/execution/interpreters/body.ts";
import type { RawJson } from "../../../src/protocol/raw_json.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("bodyText() refuses what would overflow the stack of what reads it", async () => {
  const nested = (depth: number) => bytesOf("[".repeat(depth) + "]".repeat(depth));
  await bodyText(nested(1000));
  await assertRejects(() => bodyText(nested(1001)), Error, "depth");
  await assertRejects(() => bodyText(nested(4_000_000)), Error, "depth");
});

Deno.test("bodyText() refuses bytes that are no text, no JSON, too many, or of several lines", async () => {
  await assertRejects(() => bodyText(Uint8Array.of(0x22, 0xff, 0x22)), Error, "encoding");
  await assertRejects(() => bodyText(bytesOf("{")), Error, "syntax");
  await assertRejects(() => bodyText(bytesOf("{\n}")), Error, "line_end");
  await assertRejects(() => bodyText(new Uint8Array(9 * 1024 * 1024)), Error, "An outcome of");
});

Deno.test("headOf() reads what is named, and leaves the rest as it is", () => {
  const text = '{"type":"x","line":18446744073709551616,"none":null,"more":{"a":1},"params":"p"}';
  const { params, more, ...head } = headOf(
    smallBodyText(bytesOf(text)),
    ["type", "line", "none", "more"],
    "params",
  );
  assertEquals(head, { type: "x", line: 18446744073709551616n, none: null });
  assertEquals((params as RawJson).text(), '"p"');
  assertEquals((more as RawJson).text(), '{"a":1}');
});

Deno.test("headOf() refuses a message that has a member twice", () => {
  for (const text of ['{"type":"a","type":"b"}', '{"params":1,"\\u0070arams":2}']) {
    assertThrows(
      () => headOf(smallBodyText(bytesOf(text)), ["type"], "params"),
      Error,
      "duplicate",
    );
  }
});
