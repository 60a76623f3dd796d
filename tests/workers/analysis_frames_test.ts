import { assertEquals, assertThrows } from "@std/assert";
import { createFrameReader, encodeFrame } from "../../workers/analysis_frames.ts";

function bytesOf(parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const LIMITS = { header: 1000, body: 1000 };

Deno.test("createFrameReader() puts frames together from chunks of any size", () => {
  const all = bytesOf([
    ...encodeFrame({ a: 1 }),
    ...encodeFrame({ b: "ü" }, [new Uint8Array([1, 2]), new Uint8Array([3])]),
  ]);
  for (let size = 1; size <= all.length; size++) {
    const read = createFrameReader(LIMITS);
    const frames = [];
    for (let at = 0; at < all.length; at += size) frames.push(...read(all.subarray(at, at + size)));
    assertEquals(frames.map(({ header }) => header), [{ a: 1 }, { b: "ü" }]);
    assertEquals(frames.map(({ body }) => [...body]), [[], [1, 2, 3]]);
  }
});

Deno.test("createFrameReader() refuses what is too large or no JSON", () => {
  const long = encodeFrame({ a: "x".repeat(1000) });
  assertThrows(() => createFrameReader(LIMITS)(bytesOf(long)), RangeError);
  const heavy = encodeFrame({}, [new Uint8Array(1001)]);
  assertThrows(() => createFrameReader(LIMITS)(heavy[0]!), RangeError);
  const json = { values: 10, depth: 3 };
  for (const many of [Array.from({ length: 11 }, () => 1), [[[[]]]], { a: { b: { c: {} } } }]) {
    const read = createFrameReader({ ...LIMITS, json });
    assertThrows(() => read(bytesOf(encodeFrame(many))), RangeError, "too many values");
  }
  const few = { a: '\\"[[[[,,,,,,,,,,,,', b: [1, 2, "\\"] };
  assertEquals(createFrameReader({ ...LIMITS, json })(bytesOf(encodeFrame(few))).length, 1);
  const broken = bytesOf(encodeFrame({ a: 1 }));
  broken[8] = 0x21;
  assertThrows(() => createFrameReader(LIMITS)(broken), SyntaxError);
});
