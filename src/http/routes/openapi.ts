/**
 * The API's description.
 *
 * @module
 */
import { type Operation, operation } from "../operation.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../environment.ts";
import { z } from "zod";
import { API, type Links } from "../links.ts";
import { describeApi } from "../openapi/document.ts";
import { ETAG, failures, json, NOT_MODIFIED } from "../openapi/responses.ts";
import { conditional, REVALIDATE } from "../preconditions.ts";

/** Address of the document. */
export const OPENAPI_PATH = `${API}/openapi.json`;

/** The document, which describes all routes that `app` has at the first request. */
export function getOpenApi(app: OpenAPIHono<HttpEnv>, links: Links): Operation {
  let document: ReturnType<typeof describeApi> | undefined;
  return operation({
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
  }, (c) => {
    document ??= describeApi(app, links.path(""));
    c.header("Cache-Control", REVALIDATE);
    return c.json({ ...document }, 200);
  });
}
