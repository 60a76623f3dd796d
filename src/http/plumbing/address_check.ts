/**
 * Refuses addresses that no resource can have.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../environment.ts";

/**
 * Answers 400 to an address with a NUL character: no name and no filter contains one, and
 * PostgreSQL cannot even be asked for it.
 */
export function addressCheck(): MiddlewareHandler<HttpEnv> {
  return async function addressCheck(c, next) {
    if (c.req.url.includes("%00")) {
      throw new AppError("invalid_request", "The address must not contain NUL characters");
    }
    await next();
  };
}
