/**
 * Registered clients.
 *
 * @module
 */
import type { ClientMetadata } from "oidc-provider";
import type { Sql } from "../../database/client.ts";

/** Most registered clients of the whole service. */
const MAX_CLIENTS = 10_000;
const DAY_MS = 86_400_000;
/** Clients that nobody signed in with are forgotten after a day, others after 90 without use. */
const UNUSED_MS = DAY_MS;
const IDLE_MS = 90 * DAY_MS;

interface Row {
  metadata: ClientMetadata;
  used_at: Date | null;
}

/** Keeps a client; false when there are too many. */
export async function insertClient(
  sql: Sql,
  client: ClientMetadata,
  now: Date,
  most: number = MAX_CLIENTS,
): Promise<boolean> {
  const inserted = await sql`
    insert into issuer_clients (id, metadata, created_at)
    select ${client.client_id}, ${sql.json(client as never)}, ${now}
    where (select count(*) from issuer_clients) < ${most}
    returning 1`;
  return inserted.length === 1;
}

/** The client of this id, or null. Notes the use, at most once a day. */
export async function findClient(sql: Sql, id: string, now: Date): Promise<ClientMetadata | null> {
  const [row] = await sql<Row[]>`select metadata, used_at from issuer_clients where id = ${id}`;
  if (row === undefined) return null;
  if (row.used_at === null || now.getTime() - row.used_at.getTime() >= DAY_MS) {
    await sql`update issuer_clients set used_at = ${now} where id = ${id}`;
  }
  return row.metadata;
}

/** Deletes registered clients that nobody signed in with for a long time. */
export async function sweepClients(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from issuer_clients
    where used_at is null and created_at < ${new Date(now.getTime() - UNUSED_MS)}
      or used_at < ${new Date(now.getTime() - IDLE_MS)}`;
}
