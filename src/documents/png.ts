/**
 * Writes PNG images (W3C PNG, third edition) of plain pixels.
 *
 * @module
 */
import { deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BYTES_PER_PIXEL = 4;
/** Filters of lines: what is written is the difference to the pixel before, above, or to neither. */
const NONE = 0;
const SUB = 1;
const UP = 2;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crcOf(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crcOf(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** A line under the filter that leaves the least. */
function filtered(line: Uint8Array, above: Uint8Array): Uint8Array {
  const lines = [NONE, SUB, UP].map((filter) => {
    const out = new Uint8Array(1 + line.length);
    out[0] = filter;
    for (let at = 0; at < line.length; at++) {
      const before = filter === SUB
        ? line[at - BYTES_PER_PIXEL] ?? 0
        : filter === UP
        ? above[at]!
        : 0;
      out[at + 1] = line[at]! - before;
    }
    return out;
  });
  const weight = (out: Uint8Array) =>
    out.subarray(1).reduce((sum, byte) => sum + Math.min(byte, 256 - byte), 0);
  return lines.reduce((best, next) => weight(next) < weight(best) ? next : best);
}

/** The PNG of `rgba`: the pixels of a square of `side` pixels, line by line. */
export function pngOf(rgba: Uint8Array, side: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, side);
  view.setUint32(4, side);
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6], 8);
  const width = side * BYTES_PER_PIXEL;
  const raw = new Uint8Array((1 + width) * side);
  let above = new Uint8Array(width);
  for (let y = 0; y < side; y++) {
    const line = rgba.slice(y * width, (y + 1) * width);
    raw.set(filtered(line, above), y * (1 + width));
    above = line;
  }
  const parts = [
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(deflateSync(raw, { level: 9 }))),
    chunk("IEND", new Uint8Array()),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
