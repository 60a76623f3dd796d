/**
 * Transfer of servers to other users.
 *
 * @module
 */
import { z } from "zod";
import { OfferTransfer, Transfer, Transfers } from "../../registry/ownership/transfer_schema.ts";
import { requireCaller, requireOwner } from "../callers.ts";
import { DETAIL_EXAMPLE, TRANSFER_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";
import { ServerResponse } from "./servers_read.ts";

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
  return json(Closed, "The offer was closed", { example: { status: "success", message } });
}

const COMMON = { tags: ["Transfers"], security: BEARER };
const NAMED = { ...COMMON, request: { params: NameParameter } };
const status = "success" as const;

export function offerServer({ identity, transfers }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "offerServer",
    summary: "Offer a server to another user",
    description: "Owner and administrators only. The offer is valid for 14 days; a server can " +
      "have one at a time. Nothing changes until the recipient accepts.",
    request: {
      params: NameParameter,
      body: {
        required: true,
        content: { "application/json": { schema: OfferTransfer, example: { to: "joan" } } },
      },
    },
    responses: {
      200: json(TransferResponse, "The server was offered", {
        example: {
          status: "success",
          message: 'Offered "weather" to "joan"',
          transfer: TRANSFER_EXAMPLE,
        },
      }),
      ...failures(400, 401, 403, 404, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), requireOwner(transfers), jsonBody()] as const,
  }, async (c) => {
    const [name, input] = [nameOf(c), c.req.valid("json")];
    const context = { requestId: c.get("requestId") };
    const transfer = await transfers.offer(c.get("caller"), name, input, context);
    return c.json({ status, message: `Offered "${name}" to "${transfer.to}"`, transfer }, 200);
  });
}

export function cancelTransfer({ identity, transfers }: RegistryAppServices): Operation {
  return operation({
    ...NAMED,
    operationId: "cancelTransfer",
    summary: "Cancel the offer of a server",
    description: "Owner and administrators only.",
    responses: {
      200: closed('"weather" is no longer on offer'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const name = nameOf(c);
    await transfers.cancel(c.get("caller"), name, { requestId: c.get("requestId") });
    return c.json({ status, message: `"${name}" is no longer on offer` }, 200);
  });
}

export function acceptTransfer({ identity, transfers }: RegistryAppServices): Operation {
  return operation({
    ...NAMED,
    operationId: "acceptTransfer",
    summary: "Accept a server offered to you",
    description: "Recipient only, who becomes the owner of the server. The author stays if the " +
      "recipient also owns that author name, and otherwise becomes the recipient's " +
      "username.",
    responses: {
      200: json(ServerResponse, "You own the server", {
        example: {
          status: "success",
          message: 'You now own "weather"',
          server: { ...DETAIL_EXAMPLE, author: "joan" },
        },
      }),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const name = nameOf(c);
    const context = { requestId: c.get("requestId") };
    const server = await transfers.accept(c.get("caller"), name, context);
    return c.json({ status, message: `You now own "${name}"`, server }, 200);
  });
}

export function declineTransfer({ identity, transfers }: RegistryAppServices): Operation {
  return operation({
    ...NAMED,
    operationId: "declineTransfer",
    summary: "Decline a server offered to you",
    description: "Recipient only.",
    responses: {
      200: closed('Declined "weather"'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const name = nameOf(c);
    await transfers.decline(c.get("caller"), name, { requestId: c.get("requestId") });
    return c.json({ status, message: `Declined "${name}"` }, 200);
  });
}

export function listTransfers({ identity, transfers }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listTransfers",
    summary: "List open offers to you and of your servers",
    responses: {
      200: json(TransfersResponse, "The offers, newest first", {
        example: { status: "success", incoming: [], outgoing: [TRANSFER_EXAMPLE] },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    return c.json({ status, ...await transfers.list(c.get("caller")) }, 200);
  });
}
