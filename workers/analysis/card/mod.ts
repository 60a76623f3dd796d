/**
 * The analyser that draws the picture which previews of a link show: a server's name, what it does
 * and its verdict.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { AnalyserInput } from "../analyser.ts";
import { startEngine } from "../icon/draw.ts";
import { drawingOf, FONT } from "./drawing.ts";
import { CARD_HEIGHT, CARD_WIDTH, type CardView } from "./view.ts";

/** What the analyser gives: a PNG in base64. */
export interface CardResult {
  png: string;
}

/** The file that holds the server's icon, as Berth has written it. */
const ICON = "icon.png";
const FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

const View: z.ZodType<CardView> = z.object({
  title: z.string().max(100),
  text: z.string().max(400),
  facts: z.array(z.string().max(200)).max(4),
  badge: z.object({ text: z.string().max(40), color: z.string().regex(/^#[0-9a-f]{6}$/) })
    .nullable(),
});

let fonts: Promise<Uint8Array[]> | null = null;

function readFonts(): Promise<Uint8Array[]> {
  return fonts ??= Promise.all(FONTS.map(async (name) => {
    const path = `../../../node_modules/dejavu-fonts-ttf/ttf/${name}`;
    return new Uint8Array(await readFile(new URL(path, import.meta.url)));
  }));
}

/** Draws the card that `options` describe. */
export async function analyse(input: AnalyserInput): Promise<CardResult> {
  const view = View.parse(input.options);
  const { Resvg } = await startEngine();
  const options = {
    font: { loadSystemFonts: false, fontBuffers: await readFonts(), defaultFontFamily: FONT },
  };
  const image = new Resvg(drawingOf(view, input.files.get(ICON) ?? null), options).render();
  try {
    if (image.width !== CARD_WIDTH || image.height !== CARD_HEIGHT) {
      throw new Error("The engine has drawn a card of another size");
    }
    return { png: image.asPng().toBase64() };
  } finally {
    image.free();
  }
}
