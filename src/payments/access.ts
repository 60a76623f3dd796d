/**
 * Who may run a paid server: users who paid for it, its owner, and administrators.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { payerUnknown, paymentRequired } from "./failures.ts";

export interface PricedServer {
  name: string;
  pricing: { currency: string; amount: number };
}

/** Who wants to run it. */
export interface Payer {
  /** Token subject, null without a token. */
  userId: string | null;
  isAdmin: boolean;
}

/**
 * Whether the payment `payments` is for the record `servers`: the one that was paid for, in
 * whoever's hands it is by now, or one that its seller has registered under the name since. Who gets
 * a name that became free owes nothing to those who paid the owner before.
 */
export function sameServer(sql: Queryable) {
  return sql`(payments.server = servers.name and
    (payments.server_created_at = servers.created_at or payments.seller = servers.owner))`;
}

async function mayRun(sql: Queryable, name: string, userId: string): Promise<boolean> {
  const found = await sql`
    select 1 from servers where name = ${name} and (owner = ${userId} or exists (
      select 1 from payments
      where server = ${name} and user_id = ${userId} and gives_right and ${sameServer(sql)}
    ))`;
  return found.length > 0;
}

/**
 * Lets pass who may run the server. A right that was paid for stays when the price rises.
 *
 * @throws {AppError} `missing_token` without a user, `payment_required` without a payment.
 */
export async function checkPayment(
  deps: { sql: Queryable },
  server: PricedServer,
  payer: Payer,
): Promise<void> {
  if (server.pricing.amount === 0) return;
  if (payer.userId === null) throw payerUnknown(server.name);
  if (payer.isAdmin || await mayRun(deps.sql, server.name, payer.userId)) return;
  throw paymentRequired(server);
}
