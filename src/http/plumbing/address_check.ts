/**
 * Refuses addresses that no resource can have.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../environment.ts";
import { nulInPath } from "../failures.ts";

/**
 * Answers 400 to an address with a NUL character: no name and no filter contains one, and
 * PostgreSQL cannot even be asked for it.
 */
export function addressCheck(): MiddlewareHandler<HttpEnv> {
  return async function addressCheck(c, next) {
    if (c.req.url.includes("%00")) {
      throw nulInPath();
    }
    await next();
  };
}
