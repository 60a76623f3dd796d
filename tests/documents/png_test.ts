import { assertEquals } from "@std/assert";
import { inflateSync } from "node:zlib";
import { pngOf } from "../../src/documents/png.ts";
import { drawIcon } from "../../workers/analysis/icon/draw.ts";

Deno.test("pngOf() writes what decoders read, pixel for pixel", async () => {
  const side = 64;
  const rgba = new Uint8Array(side * side * 4);
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)];
    rgba.set([x * 4, y * 4, (x * y) & 255, 255], at * 4);
  }
  assertEquals(await drawIcon(pngOf(rgba, side)), rgba);
});

Deno.test("pngOf() writes a header, the pixels and an end, and nothing else", () => {
  const bytes = pngOf(new Uint8Array(4 * 4 * 4).fill(7), 4);
  const view = new DataView(bytes.buffer);
  const chunks: string[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    chunks.push(new TextDecoder().decode(bytes.subarray(at + 4, at + 8)));
  }
  assertEquals(chunks, ["IHDR", "IDAT", "IEND"]);
  const data = bytes.subarray(41, 41 + view.getUint32(33));
  assertEquals(inflateSync(data).length, 4 * (1 + 4 * 4));
});
