/**
 * What the limits of requests add to the description of every operation that is counted.
 *
 * @module
 */
import { isCounted } from "../plumbing/rate_limit.ts";
import { failures } from "./responses.ts";

interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: unknown;
}

/** Headers that the document's responses refer to. */
export const LIMIT_COMPONENTS = {
  RateLimit: {
    description: "Remaining quota, and seconds until it is restored",
    schema: { type: "string" as const, example: '"public";r=42;t=1260' },
  },
  RateLimitPolicy: {
    description: "The limit: number of requests, and its window in seconds",
    schema: { type: "string" as const, example: '"public";q=100;w=3600' },
  },
};

const HEADERS = {
  RateLimit: { $ref: "#/components/headers/RateLimit" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
};

/** A failure as the document has it, once the schemas of all routes have names. */
function described(status: 429 | 503): Response {
  const { description, headers, content } = failures(status)[status];
  const { example } = content["application/json"];
  const schema = { $ref: "#/components/schemas/Failure" };
  return {
    description,
    headers: { ...headers },
    content: { "application/json": { schema, example } },
  };
}

/** Adds to the `paths` of a document: 429, 503 without the database, and the fields. */
export function addLimits(paths: Record<string, unknown>): void {
  for (const [path, operations] of Object.entries(paths)) {
    if (!isCounted(path)) continue;
    for (const operation of Object.values(operations as object)) {
      const { responses } = operation as { responses: Record<string, Response> };
      for (const status of [429, 503] as const) responses[status] ??= described(status);
      for (const response of Object.values(responses)) {
        response.headers = { ...response.headers, ...HEADERS };
      }
    }
  }
}
