/**
 * Refuses addresses that no resource can have.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../environment.ts";
import { nulInPath } from "../failures.ts";

/**
 * Refuses an address with a NUL character: no name and no filter contains one, and PostgreSQL cannot
 * even be asked for it.
 *
 * @throws {AppError} With status 400.
 */
export function checkAddress(c: Context<HttpEnv>): void {
  if (c.req.raw.url.includes("%00")) throw nulInPath();
}
