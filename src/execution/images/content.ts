/**
 * An image of a node as another node gets it.
 *
 * @module
 */
import { sha256Of } from "../../bytes.ts";
import { type Stored, stored } from "./store_files.ts";

/** An image in one piece, known by the SHA-256 of its description. */
export interface ImageContent {
  /** As it is kept: it says how long the parts are, and their digests. */
  description: string;
  /** Its pages, then the files that its packages read. */
  bytes: Uint8Array;
}

/** The parts of an image, and what is kept beside them. */
export interface OpenedImage {
  entry: Stored;
  pages: Uint8Array;
  files: Uint8Array | null;
}

/** The largest image: its pages are bounded when it is made, its files as the packages are. */
export const IMAGE_MAX_BYTES = 272 << 20;

/** What an image is known by between nodes: it covers all of it. */
export async function digestOf(description: string): Promise<string> {
  return await sha256Of(new TextEncoder().encode(description));
}

/** Takes an image apart; null when it is not the one with that digest. */
export async function openContent(
  digest: string,
  { description, bytes }: ImageContent,
): Promise<OpenedImage | null> {
  if (await digestOf(description) !== digest) return null;
  // What a newer version says of an image may be why it must not be used.
  const entry = stored.strict().parse(JSON.parse(description));
  const end = entry.pages.bytes;
  const pages = bytes.subarray(0, end);
  const files = entry.files === null ? null : bytes.subarray(end);
  if (bytes.length !== end + (entry.files?.bytes ?? 0)) return null;
  if (await sha256Of(pages) !== entry.pages.digest) return null;
  if (files !== null && await sha256Of(files) !== entry.files!.digest) return null;
  return { entry, pages, files };
}
