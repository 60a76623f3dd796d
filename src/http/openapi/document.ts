/**
 * The OpenAPI 3.1 document, generated from the routes and their schemas.
 *
 * @module
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../environment.ts";
import { addLimits, LIMIT_COMPONENTS } from "./rate_limit_headers.ts";

/** Version of the API, as in its addresses (specification, "Versioning"). */
const API_VERSION = "1.0.0";

const DESCRIPTION = `A registry of MCP servers with security reports.

Successful responses are \`{status: "success", …}\`. Failures are
\`{status: "error", detail, errors?, request_id}\`, except 401 and 403, which are
\`{success: false, error: {code, message, details}, request_id}\`. Every response allows any origin and
has an \`X-Request-Id\` header. HEAD works wherever GET does. Other methods return 405 with \`Allow\`, and
unknown methods 501. Requests are rate-limited per user, or per IP address without a valid token:
\`RateLimit\` has the remaining quota, and 429 responses have \`Retry-After\`.

Servers are called at a separate address: the execution endpoint \`/mcp?name=<server>\`, which speaks
MCP. Pass the API keys that a server needs in \`params._meta["berth/environment"]\` of \`initialize\` (an
object of strings, up to 16 KiB), or in the \`Mcp-Server-Environment\` header of the first request (that
object as base64-encoded JSON, up to 4 KiB), or each in a header of its own,
\`Mcp-Server-Env-API-KEY\`. They are kept only for that session.`;

const TAGS = [
  { name: "Servers", description: "Registered MCP servers" },
  { name: "Scans", description: "Progress and results of security scans" },
  { name: "Identity", description: "Your profile" },
  { name: "Tokens", description: "Create, list and revoke API tokens" },
  { name: "Keys", description: "Values that are kept for your sessions of servers" },
  { name: "Capabilities", description: "Servers that wait for an administrator's permission" },
  { name: "Audit", description: "Who did what and when" },
  { name: "Operation", description: "How the installation does" },
  { name: "Transfers", description: "Transfer servers to other users" },
  { name: "Authors", description: "Author names and their owners" },
  {
    name: "Payments",
    description: "Purchases and sales of paid servers, and the payment provider's webhook",
  },
  { name: "Health", description: "Health checks for load balancers and supervisors" },
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
    description: "A token from the identity provider, accepted for one hour after it is issued",
  });
  app.openAPIRegistry.registerComponent("headers", "RequestId", {
    description: "Id of the request, as in failures and in the server's log",
    schema: { type: "string", example: "0c3b6a1e-6c1e-4f0b-9a61-3f3ad1f5f2a7" },
  });
  app.openAPIRegistry.registerComponent("parameters", "ServerEnvironment", {
    name: "Mcp-Server-Environment",
    in: "header",
    required: false,
    description:
      "Execution endpoint, first request of a session: environment variables for the server, as a base64-encoded JSON object of strings",
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
