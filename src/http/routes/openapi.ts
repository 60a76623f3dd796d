/**
 * The API's description.
 *
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { HttpEnv } from "../environment.ts";
import { API, type Links } from "../links.ts";
import { describeApi } from "../openapi/document.ts";
import { ETAG, failures, json, NOT_MODIFIED } from "../openapi/responses.ts";
import { conditional, REVALIDATE } from "../preconditions.ts";

/** Address of the document. */
export const OPENAPI_PATH = `${API}/openapi.json`;

const route = createRoute({
  method: "get",
  path: OPENAPI_PATH,
  operationId: "getOpenApi",
  summary: "Get this document",
  tags: ["Documentation"],
  responses: {
    200: json(z.looseObject({ openapi: z.string() }), "OpenAPI 3.1", {
      headers: { ETag: ETAG },
      example: { openapi: "3.1.0" },
    }),
    304: NOT_MODIFIED,
    ...failures(400),
  },
  middleware: [conditional()] as const,
});

/** Adds the route to `app`; the document describes all routes that are there at the first request. */
export function addOpenApi(app: OpenAPIHono<HttpEnv>, links: Links): void {
  let document: ReturnType<typeof describeApi> | undefined;
  app.openapi(route, (c) => {
    document ??= describeApi(app, links.path(""));
    c.header("Cache-Control", REVALIDATE);
    return c.json({ ...document }, 200);
  });
}
