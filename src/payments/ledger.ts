/**
 * The rows of payments: one a reference, whatever the order and number of its notifications.
 *
 * @module
 */
import type { Transaction } from "../database/client.ts";
import type { Outcome, PaymentEvent, PaymentResult } from "./schema.ts";

/** How long the old price is still enough after a change, for buyers who were paying then. */
const PRICE_GRACE_MINUTES = 60;

type Data = PaymentEvent["data"];

/** What a payment comes to. */
interface Assessment {
  result: PaymentResult;
  /** Owner of the server; null when there is none. */
  seller: string | null;
  server_created_at: Date | null;
  price_amount: string | null;
  price_currency: string | null;
}

interface Price {
  currency: string;
  amount: string;
  /** Whether the payment is as much, if it is in the same currency. */
  enough: boolean;
}

/** Prices of the server that count now, the present one first; free ones do not. */
async function pricesOf(tx: Transaction, data: Data, now: Date): Promise<Price[]> {
  const since = new Date(now.getTime() - PRICE_GRACE_MINUTES * 60_000);
  return await tx<Price[]>`
    select currency, amount::text as amount, ${data.amount}::numeric >= amount as enough from (
      select price_currency as currency, price_amount as amount, 'infinity'::timestamptz as until
        from servers where name = ${data.server}
      union all
      select currency, amount, until from former_prices
        where server = ${data.server} and until > ${since}
    ) prices where amount > 0 order by until desc`;
}

/** The price that `data` pays, or that it falls short of, and what it comes to. */
function matchPrice(prices: Price[], data: Data): { result: PaymentResult; price: Price | null } {
  const [present] = prices;
  if (present === undefined) return { result: "free_server", price: null };
  const same = prices.filter(({ currency }) => currency === data.currency);
  const paid = same.find(({ enough }) => enough);
  if (paid !== undefined) return { result: "granted", price: paid };
  return same[0] === undefined
    ? { result: "wrong_currency", price: present }
    : { result: "amount_too_low", price: same[0] };
}

async function assess(tx: Transaction, data: Data, now: Date): Promise<Assessment> {
  const [found] = await tx<{ owner: string; created_at: Date; known: boolean }[]>`
    select owner, created_at, exists(select 1 from users where subject = ${data.user_id}) as known
    from servers where name = ${data.server}`;
  const nothing = { price_amount: null, price_currency: null };
  if (found === undefined) {
    return { result: "unknown_server", seller: null, server_created_at: null, ...nothing };
  }
  const { result, price } = matchPrice(await pricesOf(tx, data, now), data);
  return {
    result: found.known ? result : "unknown_user",
    seller: found.owner,
    server_created_at: found.created_at,
    ...(price === null ? nothing : { price_amount: price.amount, price_currency: price.currency }),
  };
}

interface PaymentRow extends Pick<Data, "user_id" | "server" | "amount" | "currency"> {
  same_amount: boolean;
  result: PaymentResult;
  confirmed_at: Date | null;
  refunded_at: Date | null;
}

/** The row of the reference, locked against changes by others. */
async function lockPayment(tx: Transaction, provider: string, data: Data): Promise<PaymentRow> {
  const [row] = await tx<PaymentRow[]>`
    select user_id, server, amount::text as amount, currency, result, confirmed_at, refunded_at,
      amount = ${data.amount}::numeric as same_amount
    from payments where provider = ${provider} and reference = ${data.reference} for update`;
  return row!;
}

/** Stores a reference that is not known yet. @returns Whether that was so. */
async function insertPayment(
  tx: Transaction,
  row:
    & Data
    & Assessment
    & { provider: string; recorded_at: Date }
    & (
      | { confirmed_at: Date }
      | { refunded_at: Date }
    ),
): Promise<boolean> {
  const inserted = await tx`
    insert into payments ${tx(row)} on conflict (provider, reference) do nothing returning 1`;
  return inserted.length > 0;
}

/** Whether a payment had nobody or nothing to go to, so that it is worth another look. */
export function isUnmatched(outcome: Outcome): boolean {
  return outcome === "unknown_server" || outcome === "unknown_user";
}

function isSame(row: PaymentRow, data: Data): boolean {
  return row.user_id === data.user_id && row.server === data.server && row.same_amount &&
    row.currency === data.currency;
}

/**
 * Enters a confirmed payment. One that had no user or server is looked at afresh when it is told
 * again; every other repetition changes nothing. After its refund it gives no right.
 */
export async function enterPayment(
  tx: Transaction,
  provider: string,
  data: Data,
  now: Date,
): Promise<PaymentResult | "duplicate" | "conflicting" | "refunded"> {
  const assessment = await assess(tx, data, now);
  const row = { provider, ...data, ...assessment, recorded_at: now, confirmed_at: now };
  if (await insertPayment(tx, row)) return assessment.result;
  const known = await lockPayment(tx, provider, data);
  if (known.confirmed_at !== null && !isSame(known, data)) return "conflicting";
  if (known.confirmed_at !== null && !isUnmatched(known.result)) return "duplicate";
  const { provider: _provider, reference: _reference, recorded_at: _recorded, ...changed } = row;
  await tx`
    update payments set ${tx({ ...changed, confirmed_at: known.confirmed_at ?? now })}
    where provider = ${provider} and reference = ${data.reference}`;
  return known.refunded_at === null ? assessment.result : "refunded";
}

/** The refunded payment, where it gave a right until now. */
export interface EndedRight {
  server: string;
  userId: string;
}

/**
 * Enters a refund, whole or in part: the payment gives no right any more. The reference alone says
 * which payment it is. A payment that is confirmed later than its refund gives none either.
 */
export async function enterRefund(
  tx: Transaction,
  provider: string,
  data: Data,
  now: Date,
): Promise<{ outcome: "refunded" | "duplicate"; ended: EndedRight | null }> {
  const assessment = await assess(tx, data, now);
  const row = { provider, ...data, ...assessment, recorded_at: now, refunded_at: now };
  if (await insertPayment(tx, row)) return { outcome: "refunded", ended: null };
  const known = await lockPayment(tx, provider, data);
  if (known.refunded_at !== null) return { outcome: "duplicate", ended: null };
  await tx`
    update payments set refunded_at = ${now}
    where provider = ${provider} and reference = ${data.reference}`;
  const ended = known.result === "granted" ? { server: known.server, userId: known.user_id } : null;
  return { outcome: "refunded", ended };
}
