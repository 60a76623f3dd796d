/**
 * The audit log: all of it for administrators, a server's part for its owner.
 *
 * @module
 */
import { z } from "zod";
import { AuditEntry, AuditQuery, ServerAuditEntry, ServerAuditQuery } from "../../audit/schema.ts";
import { requireAdministrator, requireCaller, requireChange } from "../callers.ts";
import type { Links } from "../links.ts";
import { AUDIT_EXAMPLE, SERVER_AUDIT_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, header, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

function pageOf<T extends z.ZodType>(entry: T) {
  return z.object({
    status: z.literal("success"),
    total: z.int().meta({ description: "Number of entries in this response" }),
    next_cursor: z.string().optional().meta({ description: "Present when there are more entries" }),
    entries: z.array(entry),
  });
}

const AuditList = pageOf(AuditEntry).meta({ id: "AuditList" });
const ServerAuditList = pageOf(ServerAuditEntry).meta({ id: "ServerAuditList" });

const TAG = ["Audit"];

function nextLink(path: string) {
  return { Link: header('The next page, rel="next"', `<${path}?cursor=abc>; rel=next`, false) };
}

function bodyOf<T>({ entries, nextCursor }: { entries: T[]; nextCursor: string | null }) {
  return {
    status: "success" as const,
    total: entries.length,
    ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
    entries,
  };
}

function linkTo(links: Links, url: string, nextCursor: string | null): Record<string, string> {
  if (nextCursor === null) return {};
  const { pathname, searchParams } = new URL(url);
  searchParams.set("cursor", nextCursor);
  return { Link: `<${links.path(pathname)}?${searchParams}>; rel="next"` };
}

export function listAudit({ identity, audit }: RegistryAppServices, links: Links): Operation {
  return operation({
    operationId: "listAudit",
    summary: "Read the audit log",
    description:
      "Administrators only. Newest first. Pass `next_cursor` as `cursor` to get the next page.",
    tags: TAG,
    security: BEARER,
    request: { query: AuditQuery },
    responses: {
      200: json(AuditList, "Matching entries", {
        headers: nextLink("/api/v1/audit"),
        example: { status: "success", total: 1, entries: [AUDIT_EXAMPLE] },
      }),
      ...failures(400, 401, 403, 500, 503),
    },
    middleware: [requireCaller(identity), requireAdministrator()] as const,
  }, async (c) => {
    const page = await audit.list(c.req.valid("query"));
    return c.json(bodyOf(page), 200, linkTo(links, c.req.url, page.nextCursor));
  });
}

export function listServerAudit(
  { identity, registry, audit }: RegistryAppServices,
  links: Links,
): Operation {
  return operation({
    operationId: "listServerAudit",
    summary: "Read a server's audit log",
    description: "Owner and administrators only. Changes to the server, and requests a policy " +
      "refused, since it was registered. Newest first. Pass `next_cursor` as `cursor` " +
      "to get the next page.",
    tags: TAG,
    security: BEARER,
    request: { params: NameParameter, query: ServerAuditQuery },
    responses: {
      200: json(ServerAuditList, "Matching entries", {
        headers: nextLink("/api/v1/servers/weather/audit"),
        example: { status: "success", total: 1, entries: [SERVER_AUDIT_EXAMPLE] },
      }),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity), requireChange(registry)] as const,
  }, async (c) => {
    const page = await audit.listOfServer(c.get("caller"), nameOf(c), c.req.valid("query"));
    return c.json(bodyOf(page), 200, linkTo(links, c.req.url, page.nextCursor));
  });
}
