/**
 * Who calls a route.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { AppError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { HttpEnv } from "./environment.ts";
import type { IdentityServices, RegistryServices } from "./services.ts";

/** The environment behind {@link requireCaller}. */
export interface CallerEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { caller: Caller };
}

/** Answers 401 without a valid token. */
export function requireCaller(identity: IdentityServices): MiddlewareHandler<CallerEnv> {
  return async function requireCaller(c, next) {
    c.set("caller", await identity.authenticate(c.req.header("authorization")));
    await next();
  };
}

/** Sets the caller where a valid token was sent; a bad one counts as none. */
export function allowCaller(identity: IdentityServices): MiddlewareHandler<HttpEnv> {
  return async function allowCaller(c, next) {
    const header = c.req.header("authorization");
    if (header !== undefined) {
      try {
        c.set("caller", await identity.authenticate(header));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    await next();
  };
}

/**
 * Answers 404 and 403 before anything else about the request is looked at, so that the order of
 * checks is 401, 404, 403, 400, then 409 and 412. Goes after {@link requireCaller}.
 */
export function requireChange(registry: RegistryServices): MiddlewareHandler<CallerEnv> {
  return async function requireChange(c, next) {
    await registry.authorizeChange(c.get("caller"), c.req.param("name") ?? "");
    await next();
  };
}
