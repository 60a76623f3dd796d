/**
 * What pages weigh on the wire.
 *
 * @module
 */
import { get } from "node:http";
import { assert } from "@std/assert";
import type { Watched } from "./chromium.ts";

/** Most bytes of a page with all that it loads, as they are sent. */
export const WEIGHT_MAX = 150_000;

/** An answer as it was sent. */
export interface Sent {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bytes: Uint8Array;
}

/** What `url` is answered with to a browser, byte by byte: `fetch` would undo its coding. */
export async function sentFor(url: string, headers: Record<string, string> = {}): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const asked = {
    "accept": "text/html,*/*",
    "accept-encoding": "gzip, br",
    "connection": "close",
    ...headers,
  };
  get(url, { headers: asked }, async (response) => {
    try {
      const parts: Uint8Array[] = [];
      for await (const part of response) parts.push(part);
      const bytes = await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
    } catch (error) {
      reject(error);
    }
  }).on("error", reject);
  return await promise;
}

/** Bytes of the page at `url` with its styles and scripts, as they are sent to somebody unknown. */
export async function weightOf(url: string): Promise<number> {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const all = [url, ...new Set(assets)].map((one) => sentFor(new URL(one, url).href));
  return (await Promise.all(all)).reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Fails when the page at `url`, with everything that it loads, is too heavy for a phone. */
export async function checkWeight({ page }: Watched, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "networkidle" });
  const bytes = await page.evaluate<number>(`["navigation", "resource"]
    .flatMap((type) => performance.getEntriesByType(type))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
  assert(bytes > 0);
  assert(bytes < WEIGHT_MAX, `${url} weighs ${bytes} bytes`);
}
