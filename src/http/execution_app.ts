/**
 * The execution listener's application.
 *
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { CODES, errorOf } from "../protocol/json_rpc.ts";
import { type BrokenBody, generalBrokenBody } from "./broken_requests.ts";
import type { Failure } from "./envelopes.ts";
import type { HttpEnv } from "./environment.ts";
import { type ExecutionAppServices, executionRoutes } from "./execution_routes.ts";
import { addRoutes } from "./operation.ts";
import { EXECUTION_CORS } from "./plumbing/cors.ts";
import { installPlumbing } from "./plumbing/install_plumbing.ts";
import { nameMetadata } from "./routes/protected_resource.ts";

const CODE_OF_STATUS: Partial<Record<number, number>> = {
  400: CODES.invalidRequest,
  500: CODES.internal,
};

/** Failures outside `/mcp`, as every failure of this listener: a JSON-RPC error with the envelope. */
export function rpcBody({ status, body }: Failure): unknown {
  const message = "detail" in body ? body.detail : body.error.message;
  return errorOf(null, { code: CODE_OF_STATUS[status] ?? CODES.server, message, data: body });
}

/** What is no HTTP request, as a failure of this listener. */
export const rpcBrokenBody: BrokenBody = (broken) =>
  errorOf(null, {
    code: CODES.invalidRequest,
    message: broken.detail,
    data: generalBrokenBody(broken),
  });

/** The application: give its `fetch` to `Deno.serve`, or requests to its `request` in tests. */
export function createExecutionApp(services: ExecutionAppServices): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  installPlumbing(app, { ...services, cors: EXECUTION_CORS, failureBody: rpcBody });
  app.use(nameMetadata(services));
  addRoutes(app, executionRoutes(services));
  return app;
}
