/**
 * The `server_transfers` table: the latest offer of each server.
 *
 * @module
 */
import type { Queryable, Transaction } from "../../database/client.ts";
import { CHANGED_CHANNEL } from "../servers/store.ts";
import type { Transfer } from "./transfer_schema.ts";

const OFFER_DAYS = 14;
const DAY_MS = 86_400_000;

/** How an offer stands. An open one may have run out. */
export type TransferState = "open" | "accepted" | "declined" | "cancelled";

/** The latest offer of a server. */
export interface StoredTransfer {
  server: string;
  recipient: string;
  state: TransferState;
  created_at: Date;
  expires_at: Date;
}

/** The latest offer of `server`; null when it was never offered. */
export async function findTransfer(sql: Queryable, server: string): Promise<StoredTransfer | null> {
  const [row] = await sql<StoredTransfer[]>`
    select server, recipient, state, created_at, expires_at from server_transfers
    where server = ${server}`;
  return row ?? null;
}

/** Whether the offer can still be accepted. */
export function isOpen(transfer: StoredTransfer | null, now: Date): boolean {
  return transfer !== null && transfer.state === "open" && transfer.expires_at > now;
}

/** Opens an offer in place of the server's last one. The server's row is locked. */
export async function openTransfer(
  tx: Transaction,
  server: string,
  recipient: string,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + OFFER_DAYS * DAY_MS);
  await tx`
    insert into server_transfers (server, recipient, state, created_at, expires_at)
    values (${server}, ${recipient}, 'open', ${now}, ${until})
    on conflict (server) do update set recipient = excluded.recipient, state = excluded.state,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;
}

/** Closes the open offers of these servers. Their rows are locked. */
export async function closeTransfers(
  tx: Transaction,
  servers: readonly string[],
  state: Exclude<TransferState, "open">,
): Promise<void> {
  // To whom a private server was on offer may not read it any more.
  await tx`
    with closed as (
      update server_transfers set state = ${state}
      where server = any(${servers as string[]}) and state = 'open' returning server
    )
    select pg_notify(${CHANGED_CHANNEL}, server) from closed`;
}

type ShownRow = Omit<Transfer, "created_at" | "expires_at"> & {
  created_at: Date;
  expires_at: Date;
};

/** The open offers at `now` that one of `which` selects, the newest first. */
export async function openTransfers(
  sql: Queryable,
  which: { server: string } | { recipient: string } | { owner: string },
  now: Date,
): Promise<Transfer[]> {
  const selected = "server" in which
    ? sql`t.server = ${which.server}`
    : "recipient" in which
    ? sql`t.recipient = ${which.recipient}`
    : sql`s.owner = ${which.owner}`;
  const rows = await sql<ShownRow[]>`
    select t.server, giver.username as "from", taker.username as "to", t.created_at, t.expires_at
    from server_transfers t
      join servers s on s.name = t.server
      join users giver on giver.subject = s.owner
      join users taker on taker.subject = t.recipient
    where t.state = 'open' and t.expires_at > ${now} and ${selected}
    order by t.created_at desc, t.server`;
  return rows.map(({ created_at, expires_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }));
}
