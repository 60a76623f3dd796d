/**
 * The description of this service that command lines and other clients begin with.
 *
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { HttpEnv } from "../environment.ts";
import { failures, header, json } from "../openapi/responses.ts";
import { SERVICE_EXAMPLE, ServiceDescription } from "../service_description.ts";

const CACHE_CONTROL = "public, max-age=300";

const ServiceResponse = z.object({
  status: z.literal("success"),
  service: ServiceDescription,
}).meta({ id: "ServiceResponse" });

const route = createRoute({
  method: "get",
  path: "/.well-known/berth",
  operationId: "describeService",
  summary: "Addresses of this service, and where to sign in",
  tags: ["Service"],
  responses: {
    200: json(ServiceResponse, "The service", {
      headers: { "Cache-Control": header("How long it may be kept", CACHE_CONTROL) },
      example: { status: "success", service: SERVICE_EXAMPLE },
    }),
    ...failures(400),
  },
});

/** Adds the route to `app`. */
export function addService(app: OpenAPIHono<HttpEnv>, service: ServiceDescription): void {
  app.openapi(
    route,
    (c) => c.json({ status: "success" as const, service }, 200, { "Cache-Control": CACHE_CONTROL }),
  );
}
