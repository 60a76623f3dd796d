/**
 * Taking a payment provider's notifications.
 *
 * @module
 */
import { recordChange, SYSTEM_ACTOR } from "../audit/audit.ts";
import type { Transaction } from "../database/client.ts";
import { AppError } from "../errors.ts";
import { formatAmount } from "./amounts.ts";
import type { PaymentsDeps } from "./deps.ts";
import { paymentsDisabled, webhookIdReused } from "./failures.ts";
import { type EndedRight, enterPayment, enterRefund, isUnmatched } from "./ledger.ts";
import type { Notification, PaymentProvider, WebhookRequest } from "./provider.ts";
import type { Outcome, PaymentEvent } from "./schema.ts";
import type { RequestContext } from "../request.ts";

/** On this channel every node hears of rights that ended, as JSON of {@link EndedRight}. */
export const RIGHT_ENDED_CHANNEL = "berth_right_ended";

const EXPECTED: readonly Outcome[] = ["granted", "refunded", "duplicate", "replayed", "ignored"];

interface Entry extends Notification {
  event: PaymentEvent;
  provider: string;
  now: Date;
}

/**
 * Stores the notification's id, and keeps others with it waiting.
 *
 * @returns What became of it before; null when it is new.
 * @throws {AppError} `conflict`.
 */
async function remember(tx: Transaction, entry: Entry): Promise<Outcome | null> {
  const { provider, id, sha256, event: { type, data }, now } = entry;
  const columns = { provider, id, sha256, type, ...data, result: "", received_at: now };
  const inserted = await tx`
    insert into payment_events ${tx(columns)} on conflict (provider, id) do nothing returning 1`;
  if (inserted.length > 0) return null;
  const [known] = await tx<{ sha256: string; result: Outcome }[]>`
    select sha256, result from payment_events where provider = ${provider} and id = ${id}
    for update`;
  if (known!.sha256 !== sha256) throw webhookIdReused();
  return known!.result;
}

async function enter(
  tx: Transaction,
  { provider, event, now }: Entry,
): Promise<{ outcome: Outcome; ended: EndedRight | null }> {
  if (event.type === "payment.refunded") return await enterRefund(tx, provider, event.data, now);
  return { outcome: await enterPayment(tx, provider, event.data, now), ended: null };
}

async function usernameOf(tx: Transaction, userId: string): Promise<string | null> {
  const [user] = await tx<{ username: string }[]>`
    select username from users where subject = ${userId}`;
  return user?.username ?? null;
}

async function handle(tx: Transaction, entry: Entry, context: RequestContext): Promise<Outcome> {
  const before = await remember(tx, entry);
  if (before !== null && !isUnmatched(before)) return "replayed";
  const { provider, id, event: { type, data }, now } = entry;
  const { outcome, ended } = await enter(tx, entry);
  if (outcome === before) return "replayed";
  await tx`
    update payment_events set result = ${outcome} where provider = ${provider} and id = ${id}`;
  await recordChange(tx, {
    actor: SYSTEM_ACTOR,
    action: type === "payment.refunded" ? "payment.refund" : "payment.confirm",
    subject: data.server,
    requestId: context.requestId,
    at: now,
    // Who owns the server may read this: the buyer's name, not their subject.
    details: {
      buyer: await usernameOf(tx, data.user_id),
      amount: formatAmount(data.amount, data.currency),
      currency: data.currency,
      reference: data.reference,
      outcome,
    },
  });
  if (ended !== null) {
    await tx`select pg_notify(${RIGHT_ENDED_CHANNEL}, ${JSON.stringify(ended)})`;
  }
  return outcome;
}

/** What the provider sent. The operator hears why nothing comes through: of a wrong secret, say. */
async function verified(
  { log }: PaymentsDeps,
  provider: PaymentProvider,
  request: WebhookRequest,
  { requestId }: RequestContext,
): Promise<Notification> {
  try {
    return await provider.verify(request);
  } catch (error) {
    if (error instanceof AppError) {
      log.warn("payments.refused", { request_id: requestId, reason: error.message });
    }
    throw error;
  }
}

/**
 * Takes a notification, once whatever the number of times it is sent.
 *
 * @throws {AppError} `not_found` while payments are off; `invalid_request` or `too_large` for what
 * the provider did not send or nobody can read; `conflict` when the id came with other content.
 */
export async function receiveNotification(
  deps: PaymentsDeps,
  request: WebhookRequest,
  context: RequestContext,
): Promise<Outcome> {
  const { provider } = deps;
  if (provider === null) throw paymentsDisabled();
  const notification = await verified(deps, provider, request, context);
  const { event } = notification;
  if (event === null) return "ignored";
  const entry = { ...notification, event, provider: provider.name, now: deps.now() };
  const outcome = await deps.sql.begin((tx) => handle(tx, entry, context));
  const { server, reference } = event.data;
  const fields = { request_id: context.requestId, type: event.type, server, reference, outcome };
  if (EXPECTED.includes(outcome)) deps.log.info("payments.received", fields);
  else deps.log.warn("payments.without_right", fields);
  return outcome;
}
