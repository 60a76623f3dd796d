/**
 * Clients at services at which users sign in for a server, and what Berth says of itself there. The
 * sign-ins themselves are pages.
 *
 * @module
 */
import { z } from "zod";
import { StoreClient, StoredClient } from "../../connections/owner_clients.ts";
import { VariableName } from "../../keys/variables.ts";
import { requireCaller } from "../callers.ts";
import { CLIENT_DOCUMENT_EXAMPLE, CLIENT_EXAMPLE } from "../openapi/examples_keys.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

const VariableParameter = NameParameter.extend({ variable: VariableName });
const COMMON = { tags: ["Keys"], security: BEARER };
const NO_STORE = { "Cache-Control": "no-store" };
const status = "success" as const;

const ClientResponse = z.object({ status: z.literal("success"), client: StoredClient })
  .meta({ id: "ServiceClient" });
const DoneResponse = z.object({ status: z.literal("success"), message: z.string() })
  .meta({ id: "ServiceClientChanged" });

const Document = z.object({
  client_id: z.string(),
  client_name: z.string(),
  client_uri: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal("none"),
  scope: z.string().optional(),
}).meta({ id: "ServiceClientDocument" });

function done(description: string, message: string) {
  return json(DoneResponse, description, { example: { status, message } });
}

export function getClient({ identity, connections }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "getServiceClient",
    summary: "Show how a client is registered at the service of a variable",
    description: "For variables with `oauth`: the redirect address to register, and whether the " +
      "owner has stored a client. Never includes the secret.",
    request: { params: VariableParameter },
    responses: {
      200: json(ClientResponse, "Without the secret", {
        example: { status, client: CLIENT_EXAMPLE },
      }),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const place = { server: nameOf(c), variable: c.req.valid("param").variable };
    const client = await connections.client(c.get("caller"), place);
    return c.json({ status, client }, 200, NO_STORE);
  });
}

export function storeClient({ identity, connections }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "storeServiceClient",
    summary: "Store a client at the service of a variable",
    description: "Used for sign-ins of all users of the server, as long as its owner and the " +
      "service are the same. 409 where the operator keeps nothing (SECRETS_KEY).",
    request: {
      params: VariableParameter,
      body: {
        required: true,
        content: {
          "application/json": {
            schema: StoreClient,
            example: { client_id: "Iv1.8a61f9b3a7aba766", client_secret: "s3cr3t-value" },
          },
        },
      },
    },
    responses: {
      200: done("The client is stored", "Stored the client for GITHUB_TOKEN"),
      ...failures(400, 401, 403, 404, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), jsonBody()] as const,
  }, async (c) => {
    const place = { server: nameOf(c), variable: c.req.valid("param").variable };
    const context = { requestId: c.get("requestId") };
    await connections.storeClient(c.get("caller"), place, c.req.valid("json"), context);
    return c.json({ status, message: `Stored the client for ${place.variable}` }, 200);
  });
}

export function removeClient({ identity, connections }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeServiceClient",
    summary: "Remove a client at the service of a variable",
    description: "What is connected goes on until its tokens run out.",
    request: { params: VariableParameter },
    responses: {
      200: done("The client is gone", "Removed the client for GITHUB_TOKEN"),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const place = { server: nameOf(c), variable: c.req.valid("param").variable };
    const context = { requestId: c.get("requestId") };
    await connections.removeClient(c.get("caller"), place, context);
    return c.json({ status, message: `Removed the client for ${place.variable}` }, 200);
  });
}

export function clientDocument({ connections }: RegistryAppServices): Operation {
  return operation({
    tags: ["Keys"],
    operationId: "getServiceClientDocument",
    summary: "What Berth says of itself to the service of a variable",
    description: "Its address is the client id at services that take documents for clients " +
      "(OAuth Client ID Metadata Document).",
    request: { params: VariableParameter },
    responses: {
      200: json(Document, "The document", { example: CLIENT_DOCUMENT_EXAMPLE }),
      ...failures(400, 404, 500, 503),
    },
  }, async (c) => {
    const document = await connections.document(nameOf(c), c.req.valid("param").variable);
    return c.json(document, 200, { "Cache-Control": "public, max-age=300" });
  });
}
