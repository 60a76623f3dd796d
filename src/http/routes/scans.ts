/**
 * Scans, running and ended.
 *
 * @module
 */
import { z } from "zod";
import type { Caller } from "../../identity/caller.ts";
import { scanNotFound } from "../../registry/failures.ts";
import { allowCaller } from "../callers.ts";
import { acceptsEvents, eventStream, type StreamEvent } from "../event_stream.ts";
import { SCAN_EXAMPLE } from "../openapi/examples.ts";
import { failures, json } from "../openapi/responses.ts";
import { ShownScan, showScan } from "../scan_view.ts";
import { CYCLONEDX_TYPE, cyclonedxOf } from "../../scan/export/cyclonedx.ts";
import { SARIF_TYPE, sarifOf } from "../../scan/export/sarif.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";

const ScanResponse = z.object({ status: z.literal("success"), scan: ShownScan })
  .meta({ id: "ScanResponse" });

const SCAN_ID = /^[\w-]{1,64}$/;

const FOUND = json(ScanResponse, "The scan", {
  example: { status: "success", scan: SCAN_EXAMPLE },
});

/** The format of reports that `accept` names before anything else of ours; null for none. */
function exportFormat(accept: string | undefined): string | null {
  for (const range of (accept ?? "").split(",")) {
    const [type, ...parameters] = range.toLowerCase().split(";").map((part) => part.trim());
    if (parameters.some((part) => /^q=0(\.0*)?$/.test(part))) continue;
    if (type === SARIF_TYPE || type === CYCLONEDX_TYPE) return type;
    if (type === "application/json" || type === "text/event-stream") return null;
  }
  return null;
}

/** Get a scan's progress and result. */
export function getScan(services: RegistryAppServices): Operation {
  const { identity, registry } = services;

  async function* events(
    id: string,
    caller: Caller | null,
    signal: AbortSignal,
  ): AsyncIterable<StreamEvent> {
    for await (const scan of registry.watchScan(id, caller, signal)) {
      yield { event: scan.state === "running" ? "scan" : "end", data: showScan(scan) };
    }
  }

  return operation({
    operationId: "getScan",
    summary: "Get a scan's progress and result",
    description:
      "Once the result is stored, for everyone who may read the server; until then, only for " +
      "the user who started it. With `Accept: text/event-stream`: a `scan` event for each change, and a " +
      "final `end` event. With `application/sarif+json`: the report of a stored scan " +
      "as SARIF 2.1.0. With `application/vnd.cyclonedx+json`: its dependencies as a " +
      "CycloneDX 1.6 bill of materials.",
    tags: ["Scans"],
    security: [{}, { bearer: [] }],
    request: {
      params: z.object({
        id: z.string().meta({ description: "Id of the scan, as in Location", example: "b3de4f0b" }),
      }),
      headers: z.object({
        accept: z.string().optional().meta({
          description: "`text/event-stream` for events, or the media type of a report format",
          example: "application/json",
        }),
      }),
    },
    responses: {
      200: {
        ...FOUND,
        content: {
          ...FOUND.content,
          "text/event-stream": {
            schema: z.string().meta({ description: "Events whose data is a Scan as JSON" }),
          },
          [SARIF_TYPE]: { schema: z.looseObject({ version: z.literal("2.1.0") }) },
          [CYCLONEDX_TYPE]: { schema: z.looseObject({ bomFormat: z.literal("CycloneDX") }) },
        },
      },
      ...failures(400, 404, 500),
    },
    middleware: [allowCaller(identity)] as const,
  }, async (c) => {
    const { id } = c.req.valid("param");
    if (!SCAN_ID.test(id)) throw scanNotFound();
    const caller = c.get("caller");
    // Asked for first: a failure must be a status, not the end of a stream.
    const scan = await registry.scan(id, caller);
    c.header("Vary", "Accept, Authorization");
    const format = exportFormat(c.req.valid("header").accept);
    if (format !== null) {
      const { report, server, version } = await registry.scanReport(id, caller);
      const document = format === SARIF_TYPE
        ? sarifOf(report, { server })
        : cyclonedxOf(report, { server, version, scanId: id });
      return c.body(JSON.stringify(document), 200, { "Content-Type": format });
    }
    if (acceptsEvents(c.req.valid("header").accept)) {
      const log = c.get("log");
      return eventStream((signal) => events(id, caller, signal), {
        onFailure: (error) => log.error("http.stream_failed", { error }),
        closing: services.closing,
      });
    }
    return c.json({ status: "success" as const, scan: showScan(scan) }, 200);
  });
}
