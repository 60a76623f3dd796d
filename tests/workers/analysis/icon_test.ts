/** Icons of strangers: what is found, what is drawn, and what harms nobody. */
import { assert, assertEquals } from "@std/assert";
import { deflateSync } from "node:zlib";
import { pngOf } from "../../../src/documents/png.ts";
import { candidatesIn } from "../../../workers/analysis/icon/candidates.ts";
import { drawIcon, ICON_SIZE } from "../../../workers/analysis/icon/draw.ts";
import { headerOf } from "../../../workers/analysis/icon/header.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function filesOf(files: Record<string, string | Uint8Array>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(files).map(([path, content]) =>
      [path, typeof content === "string" ? encode(content) : content] as const
    ),
  );
}

/** A square in one colour. */
function square(colour: readonly [number, number, number, number], side = 16) {
  const rgba = new Uint8Array(side * side * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.set(colour, at);
  return pngOf(rgba, side);
}

/** A PNG that says it has `width` times `height` pixels, and has as many, all alike. */
function flatPng(width: number, height: number): Uint8Array {
  const small = pngOf(new Uint8Array(4).fill(255), 1);
  const bytes = new Uint8Array(small.length + 200_000);
  bytes.set(small.subarray(0, 33));
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  const data = deflateSync(new Uint8Array(Math.min(50_000_000, (1 + width * 4) * height)));
  view.setUint32(33, data.length);
  bytes.set(encode("IDAT"), 37);
  bytes.set(data.subarray(0, 150_000), 41);
  return bytes;
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">%</svg>`;
const svg = (content: string) => encode(SVG.replace("%", content));

/** Eight pixels squared in #1060f0, and a single white one. */
const BLUE_JPEG =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEA" +
  "AAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAA" +
  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRi" +
  "WFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAA" +
  "ADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABi" +
  "mQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKn" +
  "AAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMA" +
  "LgAgADIAMAAxADb/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNS" +
  "Mj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P" +
  "T09PT09PT09PT0//wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAA" +
  "AAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMAsQL" +
  "/9k=";
const WHITE_GIF = "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";

function pixelAt(pixels: Uint8Array, x: number, y: number): number[] {
  const at = (y * ICON_SIZE + x) * 4;
  return [...pixels.subarray(at, at + 4)];
}

Deno.test("an icon is drawn in a square, whatever its form", async () => {
  const red = await drawIcon(square([200, 10, 20, 255]));
  assertEquals(pixelAt(red!, 32, 32), [200, 10, 20, 255]);
  const wide = await drawIcon(svg(`<rect width="10" height="5" fill="#00ff00"/>`));
  assertEquals(pixelAt(wide!, 32, 10), [0, 255, 0, 255]);
  assertEquals(pixelAt(wide!, 32, 50)[3], 0);
  const jpeg = await drawIcon(Uint8Array.fromBase64(BLUE_JPEG));
  assertEquals(pixelAt(jpeg!, 32, 32), [14, 95, 239, 255]);
  const gif = await drawIcon(Uint8Array.fromBase64(WHITE_GIF));
  assertEquals(pixelAt(gif!, 32, 32), [255, 255, 255, 255]);
  const half = await drawIcon(square([250, 120, 60, 128]));
  const [r, , , a] = pixelAt(half!, 32, 32);
  assert(Math.abs(r! - 250) <= 3 && Math.abs(a! - 128) <= 1, `${r} ${a}`);
});

const REFUSED: Record<string, Uint8Array> = {
  "nothing": new Uint8Array(),
  "text": encode("hello"),
  "HTML": encode("<!doctype html><script>alert(1)</script>"),
  "a picture of a single line": flatPng(1, 30_000),
  "a picture of a single line, lying": flatPng(30_000, 1),
  "a decompression bomb": flatPng(30_000, 30_000),
  "a bomb within the sides": flatPng(4096, 4096),
  "a picture that ends early": square([1, 2, 3, 255]).subarray(0, 40),
  "an empty picture": square([0, 0, 0, 0]),
  "a drawing with a script": svg("<script>while(1);</script><rect width='9' height='9'/>"),
  "a drawing with a handler and an image": svg("<image href='file:///etc/passwd' onload='x()'/>"),
  "a drawing with a picture in it": svg(
    `<image href="data:image/png;base64,${flatPng(30_000, 30_000).toBase64()}"/>`,
  ),
  "a drawing of another document": svg("<foreignObject><iframe/></foreignObject>"),
  "a drawing with a filter": svg("<filter id='f'><feTurbulence/></filter>"),
  "a drawing with styles from elsewhere": svg("<style>@import 'https://evil.example'</style>"),
  "a drawing with entities": encode(
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${SVG.replace("%", "&b;")}`,
  ),
  "a drawing of nothing": svg(""),
  "a GIF of no size": encode("GIF89a\0\0\0\0\0\0\0\0\0"),
  "a WebP, which is not decoded": encode("RIFF\0\0\0\0WEBPVP8X                  "),
  "a JPEG that never comes to its frame": Uint8Array.of(0xff, 0xd8, 0xff, ...Array(64).fill(0xff)),
};
for (const [what, bytes] of Object.entries(REFUSED)) {
  Deno.test(`no icon is made of ${what}`, async () => {
    assertEquals(await drawIcon(bytes).catch(() => null), null);
  });
}

Deno.test("what an image says of itself is read before it is unpacked", () => {
  assertEquals(headerOf(flatPng(30_000, 2)), { kind: "png", width: 30_000, height: 2 });
  const jpeg = Uint8Array.of(
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    0,
    0,
    0xff,
    0xc0,
    0,
    11,
    8,
    1,
    2,
    3,
    4,
    1,
  );
  assertEquals(headerOf(jpeg), { kind: "jpeg", width: 0x304, height: 0x102 });
  for (let length = 0; length < jpeg.length; length++) headerOf(jpeg.subarray(0, length));
});

Deno.test("an icon is what is said to be it, else what is named so", () => {
  const png = square([1, 1, 1, 255]);
  const found = (files: Record<string, string | Uint8Array>) =>
    candidatesIn(filesOf(files)).map(({ file }) => file);
  assertEquals(
    found({
      "docs/logo.png": png,
      "icon.svg": "<svg/>",
      "shot.png": png,
      "assets/app-icon-128.png": png,
      "src/deep/er/icon.png": png,
      "berth.json": JSON.stringify({ icon: "shot.png" }),
    }),
    ["shot.png", "icon.svg", "docs/logo.png", "assets/app-icon-128.png"],
  );
  assertEquals(
    found({
      "server.py":
        'mcp = FastMCP("x", icons=[Icon(src="https://raw.githubusercontent.com/a/b/main/art/i.png", mimeType="image/png")])',
      "art/i.png": png,
    }),
    ["art/i.png"],
  );
  assertEquals(
    found({
      "server.json": JSON.stringify({
        icons: [{ src: `data:image/png;base64,${png.toBase64()}` }],
      }),
    }),
    ["server.json"],
  );
});

Deno.test("an icon is never looked for outside of the repository", () => {
  const sources = [
    "https://evil.example/icon.png",
    "file:///etc/passwd",
    "../../../etc/passwd",
    "/etc/passwd",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/png;base64,****",
    "javascript:alert(1)",
  ];
  const icons = sources.map((src) => ({ src }));
  assertEquals(candidatesIn(filesOf({ "server.json": JSON.stringify({ icons }) })), []);
  assertEquals(candidatesIn(filesOf({ "berth.json": "{not json", "manifest.json": "null" })), []);
  const endless = `Icon(${"src=".repeat(200_000)}`;
  assertEquals(candidatesIn(filesOf({ "server.py": endless })), []);
});
