/**
 * How much a server is used.
 *
 * @module
 */
import { z } from "zod";
import { Usage } from "../../registry/usage/history.ts";
import { allowCaller } from "../callers.ts";
import { failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter, SERVERS_TAG } from "./server_parameters.ts";

const UsageResponse = z.object({ status: z.literal("success"), usage: Usage })
  .meta({ id: "UsageResponse" });

export function getServerUsage({ identity, registry }: RegistryAppServices): Operation {
  return operation({
    operationId: "getServerUsage",
    summary: "Get a server's usage",
    description:
      "Calls of tools on this installation, by day. Counted within seconds of the call; " +
      "`sort=popular` follows within minutes.",
    tags: SERVERS_TAG,
    security: [{}, { bearer: [] }],
    request: { params: NameParameter },
    responses: {
      200: json(UsageResponse, "The usage", {
        example: {
          status: "success",
          usage: { total: 42, days: [{ day: "2026-05-01", calls: 42 }] },
        },
      }),
      ...failures(400, 404, 500),
    },
    middleware: [allowCaller(identity)] as const,
  }, async (c) => {
    const usage = await registry.usage(nameOf(c), c.get("caller"));
    return c.json({ status: "success" as const, usage }, 200);
  });
}
