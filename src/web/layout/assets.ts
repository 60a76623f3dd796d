/**
 * Styles and scripts: from their packages or this folder, under addresses that hold a digest, so
 * that browsers keep them for good.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Hono } from "hono";
import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import pico from "@picocss/pico/css/pico.min.css" with { type: "text" };
import type { HttpEnv } from "../../http/environment.ts";
import { type Coding, codingFor, encode } from "../../http/kept/coding.ts";
import favicon from "../assets/favicon.svg" with { type: "text" };
import script from "../assets/site.js" with { type: "text" };
import serverStyle from "../assets/server.css" with { type: "text" };
import style from "../assets/site.css" with { type: "text" };

/** For what is the same for good. */
export const FOREVER = "public, max-age=31536000, immutable";

const TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
} as const;

/** A file under an address that holds its digest. */
export interface Asset {
  path: string;
  type: string;
  text: string;
}

/** The file `name` with its address. */
export function asset(name: string, extension: keyof typeof TYPES, text: string): Asset {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { path: `/assets/${name}.${digest}.${extension}`, type: TYPES[extension], text };
}

/** The assets of every page. */
export const ASSETS = {
  pico: asset("pico", "css", pico),
  style: asset("site", "css", style + serverStyle),
  htmx: asset("htmx", "js", htmx),
  script: asset("site", "js", script),
  favicon: asset("favicon", "svg", favicon),
} as const;

/** Adds a file, which is kept in each coding that was asked for. */
export function addAsset(app: Hono<HttpEnv>, { path, type, text }: Asset): void {
  const kept = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  app.get(path, async (c) => {
    const headers = { "Content-Type": type, "Cache-Control": FOREVER, "Vary": "Accept-Encoding" };
    const coding = codingFor(c.req.header("accept-encoding"), text.length);
    if (coding === null) return c.body(text, 200, headers);
    const encoded = kept.get(coding) ?? encode(new TextEncoder().encode(text), coding);
    kept.set(coding, encoded);
    return c.body(await encoded, 200, { ...headers, "Content-Encoding": coding });
  });
}

/** Adds the assets of every page, and the icon where browsers look for it unasked. */
export function addAssets(app: Hono<HttpEnv>): void {
  for (const one of Object.values(ASSETS)) addAsset(app, one);
  const { text, type } = ASSETS.favicon;
  app.get("/favicon.ico", (c) => c.body(text, 200, { "Content-Type": type }));
}
