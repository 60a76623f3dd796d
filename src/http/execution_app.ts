/**
 * The execution listener's application.
 *
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Transport } from "../execution/transport/transport.ts";
import type { Logger } from "../log.ts";
import { CODES, errorOf } from "../protocol/json_rpc.ts";
import { type BrokenBody, generalBrokenBody } from "./broken_requests.ts";
import type { Failure } from "./envelopes.ts";
import type { HttpEnv } from "./environment.ts";
import { EXECUTION_CORS } from "./plumbing/cors.ts";
import type { HttpMetrics } from "./plumbing/count_requests.ts";
import { installPlumbing } from "./plumbing/mod.ts";
import { addHealth, type Checks } from "./routes/health.ts";
import { addMcp } from "./routes/mcp.ts";
import { addProtectedResource, nameMetadata } from "./routes/protected_resource.ts";

/** Everything that the execution listener needs. */
export interface ExecutionAppServices {
  log: Logger;
  now: () => Date;
  newId: () => string;
  /** Address that the listener binds. */
  bindHost: string;
  /** Public address of the listener, without a trailing slash. */
  publicUrl: string;
  /** Addresses and blocks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** What must work for this node to be ready, by name; a check throws when it does not. */
  checks: Checks;
  transport: Transport;
  /** Where requests are counted. */
  metrics?: HttpMetrics;
  /** Issuer of the tokens that count here; null without one. */
  issuer: string | null;
}

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
  addMcp(app, services.transport);
  addProtectedResource(app, services);
  addHealth(app, services.checks);
  return app;
}
