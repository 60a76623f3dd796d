/**
 * Swagger UI, which only the page that sends requests loads. It is large, so it is kept compressed.
 *
 * @module
 */
import type { Hono } from "hono";
import swaggerStyle from "swagger-ui-dist/swagger-ui.css" with { type: "text" };
import swagger from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };
import type { HttpEnv } from "../../http/environment.ts";
import { type Coding, codingFor, encode } from "../../http/kept/coding.ts";
import ownStyle from "../assets/try-api.css" with { type: "text" };
import ownScript from "../assets/try-api.js" with { type: "text" };
import { type Asset, asset, FOREVER } from "../layout/assets.ts";

/** What the page loads, by addresses that hold a digest. */
export const COMPONENT = {
  swaggerStyle: asset("swagger-ui", "css", swaggerStyle),
  style: asset("try-api", "css", ownStyle),
  swagger: asset("swagger-ui", "js", swagger),
  script: asset("try-api", "js", ownScript),
} as const;

type Bytes = Uint8Array<ArrayBuffer>;

function addAsset(app: Hono<HttpEnv>, { path, type, text }: Asset): void {
  const kept = new Map<Coding, Promise<Bytes>>();
  app.get(path, async (c) => {
    const headers = { "Content-Type": type, "Cache-Control": FOREVER, "Vary": "Accept-Encoding" };
    const coding = codingFor(c.req.header("accept-encoding"), text.length);
    if (coding === null) return c.body(text, 200, headers);
    const encoded = kept.get(coding) ?? encode(new TextEncoder().encode(text), coding);
    kept.set(coding, encoded);
    return c.body(await encoded, 200, { ...headers, "Content-Encoding": coding });
  });
}

/** Adds the component's files. */
export function addComponent(app: Hono<HttpEnv>): void {
  for (const one of Object.values(COMPONENT)) addAsset(app, one);
}
