import { assertEquals, assertThrows } from "@std/assert";
import { bodyJson, jsonDepth } from "../../../src/execution/hosts/body.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("jsonDepth() counts nesting outside of strings", () => {
  const cases: [string, number][] = [
    ["1", 0],
    ["[]", 1],
    ['{"a":[1,{"b":[]}]}', 4],
    ['["[[[[", "\\"[[[[", "\\\\"]', 1],
    ['{"å":"]","b":[[]]}', 3],
  ];
  for (const [text, depth] of cases) assertEquals(jsonDepth(bytesOf(text)), depth, text);
});

Deno.test("bodyJson() refuses what would overflow the stack of what reads it", () => {
  const nested = (depth: number) => bytesOf("[".repeat(depth) + "]".repeat(depth));
  assertEquals(jsonDepth(nested(1000)), 1000);
  bodyJson(nested(1000));
  assertThrows(() => bodyJson(nested(1001)), Error, "1001 levels deep");
  assertThrows(() => bodyJson(nested(4_000_000)), Error, "levels deep");
});

Deno.test("bodyJson() refuses bytes that are no text, no JSON or too many", () => {
  assertThrows(() => bodyJson(Uint8Array.of(0x22, 0xff, 0x22)), TypeError);
  assertThrows(() => bodyJson(bytesOf("{")), SyntaxError);
  assertThrows(() => bodyJson(new Uint8Array(9 * 1024 * 1024)), Error, "An outcome of");
});
