/**
 * Who asks: a person with a browser, or a program.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "./environment.ts";

/** Whether the answer to this request is for a person. The APIs answer JSON whatever is asked. */
export function wantsPage(c: Context<HttpEnv>): boolean {
  const accept = c.req.header("accept") ?? "";
  const isPage = !/^\/(api|oidc|mcp|\.well-known)(\/|$)/.test(c.req.path);
  return isPage &&
    (accept.toLowerCase().includes("text/html") || c.req.header("hx-request") === "true");
}
