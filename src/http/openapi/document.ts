/**
 * The OpenAPI 3.1 document, generated from the routes and their schemas.
 *
 * @module
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../environment.ts";
import { addLimits, LIMIT_COMPONENTS } from "./rate_limit_headers.ts";

/** Version of the API, as in its addresses (specification, "Versioning"). */
export const API_VERSION = "1.0.0";

const DESCRIPTION = `A registry of MCP servers with security reports.

Success is \`{status: "success", …}\`. Failures are \`{status: "error", detail, errors?, request_id}\`,
but 401 and 403 are \`{success: false, error: {code, message, details}, request_id}\`. Every response
allows any origin and carries \`X-Request-Id\`. HEAD works wherever GET does; other methods are
answered with 405 and \`Allow\`, those that are no method here with 501. Requests are limited by user,
and by address without a valid token: \`RateLimit\` says what is left, and 429 comes with
\`Retry-After\`.

Servers are called at another address, the execution endpoint \`/mcp?name=<server>\`, which speaks MCP.
Keys that a server needs go there: in \`params._meta["berth/environment"]\` of \`initialize\` (an object
of texts, 16 KiB), or in the header \`Mcp-Server-Environment\` of the first request (base64 of that
object's JSON, 4 KiB). They live in that session only.`;

const TAGS = [
  { name: "Servers", description: "Registered MCP servers" },
  { name: "Scans", description: "Progress and outcome of security scans" },
  { name: "Identity", description: "Who you are here" },
  { name: "Tokens", description: "API tokens: made, listed, revoked" },
  { name: "Audit", description: "Who did what, when" },
  { name: "Transfers", description: "Servers that are offered to another user" },
  { name: "Authors", description: "Author names and who owns them" },
  { name: "Payments", description: "Paid servers: purchases, sales, the provider's webhook" },
  { name: "Health", description: "For load balancers and supervisors" },
  { name: "Documentation", description: "This document" },
];

interface Responses {
  [status: string]: { headers?: Record<string, unknown> };
}

/** Adds what every response has to each of them. */
function addCommonHeaders(paths: Record<string, unknown>): void {
  for (const operations of Object.values(paths) as Record<string, { responses?: Responses }>[]) {
    for (const { responses } of Object.values(operations)) {
      for (const response of Object.values(responses ?? {})) {
        response.headers = {
          ...response.headers,
          "X-Request-Id": { $ref: "#/components/headers/RequestId" },
        };
      }
    }
  }
}

/** The document of `app`, whose addresses are below `base` (a path, or empty). */
export function describeApi(app: OpenAPIHono<HttpEnv>, base: string) {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A token of the identity provider, accepted for an hour after its issue",
  });
  app.openAPIRegistry.registerComponent("headers", "RequestId", {
    description: "Id of the request, as in failures and in the operator's log",
    schema: { type: "string", example: "0c3b6a1e-6c1e-4f0b-9a61-3f3ad1f5f2a7" },
  });
  app.openAPIRegistry.registerComponent("parameters", "ServerEnvironment", {
    name: "Mcp-Server-Environment",
    in: "header",
    required: false,
    description:
      "Execution endpoint, first request of a session: environment variables of the server, as base64 of a JSON object of texts",
    schema: { type: "string", maxLength: 4096, example: "eyJBUElfS0VZIjoi4oCmIn0=" },
  });
  for (const [name, header] of Object.entries(LIMIT_COMPONENTS)) {
    app.openAPIRegistry.registerComponent("headers", name, header);
  }
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Berth registry API",
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT" },
    },
    servers: [{ url: base === "" ? "/" : base, description: "This registry" }],
    tags: TAGS,
  });
  addLimits(document.paths ?? {});
  addCommonHeaders(document.paths ?? {});
  return document;
}
