/**
 * Payments as their buyers and sellers see them.
 *
 * @module
 */
import { z } from "zod";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { Queryable } from "../database/client.ts";
import type { Caller } from "../identity/caller.ts";
import { authorizeOwner } from "../registry/ownership/access.ts";
import { sameServer } from "./access.ts";
import { formatAmount } from "./amounts.ts";
import type { PaymentsDeps } from "./deps.ts";
import type { PageQuery, PaymentResult, Purchase, Sale, SalesTotal } from "./schema.ts";

type ListDeps = Pick<PaymentsDeps, "sql">;

interface ShownRow {
  provider: string;
  reference: string;
  server: string;
  amount: string;
  currency: string;
  result: PaymentResult;
  gives_right: boolean;
  recorded_at: Date;
  confirmed_at: Date | null;
  refunded_at: Date | null;
}

/** The place of a payment in a list. */
const Place = z.strictObject({
  at: z.iso.datetime(),
  provider: z.string().max(100).regex(/^[\w-]+$/),
  reference: z.string().max(200).refine((text) => !text.includes("\0") && text.isWellFormed()),
});

/** The condition for payments behind the cursor; true without one. */
function behind(sql: Queryable, cursor: string | undefined) {
  const place = decodeCursor(Place, cursor);
  if (place === null) return sql`true`;
  const { at, provider, reference } = place;
  return sql`(recorded_at < ${at} or (recorded_at = ${at}
    and (provider, reference) > (${provider}, ${reference})))`;
}

function shownColumns(sql: Queryable) {
  return sql`provider, reference, payments.server, amount::text as amount, currency, result,
    recorded_at, confirmed_at, refunded_at`;
}

function order(sql: Queryable, { limit }: PageQuery) {
  // One more than is shown tells whether there is a next page.
  return sql`order by recorded_at desc, provider, reference limit ${limit + 1}`;
}

function shown(row: ShownRow) {
  return {
    amount: formatAmount(row.amount, row.currency),
    currency: row.currency,
    state: row.refunded_at === null ? "paid" as const : "refunded" as const,
    result: row.result,
    gives_right: row.gives_right,
    reference: row.reference,
    paid_at: row.confirmed_at?.toISOString() ?? null,
    refunded_at: row.refunded_at?.toISOString() ?? null,
  };
}

function pageOf<R extends ShownRow>(rows: R[], limit: number) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { page, nextCursor: null };
  const { provider, reference, recorded_at } = last;
  return { page, nextCursor: encodeCursor({ at: recorded_at.toISOString(), provider, reference }) };
}

/**
 * The payments of `caller`, newest first.
 *
 * @throws {AppError} `invalid_request` for a broken cursor.
 */
export async function listPurchases(
  { sql }: ListDeps,
  caller: Caller,
  query: PageQuery,
): Promise<{ purchases: Purchase[]; nextCursor: string | null }> {
  const rows = await sql<ShownRow[]>`
    select ${shownColumns(sql)}, gives_right and exists (
      select 1 from servers where ${sameServer(sql)}
    ) as gives_right
    from payments where user_id = ${caller.userId} and ${behind(sql, query.cursor)}
    ${order(sql, query)}`;
  const { page, nextCursor } = pageOf(rows, query.limit);
  return {
    purchases: page.map((row) => ({ server: row.server, ...shown(row) })),
    nextCursor,
  };
}

async function totalsOf(sql: Queryable, name: string): Promise<SalesTotal[]> {
  const rows = await sql<
    Record<"currency" | "received" | "refunded" | "net" | "payments", string>[]
  >`
    select currency, count(*)::text as payments, sum(amount)::text as received,
      (sum(amount) - coalesce(sum(amount) filter (where refunded_at is null), 0))::text as refunded,
      coalesce(sum(amount) filter (where refunded_at is null), 0)::text as net
    from payments join servers on ${sameServer(sql)}
    where servers.name = ${name} and confirmed_at is not null
    group by currency order by currency`;
  return rows.map(({ currency, payments, received, refunded, net }) => ({
    currency,
    payments: Number(payments),
    received: formatAmount(received, currency),
    refunded: formatAmount(refunded, currency),
    net: formatAmount(net, currency),
  }));
}

/** What a server brought. */
export interface Sales {
  totals: SalesTotal[];
  sales: Sale[];
  nextCursor: string | null;
}

/**
 * The payments for the server, newest first, and their totals.
 *
 * @throws {AppError} `not_found`, `forbidden`, `invalid_request` for a broken cursor.
 */
export async function listSales(
  deps: ListDeps,
  caller: Caller,
  name: string,
  query: PageQuery,
): Promise<Sales> {
  const { sql } = deps;
  await authorizeOwner(deps, caller, name);
  const rows = await sql<(ShownRow & { buyer: string | null })[]>`
    select ${shownColumns(sql)}, gives_right, users.username as buyer
    from payments join servers on ${sameServer(sql)}
      left join users on users.subject = payments.user_id
    where servers.name = ${name} and ${behind(sql, query.cursor)}
    ${order(sql, query)}`;
  const { page, nextCursor } = pageOf(rows, query.limit);
  return {
    totals: await totalsOf(sql, name),
    sales: page.map((row) => ({ buyer: row.buyer, ...shown(row) })),
    nextCursor,
  };
}
