/**
 * Answers methods that an address does not have.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../environment.ts";
import { methodNotAllowed } from "../failures.ts";

/** For every route of `app`: 405 with `Allow` to all other methods. Call it after adding routes. */
export function refuseOtherMethods(app: Hono<HttpEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
  }
  for (const [path, known] of methods) {
    const allow = [...known, ...(known.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    app.all(path, (c) => {
      throw methodNotAllowed(c.req.method, allow);
    });
  }
}
