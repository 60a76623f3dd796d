/**
 * The failures of payments.
 *
 * @module
 */
import type { z } from "zod";
import { AppError } from "../errors.ts";
import { missingToken } from "../identity/failures.ts";
import { issueText } from "../issues.ts";
import { formatAmount } from "./amounts.ts";

const MAX_ISSUES = 20;

export function paymentsDisabled(): AppError {
  return new AppError("not_found", "Payments are disabled. Set PAYMENTS_WEBHOOK_SECRET");
}

/** @param reason A clause, such as "the header webhook-id is missing". */
export function webhookRefused(reason: string): AppError {
  return new AppError("invalid_request", `The webhook was rejected: ${reason}`);
}

export function eventNotJson(cause: unknown): AppError {
  return new AppError("invalid_request", "The event is not valid UTF-8 JSON", { cause });
}

/** The event has the wrong shape. */
export function invalidEvent({ issues }: z.ZodError): AppError {
  const errors = issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueText(issue),
  }));
  const [first] = errors;
  return new AppError("invalid_request", `Invalid event: ${first?.path} ${first?.message}`, {
    errors,
  });
}

export function webhookIdReused(): AppError {
  return new AppError("conflict", "This webhook-id was already used with different content");
}

/** The server is paid, and nobody says who calls. */
export function payerUnknown(server: string): AppError {
  return missingToken(`The server "${server}" is paid. Send the token of the user who paid for it`);
}

export function paymentRequired(
  { name, pricing }: { name: string; pricing: { currency: string; amount: number } },
): AppError {
  const price = `${formatAmount(String(pricing.amount), pricing.currency)} ${pricing.currency}`;
  return new AppError(
    "payment_required",
    `The server "${name}" costs ${price}. Pay for it at this registry's payment provider with ` +
      "your user_id (GET /api/v1/auth/me), then try again. " +
      "GET /api/v1/auth/me/purchases lists your payments",
  );
}
