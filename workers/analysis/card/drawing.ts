/**
 * The card as SVG: fixed shapes, and text that is broken into lines.
 *
 * @module
 */
import { CARD_HEIGHT, CARD_WIDTH, type CardView } from "./view.ts";

/** The only font that there is. */
export const FONT = "DejaVu Sans";

const MARGIN = 80;
const WIDTH = CARD_WIDTH - 2 * MARGIN;
/** The mean width of a letter, as a part of the font's size. */
const LETTER = 0.6;
const BOLD_LETTER = 0.68;
const TITLE_SIZES = [76, 60, 46, 36];
const TEXT_SIZE = 34;
const TEXT_LINES = 4;

// Scripts that the font has, written from left to right without joining letters.
const READABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{M}]*$/u;
const PICTURES =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]/gu;
// deno-lint-ignore no-control-regex
const NO_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(NO_CHARACTERS, "")
    .replaceAll(/[&<>]/g, (sign) => ENTITIES[sign]!);
}

/** `text` as far as the font can show it; empty where it cannot. */
function readable(text: string): string {
  // Digits and signs have pictures of their own in colour, and are letters here.
  const plain = text.replaceAll(PICTURES, (sign) => /^[\d#*©®™]$/.test(sign) ? sign : "")
    .replaceAll(/\s+/g, " ").trim();
  return READABLE.test(plain) ? plain : "";
}

/** Lines of at most `width` letters; what is left after `most` of them ends in an ellipsis. */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const whole = word.length > width ? `${word.slice(0, width - 1)}…` : word;
    if (line !== "" && line.length + 1 + whole.length > width) {
      lines.push(line);
      line = whole;
    } else line = line === "" ? whole : `${line} ${whole}`;
  }
  if (line !== "") lines.push(line);
  if (lines.length <= most) return lines;
  const last = lines[most - 1]!;
  return [...lines.slice(0, most - 1), `${last.slice(0, width - 1)}…`];
}

/** About how wide `text` is in bold, as a multiple of the font's size. */
function boldWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[mwMW]/.test(letter) ? 1.05 : BOLD_LETTER), 0);
}

/** The beginning of `title` that fits into `room`. */
function titleIn(title: string, room: number): string {
  if (boldWidth(title) <= room) return title;
  let end = title.length;
  while (end > 0 && boldWidth(title.slice(0, end)) + 1 > room) end--;
  return `${title.slice(0, end)}…`;
}

function textAt(
  { x, y, size, fill, bold = false, centered = false }: {
    x: number;
    y: number;
    size: number;
    fill: string;
    bold?: boolean;
    /** Whether `x` is its middle. */
    centered?: boolean;
  },
  text: string,
): string {
  return `<text x="${x}" y="${y}" font-family="${FONT}" font-size="${size}" fill="${fill}"` +
    `${bold ? ' font-weight="700"' : ""}${centered ? ' text-anchor="middle"' : ""}>` +
    `${escaped(text)}</text>`;
}

function badgeOf({ text, color }: NonNullable<CardView["badge"]>): string {
  const width = Math.round(text.length * 28 * BOLD_LETTER + 56);
  const x = CARD_WIDTH - MARGIN - width;
  return `<rect x="${x}" y="520" width="${width}" height="60" rx="30" fill="${color}"/>` +
    textAt(
      { x: x + width / 2, y: 560, size: 28, fill: "#ffffff", bold: true, centered: true },
      text,
    );
}

/** The anchor of the product's own mark. */
const BRAND =
  '<g transform="translate(80 524) scale(1.625)"><rect width="32" height="32" rx="7" fill="#0b5f7d"/>' +
  '<g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">' +
  '<circle cx="16" cy="9" r="2.8"/>' +
  '<path d="M16 12v13.5M11 15.5h10M7.5 19c.5 4 4 6.5 8.5 6.5s8-2.5 8.5-6.5"/></g></g>';

/** The drawing of `view`, with the icon beside the title if there is one. */
export function drawingOf(view: CardView, icon: Uint8Array | null): string {
  const indent = icon === null ? 0 : 152;
  const room = WIDTH - indent;
  const fits = (size: number) => boldWidth(view.title) * size <= room;
  const size = TITLE_SIZES.find(fits) ?? TITLE_SIZES.at(-1)!;
  const title = titleIn(view.title, room / size);
  const lines = linesOf(readable(view.text), Math.floor(WIDTH / (TEXT_SIZE * LETTER)), TEXT_LINES);
  const facts = view.facts.map(readable).filter((fact) => fact !== "").join(" · ");
  const [factLine = ""] = linesOf(facts, 62, 1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">`,
    `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="#f7fafb"/>`,
    `<rect width="${CARD_WIDTH}" height="14" fill="#0b5f7d"/>`,
    icon === null
      ? ""
      : `<image x="80" y="70" width="128" height="128" href="data:image/png;base64,${icon.toBase64()}"/>`,
    textAt({ x: MARGIN + indent, y: 160, size, fill: "#12262e", bold: true }, title),
    ...lines.map((line, at) =>
      textAt({ x: MARGIN, y: 270 + at * 48, size: TEXT_SIZE, fill: "#3b4d55" }, line)
    ),
    textAt({ x: MARGIN, y: 482, size: 26, fill: "#56676f" }, factLine),
    BRAND,
    textAt({ x: 148, y: 563, size: 36, fill: "#0b5f7d", bold: true }, "Berth"),
    view.badge === null ? "" : badgeOf(view.badge),
    "</svg>",
  ].join("");
}
