/**
 * Reading servers: list, detail, archive. What a caller may not read is not there.
 *
 * @module
 */
import type { Context } from "hono";
import { z } from "zod";
import { ListQuery, ServerDetail, ServerListed } from "../../registry/schema.ts";
import { allowCaller } from "../callers.ts";
import type { HttpEnv } from "../environment.ts";
import { kept } from "../kept/kept.ts";
import type { Shelf } from "../kept/shelf.ts";
import type { Links } from "../links.ts";
import { DETAIL_EXAMPLE, LISTED_EXAMPLE } from "../openapi/examples.ts";
import { ETAG, failures, header, json, NOT_MODIFIED } from "../openapi/responses.ts";
import { cacheControlFor, conditional, PRIVATE, REVALIDATE } from "../preconditions.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter, SERVERS_PATH, SERVERS_TAG } from "./server_parameters.ts";

const ServerList = z.object({
  status: z.literal("success"),
  total: z.int().meta({ description: "Number of servers in this response" }),
  total_matching: z.int().meta({ description: "Number of matching servers on all pages" }),
  next_cursor: z.string().optional().meta({ description: "Present when there are more servers" }),
  previous_cursor: z.string().optional().meta({ description: "Absent on the first page" }),
  servers: z.array(ServerListed),
}).meta({ id: "ServerList" });

/** A server, as `get`, `create` and `update` answer. */
export const ServerResponse = z.object({
  status: z.literal("success"),
  message: z.string().optional(),
  server: ServerDetail,
}).meta({ id: "ServerResponse" });

/** The link from the page that `url` asks for to the one with this cursor. */
function linkTo(links: Links, url: string, [cursor, rel]: [string, "next" | "prev"]): string {
  const query = new URL(url).searchParams;
  query.set("cursor", cursor);
  return `<${links.path(SERVERS_PATH)}?${query}>; rel="${rel}"`;
}

export function listServers(
  { identity, registry }: RegistryAppServices,
  links: Links,
  shelf: Shelf,
): Operation {
  const isForAll = async (c: Context<HttpEnv>) =>
    await registry.viewer(c.get("caller"), c.get("mark")) === null;
  return operation({
    operationId: "listServers",
    summary: "List servers",
    description: "Public servers; with a token, also the others that the caller may read. Pass " +
      "`next_cursor` or `previous_cursor` as `cursor` to page forward or back. Unknown parameters " +
      "are rejected.",
    tags: SERVERS_TAG,
    security: [{}, { bearer: [] }],
    request: { query: ListQuery },
    responses: {
      200: json(ServerList, "Matching servers", {
        headers: {
          ETag: ETAG,
          Link: header(
            'The next page, rel="next", and the previous page, rel="prev"',
            "</api/v1/servers?cursor=abc>; rel=next",
            false,
          ),
        },
        example: { status: "success", total: 1, total_matching: 1, servers: [LISTED_EXAMPLE] },
      }),
      304: NOT_MODIFIED,
      ...failures(400, 500),
    },
    middleware: [allowCaller(identity), kept(shelf, { isForAll })] as const,
  }, async (c) => {
    const viewer = await registry.viewer(c.get("caller"), c.get("mark"));
    const page = await registry.list(c.req.valid("query"), viewer);
    const { servers, nextCursor, previousCursor, totalMatching } = page;
    c.header("Cache-Control", viewer === null ? REVALIDATE : PRIVATE);
    const pages = [[nextCursor, "next"], [previousCursor, "prev"]] as const;
    const others = pages.filter((page): page is [string, "next" | "prev"] => page[0] !== null)
      .map((page) => linkTo(links, c.req.url, page));
    if (others.length > 0) c.header("Link", others.join(", "));
    return c.json({
      status: "success" as const,
      total: servers.length,
      total_matching: totalMatching,
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      ...(previousCursor === null ? {} : { previous_cursor: previousCursor }),
      servers,
    }, 200);
  });
}

export function getServer({ identity, registry }: RegistryAppServices, shelf: Shelf): Operation {
  return operation({
    operationId: "getServer",
    summary: "Get a server",
    description: "Includes the full security report. 404 also where the caller may not read it.",
    tags: SERVERS_TAG,
    security: [{}, { bearer: [] }],
    request: { params: NameParameter },
    responses: {
      200: json(ServerResponse, "The server", {
        headers: { ETag: ETAG },
        example: { status: "success", server: DETAIL_EXAMPLE },
      }),
      304: NOT_MODIFIED,
      ...failures(400, 404, 500),
    },
    middleware: [
      kept(shelf, { about: (c) => c.req.param("name") ?? null }),
      allowCaller(identity),
    ] as const,
  }, async (c) => {
    const { server, etag } = await registry.get(nameOf(c), c.get("caller"));
    c.header("Cache-Control", cacheControlFor(server.visibility));
    c.header("ETag", etag);
    return c.json({ status: "success" as const, server }, 200);
  });
}

export function getServerArchive({ identity, registry }: RegistryAppServices): Operation {
  return operation({
    operationId: "getServerArchive",
    summary: "Get the scanned archive",
    description: "The exact bytes that were scanned and are run. The entity tag is their SHA-256.",
    tags: SERVERS_TAG,
    security: [{}, { bearer: [] }],
    request: { params: NameParameter },
    responses: {
      200: {
        description: "A gzipped tar archive",
        content: { "application/gzip": { schema: z.string().meta({ format: "binary" }) } },
        headers: {
          ETag: header("SHA-256 of the archive", `"${"0".repeat(64)}"`),
          "Content-Disposition": header("File name", 'attachment; filename="weather.tar.gz"'),
        },
      },
      304: NOT_MODIFIED,
      ...failures(400, 404, 500),
    },
    middleware: [conditional(), allowCaller(identity)] as const,
  }, async (c) => {
    const name = nameOf(c);
    const { bytes, sha256, visibility } = await registry.archive(name, c.get("caller"));
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
      "Content-Type": "application/gzip",
      "Content-Disposition": `attachment; filename="${name}.tar.gz"`,
      "Cache-Control": cacheControlFor(visibility),
      Vary: "Authorization",
      ETag: `"${sha256}"`,
    });
  });
}
