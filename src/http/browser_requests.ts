/**
 * Who asks: a person with a browser, or a program.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "./environment.ts";

/**
 * Whether the answer to this request is for a person. The APIs answer JSON whatever is asked; the issuer
 * has pages and endpoints, and what asks those takes no HTML.
 */
export function wantsPage(c: Context<HttpEnv>): boolean {
  const accept = c.req.header("accept") ?? "";
  const isPage = !/^\/(api|mcp|\.well-known)(\/|$)/.test(c.req.path);
  return isPage &&
    (accept.toLowerCase().includes("text/html") || c.req.header("hx-request") === "true");
}
