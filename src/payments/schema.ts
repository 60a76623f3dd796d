/**
 * What payment providers send, and what buyers and sellers see of payments.
 *
 * @module
 */
import { z } from "zod";
import { pageLimit } from "../numbers.ts";
import { nameText } from "../text/characters.ts";
import { fitsCurrency, toDecimal } from "./amounts.ts";

function text(max: number) {
  return nameText(z.string().min(1).max(max));
}

const amount = z.union([z.number(), z.string().max(20)]).transform((value, context) => {
  const decimal = toDecimal(value);
  if (decimal !== null) return decimal;
  context.addIssue({
    code: "custom",
    message: "must be a decimal with at most 11 digits before the point and 4 after it",
  });
  return z.NEVER;
});

const PaymentData = z.object({
  user_id: text(1024).meta({ description: "`user_id` of the buyer's profile", example: "u-81f3" }),
  server: text(200).meta({ description: "Name of the server", example: "weather" }),
  amount: amount.meta({
    description: "In units of the currency, not cents: a decimal string or a number",
    example: "4.99",
  }),
  currency: z.string().regex(/^[A-Za-z]{3}$/, "must be an ISO 4217 currency code")
    .transform((code) => code.toUpperCase())
    .meta({ example: "USD" }),
  reference: text(200).meta({
    description: "The provider's payment id; a refund uses the same",
    example: "pay_7f3a",
  }),
}).refine((data) => fitsCurrency(data.amount, data.currency), {
  path: ["amount"],
  message: "must not have more decimal places than the currency",
});

/** Types of events that mean something here. */
export const EVENT_TYPES = ["payment.confirmed", "payment.refunded"] as const;

/** A payment or a refund, as a provider tells it. Further fields are let through and dropped. */
export const PaymentEvent = z.object({ type: z.enum(EVENT_TYPES), data: PaymentData });
export type PaymentEvent = z.infer<typeof PaymentEvent>;

/** What a payment came to when it was confirmed. */
export const RESULTS = [
  "granted",
  "amount_too_low",
  "wrong_currency",
  "free_server",
  "unknown_server",
  "unknown_user",
] as const;
export type PaymentResult = (typeof RESULTS)[number];

/** What became of a notification. */
export const OUTCOMES = [
  ...RESULTS,
  "refunded",
  "duplicate",
  "conflicting",
  "replayed",
  "ignored",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const decimal = z.string().meta({ description: "Exact decimal", example: "4.99" });

const shown = {
  amount: decimal,
  currency: z.string().meta({ example: "USD" }),
  state: z.enum(["paid", "refunded"]),
  result: z.enum(RESULTS).meta({ description: "`granted` if the amount was sufficient" }),
  gives_right: z.boolean().meta({
    description: "Whether it currently lets the buyer run the server",
  }),
  reference: z.string().meta({ description: "The payment provider's id for the payment" }),
  paid_at: z.iso.datetime().nullable().meta({
    description: "Null if only the refund was received",
  }),
  refunded_at: z.iso.datetime().nullable(),
};

/** A payment as its buyer sees it. */
export const Purchase = z.object({ server: z.string(), ...shown }).meta({ id: "Purchase" });
export type Purchase = z.infer<typeof Purchase>;

/** A payment as the server's owner sees it. */
export const Sale = z.object({
  buyer: z.string().nullable().meta({ description: "Username; null if the user is unknown" }),
  ...shown,
}).meta({ id: "Sale" });
export type Sale = z.infer<typeof Sale>;

/** What a server brought in one currency. */
export const SalesTotal = z.object({
  currency: z.string(),
  payments: z.int().meta({ description: "Number of payments, including refunded ones" }),
  received: decimal,
  refunded: decimal,
  net: decimal,
}).meta({ id: "SalesTotal" });
export type SalesTotal = z.infer<typeof SalesTotal>;

/** Query of both lists. */
export const PageQuery = z.strictObject({
  limit: pageLimit({ max: 1000, standard: 100 }),
  cursor: z.string().max(1024).optional().meta({ description: "next_cursor of the previous page" }),
});
export type PageQuery = z.infer<typeof PageQuery>;
