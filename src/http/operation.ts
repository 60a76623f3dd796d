/**
 * Operations: what a route does and how the OpenAPI document describes it. At which method and path
 * it stands is said by the table of the listener's routes.
 *
 * @module
 */
import {
  createRoute,
  type OpenAPIHono,
  type RouteConfig,
  type RouteConfigToEnv,
  type RouteHandler,
} from "@hono/zod-openapi";
import type { Handler } from "hono";
import type { HttpEnv } from "./environment.ts";

/** `all` stands for every HTTP method. */
export type Method = "get" | "put" | "post" | "delete" | "all";

/** Adds itself to `app` under a method and a path. */
export type Operation = (app: OpenAPIHono<HttpEnv>, method: Method, path: string) => void;

/** A route: method, path, what it does. Paths of described operations name parameters `{so}`. */
export type Route = readonly [method: Method, path: string, operation: Operation];

type Description = Omit<RouteConfig, "method" | "path">;
type At<D extends Description> = D & { method: "get"; path: string };
type EnvOf<D extends Description> = D extends { middleware: readonly unknown[] }
  ? RouteConfigToEnv<At<D>> & HttpEnv
  : HttpEnv;

/** An operation of the API, which the OpenAPI document describes and whose input is validated. */
export function operation<const D extends Description>(
  description: D,
  handler: RouteHandler<At<D>, EnvOf<D>>,
): Operation {
  return (app, method, path) => {
    const route = createRoute({ ...description, method, path } as RouteConfig);
    // Checked above, where the description's own type is known.
    app.openapi(route, handler as never);
  };
}

/** An operation that the OpenAPI document leaves out. */
export function undescribed(handler: Handler<HttpEnv>): Operation {
  return (app, method, path) => void app[method](path, handler);
}

/** Adds `routes` to `app`, in their order. */
export function addRoutes(app: OpenAPIHono<HttpEnv>, routes: readonly Route[]): void {
  for (const [method, path, add] of routes) add(app, method, path);
}
