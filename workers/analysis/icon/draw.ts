/**
 * Draws an image as small plain pixels. The engine decodes and rasterises in WebAssembly; scripts,
 * fonts and other documents do not exist for it.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { packageOnDemand } from "../on_demand.ts";
import { headerOf, type ImageHeader } from "./header.ts";

/** Pixels of an icon's side. */
export const ICON_SIZE = 64;
/** Pixels that an image may have on a side, and in all. */
const MAX_SIDE = 4096;
const MAX_PIXELS = 4_200_000;
/** The longer side of an icon may be this many times the shorter. */
const MAX_RATIO = 4;
/** It is drawn so many times as large, and made smaller by averaging. */
const MAX_SCALE = 16;
const SVG_SCALE = 4;

type Engine = typeof import("@resvg/resvg-wasm");

const engine = packageOnDemand<Engine>("@resvg/resvg-wasm");
const WASM = new URL("../../../node_modules/@resvg/resvg-wasm/index_bg.wasm", import.meta.url);
let ready: Promise<void> | null = null;

/** The engine, loaded once. */
export async function startEngine(): Promise<Engine> {
  ready ??= readFile(WASM).then((bytes) => engine().initWasm(bytes));
  await ready;
  return engine();
}

function mayBeDrawn({ kind, width, height }: ImageHeader): boolean {
  if (kind === "svg") return true;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short > 0 && long <= MAX_SIDE && width * height <= MAX_PIXELS && long <= short * MAX_RATIO;
}

function scaleFor({ kind, width, height }: ImageHeader): number {
  if (kind === "svg") return SVG_SCALE;
  return Math.min(MAX_SCALE, Math.max(1, Math.ceil(Math.max(width, height) / ICON_SIZE)));
}

const TYPES = { png: "png", jpeg: "jpeg", gif: "gif", svg: "svg+xml" } as const;

/** The image in a square of `side` pixels, as premultiplied RGBA. */
async function rasterise(bytes: Uint8Array, kind: ImageHeader["kind"], side: number) {
  const { Resvg } = await startEngine();
  const href = `data:image/${TYPES[kind]};base64,${bytes.toBase64()}`;
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">` +
    `<image href="${href}" width="${side}" height="${side}"/></svg>`;
  const image = new Resvg(frame, { font: { loadSystemFonts: false } }).render();
  try {
    return image.pixels;
  } finally {
    image.free();
  }
}

/** Each pixel of the result is the mean of `scale` times `scale` ones. */
function shrink(pixels: Uint8Array, scale: number): Uint8Array {
  const small = new Uint8Array(ICON_SIZE * ICON_SIZE * 4);
  const row = ICON_SIZE * scale * 4;
  const each = scale * scale;
  for (let at = 0; at < small.length; at++) {
    const channel = at % 4;
    const x = Math.floor(at / 4) % ICON_SIZE;
    const y = Math.floor(at / 4 / ICON_SIZE);
    let sum = 0;
    for (let line = 0; line < scale; line++) {
      let from = (y * scale + line) * row + x * scale * 4 + channel;
      for (let column = 0; column < scale; column++, from += 4) sum += pixels[from]!;
    }
    small[at] = Math.round(sum / each);
  }
  return small;
}

/** Colours as they are, not as they are mixed with what is behind them. */
function plainColours(pixels: Uint8Array): Uint8Array {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = 0; channel < 3; channel++) {
      pixels[at + channel] = Math.min(255, Math.round(pixels[at + channel]! * 255 / alpha));
    }
  }
  return pixels;
}

/** Whether there is anything to see. */
function isVisible(pixels: Uint8Array): boolean {
  let seen = 0;
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at]! > 40) seen++;
  return seen >= ICON_SIZE * ICON_SIZE / 50;
}

/** The icon as RGBA of {@link ICON_SIZE} squared pixels; null for what is no image, or too much of one. */
export async function drawIcon(bytes: Uint8Array): Promise<Uint8Array | null> {
  const header = headerOf(bytes);
  if (header === null || !mayBeDrawn(header)) return null;
  const scale = scaleFor(header);
  const pixels = await rasterise(bytes, header.kind, ICON_SIZE * scale);
  if (pixels.length !== (ICON_SIZE * scale) ** 2 * 4) return null;
  const small = plainColours(shrink(pixels, scale));
  return isVisible(small) ? small : null;
}
