/**
 * Public routes of servers: list, detail, archive.
 *
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { ListQuery, ServerDetail, ServerListed } from "../../registry/schema.ts";
import type { HttpEnv } from "../environment.ts";
import type { Links } from "../links.ts";
import { DETAIL_EXAMPLE, LISTED_EXAMPLE } from "../openapi/examples.ts";
import { ETAG, failures, header, json, NOT_MODIFIED } from "../openapi/responses.ts";
import { conditional, REVALIDATE } from "../preconditions.ts";
import type { RegistryAppServices } from "../services.ts";
import {
  nameOf,
  NameParameter,
  SERVER_PATH,
  SERVERS_PATH,
  SERVERS_TAG,
} from "./server_parameters.ts";

const ServerList = z.object({
  status: z.literal("success"),
  total: z.int().meta({ description: "Number of servers in this response" }),
  total_matching: z.int().meta({ description: "Number of servers that match, on all pages" }),
  next_cursor: z.string().optional().meta({ description: "Present when more servers match" }),
  servers: z.array(ServerListed),
}).meta({ id: "ServerList" });

/** A server, as `get`, `create` and `update` answer. */
export const ServerResponse = z.object({
  status: z.literal("success"),
  message: z.string().optional(),
  server: ServerDetail,
}).meta({ id: "ServerResponse" });

const listRoute = createRoute({
  method: "get",
  path: SERVERS_PATH,
  operationId: "listServers",
  summary: "List servers",
  description: "Public. Pages follow `next_cursor`; unknown parameters are refused by name.",
  tags: SERVERS_TAG,
  request: { query: ListQuery },
  responses: {
    200: json(ServerList, "Servers that match", {
      headers: {
        ETag: ETAG,
        Link: header('The next page, rel="next"', "</api/v1/servers?cursor=abc>; rel=next", false),
      },
      example: { status: "success", total: 1, total_matching: 1, servers: [LISTED_EXAMPLE] },
    }),
    304: NOT_MODIFIED,
    ...failures(400, 500),
  },
  middleware: [conditional()] as const,
});

const getRoute = createRoute({
  method: "get",
  path: SERVER_PATH,
  operationId: "getServer",
  summary: "Get a server",
  description: "Public. With the whole security report.",
  tags: SERVERS_TAG,
  request: { params: NameParameter },
  responses: {
    200: json(ServerResponse, "The server", {
      headers: { ETag: ETAG },
      example: { status: "success", server: DETAIL_EXAMPLE },
    }),
    304: NOT_MODIFIED,
    ...failures(400, 404, 500),
  },
  middleware: [conditional()] as const,
});

const archiveRoute = createRoute({
  method: "get",
  path: `${SERVER_PATH}/archive`,
  operationId: "getServerArchive",
  summary: "Get the scanned archive",
  description: "Public. The bytes that were scanned and that run; the entity tag is their SHA-256.",
  tags: SERVERS_TAG,
  request: { params: NameParameter },
  responses: {
    200: {
      description: "A gzipped tar archive",
      content: { "application/gzip": { schema: z.string().meta({ format: "binary" }) } },
      headers: {
        ETag: header("SHA-256 of the bytes", `"${"0".repeat(64)}"`),
        "Content-Disposition": header("File name", 'attachment; filename="weather.tar.gz"'),
      },
    },
    304: NOT_MODIFIED,
    ...failures(400, 404, 500),
  },
  middleware: [conditional()] as const,
});

/** The address of the page after the one that `url` asks for. */
function nextPage(links: Links, url: string, cursor: string): string {
  const query = new URL(url).searchParams;
  query.set("cursor", cursor);
  return `${links.path(SERVERS_PATH)}?${query}`;
}

/** Adds the routes to `app`. */
export function addServerReads(
  app: OpenAPIHono<HttpEnv>,
  { registry }: RegistryAppServices,
  links: Links,
): void {
  app.openapi(listRoute, async (c) => {
    const { servers, nextCursor, totalMatching } = await registry.list(c.req.valid("query"));
    c.header("Cache-Control", REVALIDATE);
    if (nextCursor !== null) {
      c.header("Link", `<${nextPage(links, c.req.url, nextCursor)}>; rel="next"`);
    }
    return c.json({
      status: "success" as const,
      total: servers.length,
      total_matching: totalMatching,
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      servers,
    }, 200);
  });

  app.openapi(getRoute, async (c) => {
    const { server, etag } = await registry.get(nameOf(c));
    c.header("Cache-Control", REVALIDATE);
    c.header("ETag", etag);
    return c.json({ status: "success" as const, server }, 200);
  });

  app.openapi(archiveRoute, async (c) => {
    const name = nameOf(c);
    const { bytes, sha256 } = await registry.archive(name);
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
      "Content-Type": "application/gzip",
      "Content-Disposition": `attachment; filename="${name}.tar.gz"`,
      "Cache-Control": REVALIDATE,
      ETag: `"${sha256}"`,
    });
  });
}
