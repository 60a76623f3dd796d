/**
 * The description of this service that command lines and other clients begin with.
 *
 * @module
 */
import { type Operation, operation } from "../operation.ts";
import { z } from "zod";
import { failures, header, json } from "../openapi/responses.ts";
import { SERVICE_EXAMPLE, ServiceDescription } from "../service_description.ts";

const CACHE_CONTROL = "public, max-age=300";

const ServiceResponse = z.object({
  status: z.literal("success"),
  service: ServiceDescription,
}).meta({ id: "ServiceResponse" });

export function describeService(service: ServiceDescription): Operation {
  return operation(
    {
      operationId: "describeService",
      summary: "Get the URLs of this service and where to sign in",
      tags: ["Service"],
      responses: {
        200: json(ServiceResponse, "Description of the service", {
          headers: {
            "Cache-Control": header("How long the response may be cached", CACHE_CONTROL),
          },
          example: { status: "success", service: SERVICE_EXAMPLE },
        }),
        ...failures(400),
      },
    },
    (c) => c.json({ status: "success" as const, service }, 200, { "Cache-Control": CACHE_CONTROL }),
  );
}
