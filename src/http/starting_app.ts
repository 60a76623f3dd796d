/**
 * What a listener answers while Berth starts: it is alive, and everything else is to come.
 *
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { AppError } from "../errors.ts";
import type { HttpEnv } from "./environment.ts";
import { rpcBody } from "./execution_app.ts";
import type { Handler } from "./listen.ts";
import { EXECUTION_CORS, REGISTRY_CORS } from "./plumbing/cors.ts";
import { installPlumbing, type PlumbingOptions } from "./plumbing/mod.ts";
import { addHealth } from "./routes/health.ts";

/** What it needs. */
export type StartingOptions = Pick<
  PlumbingOptions,
  "log" | "now" | "newId" | "bindHost" | "publicUrl" | "trustedProxies"
>;

/**
 * 503 with `Retry-After` in the form of the listener's failures; `/healthz` is 200, for a process
 * that starts is not one to be replaced.
 */
export function startingHandler(
  listener: "registry" | "execution",
  options: StartingOptions,
): Handler {
  const app = new OpenAPIHono<HttpEnv>();
  installPlumbing(app, {
    ...options,
    ...(listener === "registry"
      ? { cors: REGISTRY_CORS }
      : { cors: EXECUTION_CORS, failureBody: rpcBody }),
  });
  addHealth(app, { start: () => Promise.reject(new Error("Berth is starting")) });
  app.all("*", () => {
    throw new AppError("unavailable", "Berth is starting: try again in a moment", {
      headers: { "Retry-After": "1" },
    });
  });
  return (request, info) => app.fetch(request, info);
}
