/**
 * Payments: the provider's webhook, the caller's purchases, a server's sales.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import {
  OUTCOMES,
  PageQuery,
  PaymentEvent,
  Purchase,
  Sale,
  SalesTotal,
} from "../../payments/schema.ts";
import { type CallerEnv, requireCaller } from "../callers.ts";
import type { Links } from "../links.ts";
import { EVENT_EXAMPLE, PURCHASE_EXAMPLE, SALE_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, header, json } from "../openapi/responses.ts";
import { checkMediaType, readBody } from "../plumbing/json_body.ts";
import { type Operation, operation } from "../operation.ts";
import type { PaymentsServices, RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

/** Largest notification, in bytes. */
export const MAX_WEBHOOK_BYTES = 64 * 1024;

const TAG = ["Payments"];

const Received = z.object({
  status: z.literal("success"),
  result: z.enum(OUTCOMES).meta({ description: "Result of processing the notification" }),
}).meta({ id: "WebhookReceived" });

const page = {
  status: z.literal("success"),
  total: z.int().meta({ description: "Number of payments in this response" }),
  next_cursor: z.string().optional().meta({ description: "Present when there are more" }),
};
const PurchaseList = z.object({ ...page, purchases: z.array(Purchase) })
  .meta({ id: "PurchaseList" });
const SaleList = z.object({ ...page, totals: z.array(SalesTotal), sales: z.array(Sale) })
  .meta({ id: "SaleList" });

const signed = z.string().optional();
const WebhookHeaders = z.object({
  "webhook-id": signed.meta({
    description: "Required. The same each time the notification is sent",
    example: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
  }),
  "webhook-timestamp": signed.meta({
    description: "Required. Unix time in seconds, within five minutes of now",
    example: "1777636807",
  }),
  "webhook-signature": signed.meta({
    description:
      "Required. `v1,` followed by the base64-encoded HMAC-SHA256 of id, timestamp and " +
      "body joined by dots. Separate several signatures with spaces",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

/** As the document shows it. The provider's adapter checks the body, once it knows who sent it. */
function eventSchema() {
  const { $schema: _schema, ...schema } = z.toJSONSchema(PaymentEvent, { io: "input" });
  return schema as Record<string, unknown>;
}

const NEXT = {
  Link: header('The next page, rel="next"', "</api/v1/…?cursor=abc>; rel=next", false),
};

/** Answers 404 and 403 before the query is looked at. Goes after `requireCaller`. */
function requireSales(payments: PaymentsServices): MiddlewareHandler<CallerEnv> {
  return async function requireSales(c, next) {
    await payments.authorizeSales(c.get("caller"), nameOf(c));
    await next();
  };
}

function more(links: Links, url: string, cursor: string | null) {
  if (cursor === null) return { headers: {}, body: {} };
  const { pathname, searchParams } = new URL(url);
  searchParams.set("cursor", cursor);
  return {
    headers: { Link: `<${links.path(pathname)}?${searchParams}>; rel="next"` },
    body: { next_cursor: cursor },
  };
}

export function receivePayment({ payments }: RegistryAppServices): Operation {
  return operation({
    operationId: "receivePayment",
    summary: "Report a payment or a refund",
    description: "For the payment provider, signed as Standard Webhooks specifies. Sending a " +
      "notification again changes nothing. Events of other types are acknowledged and " +
      "ignored.",
    tags: TAG,
    request: {
      headers: WebhookHeaders,
      body: {
        required: true,
        content: { "application/json": { schema: eventSchema(), example: EVENT_EXAMPLE } },
      },
    },
    responses: {
      200: json(Received, "Taken", { example: { status: "success", result: "granted" } }),
      ...failures(400, 404, 409, 413, 415, 500, 503),
    },
  }, async (c) => {
    checkMediaType(c.req.raw);
    const { headers } = c.req.raw;
    const body = () => readBody(c.req.raw, MAX_WEBHOOK_BYTES);
    const result = await payments.receive({ headers, body }, { requestId: c.get("requestId") });
    return c.json({ status: "success" as const, result }, 200);
  });
}

export function listPurchases(
  { identity, payments }: RegistryAppServices,
  links: Links,
): Operation {
  return operation({
    operationId: "listPurchases",
    summary: "List your payments",
    description: "Newest first, with the servers they let you run.",
    tags: TAG,
    security: BEARER,
    request: { query: PageQuery },
    responses: {
      200: json(PurchaseList, "Your payments", {
        headers: NEXT,
        example: { status: "success", total: 1, purchases: [PURCHASE_EXAMPLE] },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { purchases, nextCursor } = await payments.purchases(
      c.get("caller"),
      c.req.valid("query"),
    );
    const { headers, body } = more(links, c.req.url, nextCursor);
    const total = purchases.length;
    return c.json({ status: "success" as const, total, ...body, purchases }, 200, headers);
  });
}

export function listSales({ identity, payments }: RegistryAppServices, links: Links): Operation {
  return operation({
    operationId: "listSales",
    summary: "List a server's sales",
    description: "Owner and administrators only. Newest first, with totals for all pages.",
    tags: TAG,
    security: BEARER,
    request: { params: NameParameter, query: PageQuery },
    responses: {
      200: json(SaleList, "Payments for the server", {
        headers: NEXT,
        example: {
          status: "success",
          total: 1,
          totals: [{
            currency: "USD",
            payments: 1,
            received: "4.99",
            refunded: "0.00",
            net: "4.99",
          }],
          sales: [SALE_EXAMPLE],
        },
      }),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity), requireSales(payments)] as const,
  }, async (c) => {
    const { totals, sales, nextCursor } = await payments.sales(
      c.get("caller"),
      nameOf(c),
      c.req.valid("query"),
    );
    const { headers, body } = more(links, c.req.url, nextCursor);
    const total = sales.length;
    return c.json({ status: "success" as const, total, ...body, totals, sales }, 200, headers);
  });
}
