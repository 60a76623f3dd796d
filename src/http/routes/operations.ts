/**
 * What administrators ask of the installation: how a node does, and records of calls.
 *
 * @module
 */
import { z } from "zod";
import { CallLine, CallsQuery } from "../../audit/calls/schema.ts";
import { NodeStatus } from "../../figures/status.ts";
import { requireAdministrator, requireCaller } from "../callers.ts";
import { CALL_EXAMPLE, STATUS_EXAMPLE } from "../openapi/examples_operations.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";

const TAG = ["Operation"];
const LINES = "application/x-ndjson";

const StatusBody = NodeStatus.extend({ status: z.literal("success") }).meta({ id: "StatusBody" });

/** How this node and its installation do. */
export function getStatus({ identity, operations }: RegistryAppServices): Operation {
  return operation({
    operationId: "getStatus",
    summary: "Read the status of this node",
    description: "Administrators only. With several nodes, the one that answers tells of itself; " +
      "`nodes`, `jobs` and `database` are about all of them.",
    tags: TAG,
    security: BEARER,
    responses: {
      200: json(StatusBody, "The node as it is now", {
        example: { status: "success", ...STATUS_EXAMPLE },
      }),
      ...failures(400, 401, 403, 500, 503),
    },
    middleware: [requireCaller(identity), requireAdministrator()] as const,
  }, async (c) => c.json({ status: "success" as const, ...await operations.status() }, 200));
}

/** Records of calls, as lines of JSON. */
export function exportCalls({ identity, operations }: RegistryAppServices): Operation {
  return operation({
    operationId: "exportCalls",
    summary: "Export records of calls",
    description:
      "Administrators only. One JSON object (`CallRecord`) a line, the oldest first, without " +
      "arguments and results. Pass the last `id` as `after` to go on; an empty body means that " +
      "there is nothing more yet. Records are kept for `CALL_RECORD_DAYS`.",
    tags: TAG,
    security: BEARER,
    request: { query: CallsQuery },
    responses: {
      200: {
        description: "Records, one a line",
        content: { [LINES]: { schema: CallLine, example: CALL_EXAMPLE } },
      },
      ...failures(400, 401, 403, 500, 503),
    },
    middleware: [requireCaller(identity), requireAdministrator()] as const,
  }, async (c) => {
    const lines = await operations.calls(c.req.valid("query"));
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    return c.body(body, 200, { "Content-Type": LINES }) as never;
  });
}
