/**
 * What a page weighs on the wire.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Watched } from "./chromium.ts";

/** Most of a page with all that it loads, compressed. */
const WEIGHT_MAX = 150_000;

async function compressed(type: string, body: Uint8Array<ArrayBuffer>): Promise<number> {
  if (/^image\/(?!svg)/.test(type)) return body.length;
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

/** Fails when the page at `url`, with everything that it loads, is too heavy for a phone. */
export async function checkWeight({ page, context }: Watched, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "networkidle" });
  const urls = await page.evaluate<string[]>(
    "[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]",
  );
  let bytes = 0;
  for (const one of new Set(urls)) {
    const response = await context.request.get(one, { headers: { accept: "text/html,*/*" } });
    const type = response.headers()["content-type"] ?? "";
    bytes += await compressed(type, Uint8Array.from(await response.body()));
  }
  assert(bytes < WEIGHT_MAX, `${url} weighs ${bytes} bytes`);
}
