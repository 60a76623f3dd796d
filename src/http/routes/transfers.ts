/**
 * Transfer of servers to other users.
 *
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { OfferTransfer, Transfer, Transfers } from "../../registry/ownership/transfer_schema.ts";
import { requireCaller, requireOwner } from "../callers.ts";
import type { HttpEnv } from "../environment.ts";
import { API } from "../links.ts";
import { DETAIL_EXAMPLE, TRANSFER_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter, SERVER_PATH } from "./server_parameters.ts";
import { ServerResponse } from "./servers_read.ts";

const PATH = `${SERVER_PATH}/transfer`;

const TransferResponse = z.object({
  status: z.literal("success"),
  message: z.string(),
  transfer: Transfer,
}).meta({ id: "TransferResponse" });

const TransfersResponse = z.object({ status: z.literal("success"), ...Transfers.shape })
  .meta({ id: "TransfersResponse" });

const Closed = z.object({ status: z.literal("success"), message: z.string() })
  .meta({ id: "TransferClosed" });

function closed(message: string) {
  return json(Closed, "The offer is closed", { example: { status: "success", message } });
}

/** The routes' definitions; the guards run before the body is looked at. */
function routesOf({ identity, transfers }: RegistryAppServices) {
  const caller = requireCaller(identity);
  const common = { tags: ["Transfers"], security: BEARER };
  const named = { ...common, request: { params: NameParameter } };
  const offer = createRoute({
    ...common,
    method: "post",
    path: PATH,
    operationId: "offerServer",
    summary: "Offer a server to another user",
    description:
      "For its owner and administrators. The offer holds for 14 days; a server has one " +
      "at a time. Nothing changes before the recipient accepts.",
    request: {
      params: NameParameter,
      body: {
        required: true,
        content: { "application/json": { schema: OfferTransfer, example: { to: "joan" } } },
      },
    },
    responses: {
      200: json(TransferResponse, "The server is on offer", {
        example: {
          status: "success",
          message: 'Offered "weather" to "joan"',
          transfer: TRANSFER_EXAMPLE,
        },
      }),
      ...failures(400, 401, 403, 404, 409, 413, 415, 500, 503),
    },
    middleware: [caller, requireOwner(transfers), jsonBody()] as const,
  });
  const cancel = createRoute({
    ...named,
    method: "delete",
    path: PATH,
    operationId: "cancelTransfer",
    summary: "Take the offer of a server back",
    description: "For its owner and administrators.",
    responses: {
      200: closed('"weather" is no longer on offer'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [caller] as const,
  });
  const accept = createRoute({
    ...named,
    method: "post",
    path: `${PATH}/accept`,
    operationId: "acceptTransfer",
    summary: "Accept a server that is offered to you",
    description: "For the recipient, who owns the server from then on. The record's author stays " +
      "when the recipient owns that name too, and becomes the recipient's username otherwise.",
    responses: {
      200: json(ServerResponse, "The server is yours", {
        example: {
          status: "success",
          message: 'You own "weather" now',
          server: { ...DETAIL_EXAMPLE, author: "joan" },
        },
      }),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [caller] as const,
  });
  const decline = createRoute({
    ...named,
    method: "post",
    path: `${PATH}/decline`,
    operationId: "declineTransfer",
    summary: "Decline a server that is offered to you",
    description: "For the recipient.",
    responses: {
      200: closed('Declined "weather"'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [caller] as const,
  });
  const list = createRoute({
    ...common,
    method: "get",
    path: `${API}/auth/me/transfers`,
    operationId: "listTransfers",
    summary: "List the open offers to you and of your servers",
    responses: {
      200: json(TransfersResponse, "The offers, the newest first", {
        example: { status: "success", incoming: [], outgoing: [TRANSFER_EXAMPLE] },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [caller] as const,
  });
  return { offer, cancel, accept, decline, list };
}

/** Adds the routes to `app`. */
export function addTransfers(app: OpenAPIHono<HttpEnv>, services: RegistryAppServices): void {
  const { transfers } = services;
  const routes = routesOf(services);
  const status = "success" as const;

  app.openapi(routes.offer, async (c) => {
    const [name, input] = [nameOf(c), c.req.valid("json")];
    const context = { requestId: c.get("requestId") };
    const transfer = await transfers.offer(c.get("caller"), name, input, context);
    return c.json({ status, message: `Offered "${name}" to "${transfer.to}"`, transfer }, 200);
  });

  app.openapi(routes.cancel, async (c) => {
    const name = nameOf(c);
    await transfers.cancel(c.get("caller"), name, { requestId: c.get("requestId") });
    return c.json({ status, message: `"${name}" is no longer on offer` }, 200);
  });

  app.openapi(routes.accept, async (c) => {
    const name = nameOf(c);
    const context = { requestId: c.get("requestId") };
    const server = await transfers.accept(c.get("caller"), name, context);
    return c.json({ status, message: `You own "${name}" now`, server }, 200);
  });

  app.openapi(routes.decline, async (c) => {
    const name = nameOf(c);
    await transfers.decline(c.get("caller"), name, { requestId: c.get("requestId") });
    return c.json({ status, message: `Declined "${name}"` }, 200);
  });

  app.openapi(routes.list, async (c) => {
    return c.json({ status, ...await transfers.list(c.get("caller")) }, 200);
  });
}
