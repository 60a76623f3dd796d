/**
 * Who calls a route.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { HttpEnv } from "./environment.ts";
import { administratorsOnly } from "./failures.ts";
import { nameOf } from "./routes/server_parameters.ts";
import type { TransferServices } from "./services.ts";
import type { IdentityServices, RegistryServices } from "./services.ts";

/** The environment behind {@link requireCaller}. */
export interface CallerEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { caller: Caller };
}

/**
 * The caller, or null without a token. Counted requests were authenticated when they were counted.
 *
 * @throws {AppError} For a token that is not accepted.
 */
async function callerOf(
  c: Pick<Context<HttpEnv>, "var" | "req">,
  identity: IdentityServices,
): Promise<Caller | null> {
  const { caller, tokenFailure } = c.var;
  if (caller !== null) return caller;
  if (tokenFailure !== undefined) throw tokenFailure;
  const header = c.req.header("authorization");
  return header === undefined ? null : await identity.authenticate(header);
}

/** Answers 401 without a valid token. */
export function requireCaller(identity: IdentityServices): MiddlewareHandler<CallerEnv> {
  return async function requireCaller(c, next) {
    // Without a token this throws what is to be said of that.
    c.set("caller", await callerOf(c, identity) ?? await identity.authenticate(undefined));
    await next();
  };
}

/** Sets the caller where a valid token was sent; a bad one counts as none. */
export function allowCaller(identity: IdentityServices): MiddlewareHandler<HttpEnv> {
  return async function allowCaller(c, next) {
    try {
      c.set("caller", await callerOf(c, identity));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    await next();
  };
}

/** Answers 403 to everyone but administrators. Goes after {@link requireCaller}. */
export function requireAdministrator(): MiddlewareHandler<CallerEnv> {
  return async function requireAdministrator(c, next) {
    if (!c.get("caller").isAdmin) throw administratorsOnly();
    await next();
  };
}

/** Answers 403 to a creation under another's author, whatever else is wrong with its body. */
export function requireCreate(registry: RegistryServices): MiddlewareHandler<CallerEnv> {
  return async function requireCreate(c, next) {
    await registry.authorizeCreate(c.get("caller"), await c.req.json());
    await next();
  };
}

/**
 * Answers 404 and 403 before anything else about the request is looked at, so that the order of
 * checks is 401, 404, 403, 400, then 409 and 412. Goes after {@link requireCaller}.
 */
export function requireChange(registry: RegistryServices): MiddlewareHandler<CallerEnv> {
  return async function requireChange(c, next) {
    await registry.authorizeChange(c.get("caller"), nameOf(c));
    await next();
  };
}

/** As {@link requireCreate}, for a change. Goes after `jsonBody`. */
export function requireAuthor(registry: RegistryServices): MiddlewareHandler<CallerEnv> {
  return async function requireAuthor(c, next) {
    await registry.authorizeChange(c.get("caller"), nameOf(c), await c.req.json());
    await next();
  };
}

/** As {@link requireChange}, for what only the owner and administrators may do. */
export function requireOwner(transfers: TransferServices): MiddlewareHandler<CallerEnv> {
  return async function requireOwner(c, next) {
    await transfers.authorizeOffer(c.get("caller"), nameOf(c));
    await next();
  };
}
