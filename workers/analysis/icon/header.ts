/**
 * What an image says of itself in its first bytes: its kind and its size, before anything is unpacked.
 *
 * @module
 */

/** Formats of which icons are drawn, by their first bytes. */
export type ImageKind = "png" | "jpeg" | "gif" | "svg";

/** An image that may be drawn. */
export interface ImageHeader {
  kind: ImageKind;
  /** Pixels; 0 for drawings, which have none. */
  width: number;
  height: number;
}

/** What an SVG may hold to be drawn: no other documents, no images in it, no filters, no styles. */
const NOT_IN_SVG =
  /<!DOCTYPE|<!ENTITY|<\s*(?:\w+:)?(?:script|image|feImage|filter|foreignObject|iframe|style|text)\b/i;
const SVG = /^\uFEFF?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<svg[\s>]/;

function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** The frame header (SOFn) of a JPEG, behind its other segments. */
function jpegSize(view: DataView): { width: number; height: number } | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function rasterOf(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAt(bytes, 0, "\x89PNG\r\n\x1a\n") && isAt(bytes, 12, "IHDR") && bytes.length > 24) {
    return { kind: "png", width: view.getUint32(16), height: view.getUint32(20) };
  }
  if ((isAt(bytes, 0, "GIF89a") || isAt(bytes, 0, "GIF87a")) && bytes.length > 10) {
    return { kind: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (isAt(bytes, 0, "\xff\xd8\xff")) {
    const size = jpegSize(view);
    return size && { kind: "jpeg", ...size };
  }
  return null;
}

/** What `bytes` are; null for what is not drawn. */
export function headerOf(bytes: Uint8Array): ImageHeader | null {
  const raster = rasterOf(bytes);
  if (raster !== null) return raster;
  const text = new TextDecoder().decode(bytes);
  if (!SVG.test(text) || NOT_IN_SVG.test(text)) return null;
  return { kind: "svg", width: 0, height: 0 };
}
