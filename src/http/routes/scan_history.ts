/**
 * The scans of a server, and their reports.
 *
 * @module
 */
import { z } from "zod";
import { scanNotFound } from "../../registry/failures.ts";
import { HistoryEntry, HistoryQuery } from "../../registry/scanning/scan_schema.ts";
import { Finding, SecurityReport } from "../../scan/schema.ts";
import { allowCaller } from "../callers.ts";
import { kept } from "../kept/kept.ts";
import type { Shelf } from "../kept/shelf.ts";
import type { Links } from "../links.ts";
import { DETAIL_EXAMPLE, HISTORY_EXAMPLE, NEW_FINDING_EXAMPLE } from "../openapi/examples.ts";
import { ETAG, failures, header, json, NOT_MODIFIED } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import { cacheControlFor } from "../preconditions.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

const History = z.object({
  status: z.literal("success"),
  total: z.int().meta({ description: "Number of scans in this response" }),
  next_cursor: z.string().optional().meta({ description: "Present when there are older scans" }),
  scans: z.array(HistoryEntry),
}).meta({ id: "ScanHistory" });

const ReportResponse = z.object({
  status: z.literal("success"),
  scan: z.string().meta({ description: "Id of the scan" }),
  server: z.string(),
  version: z.string(),
  report: SecurityReport,
  comparison: z.object({
    with: z.string().nullable().meta({
      description: "Id of the scan compared with; null for the first scan",
    }),
    new: z.array(Finding),
    fixed: z.array(Finding),
    unchanged: z.int().min(0),
  }).meta({ id: "ReportComparison" }),
}).meta({ id: "ScanReportResponse" });

const REPORT_EXAMPLE = {
  status: "success",
  scan: HISTORY_EXAMPLE.id,
  server: "weather",
  version: "1.1.0",
  report: DETAIL_EXAMPLE.security_report,
  comparison: {
    with: HISTORY_EXAMPLE.previous,
    new: [NEW_FINDING_EXAMPLE],
    fixed: [],
    unchanged: 4,
  },
};

export function listServerScans(
  { identity, registry }: RegistryAppServices,
  links: Links,
): Operation {
  return operation({
    operationId: "listServerScans",
    summary: "List a server's scans",
    description: "Stored scans, newest first, each with its new and fixed findings.",
    tags: ["Scans"],
    security: [{}, { bearer: [] }],
    request: { params: NameParameter, query: HistoryQuery },
    responses: {
      200: json(History, "Scans of the server", {
        example: { status: "success", total: 1, scans: [HISTORY_EXAMPLE] },
        headers: { Link: header('The next page, rel="next"', "<…>; rel=next", false) },
      }),
      ...failures(400, 404, 500),
    },
    middleware: [allowCaller(identity)] as const,
  }, async (c) => {
    const name = nameOf(c);
    const query = c.req.valid("query");
    const { scans, nextCursor } = await registry.scans(name, query, c.get("caller"));
    if (nextCursor !== null) {
      const next = new URLSearchParams({ limit: String(query.limit), cursor: nextCursor });
      const path = `${links.server(name)}/scans`;
      c.header("Link", `<${path}?${next}>; rel="next"`);
    }
    return c.json({
      status: "success" as const,
      total: scans.length,
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      scans,
    }, 200);
  });
}

export function getScanReport(
  { identity, registry }: RegistryAppServices,
  shelf: Shelf,
): Operation {
  return operation({
    operationId: "getScanReport",
    summary: "Get a scan's report",
    description: "The report as it was stored, compared with the previous scan or another one.",
    tags: ["Scans"],
    security: [{}, { bearer: [] }],
    request: {
      params: z.object({ id: z.string().meta({ example: "b3de4f0b" }) }),
      query: z.strictObject({
        compare: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/).optional().meta({
          description: "Id of another stored scan of the same server",
          example: "b3de4f0b",
        }),
      }),
    },
    responses: {
      200: json(ReportResponse, "The report", {
        example: REPORT_EXAMPLE,
        headers: { ETag: ETAG },
      }),
      304: NOT_MODIFIED,
      ...failures(400, 404, 500),
    },
    middleware: [kept(shelf), allowCaller(identity)] as const,
  }, async (c) => {
    const { id } = c.req.valid("param");
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw scanNotFound();
    const { compare } = c.req.valid("query");
    const { kept: found, with: other, comparison } = await registry.compareScan(
      id,
      c.get("caller"),
      compare,
    );
    c.set("about", found.server);
    c.header("Cache-Control", cacheControlFor(found.visibility));
    return c.json({
      status: "success" as const,
      scan: found.scanId,
      server: found.server,
      version: found.version,
      report: found.report,
      comparison: { with: other, ...comparison },
    }, 200);
  });
}
