/**
 * What a node does with `SECRETS_KEY` when it starts: it refuses to go on with keys that are not
 * those of the installation, and moves values to the newest.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { KeyRing, Place } from "./key_ring.ts";
import { clientPlace, type ClientRow, hostTokenPlace, type KeptRow, placeOf } from "./store.ts";

/** A user's token for a code host, as it is stored. */
interface HostTokenRow {
  subject: string;
  host: string;
  path: string;
  key_id: string;
  wrapped: Uint8Array;
  sealed: Uint8Array;
}

const BATCH = 200;

/**
 * Why this node may not use its keys; null when it may. Values that it writes would be unreadable to
 * other nodes, or those of others to it.
 */
export async function whyNotTheseKeys(
  sql: Sql,
  ring: Pick<KeyRing, "ids" | "lost">,
): Promise<string | null> {
  const rows = await sql<{ id: string }[]>`
    select id from (
      select id from (select id from secrets_keys order by added_at desc, id limit 1) newest
      union select key_id from kept_values
      union select key_id from service_clients
      union select key_id from code_host_tokens
    ) needed order by id`;
  const missing = rows.map(({ id }) => id)
    .filter((id) => !ring.ids.includes(id) && !ring.lost.includes(id));
  if (missing.length === 0) return null;
  const names = missing.slice(0, 5).join(", ");
  return `SECRETS_KEY: values are kept under ${
    missing.length === 1 ? "the key" : "keys"
  } ${names}, which it does not have (it has ${ring.ids.join(", ")}). Put ${
    missing.length === 1 ? "it" : "them"
  } before a new key on every node, and only then the new key first (docs/keys.md). If a key is lost, add lost:${
    missing[0]
  } and users are asked for their values again`;
}

/** Takes note of the key that this node writes with. */
async function announceKey(sql: Sql, id: string, now: Date): Promise<void> {
  await sql`
    insert into secrets_keys (id, added_at) values (${id}, ${now}) on conflict (id) do nothing`;
}

/** Moves rows of one table that older keys hold to the first; `put` writes a row that nobody changed. */
async function rotateRows<Row extends { key_id: string; wrapped: Uint8Array; sealed: Uint8Array }>(
  ring: KeyRing,
  { find, place, put }: {
    find(older: readonly string[]): Promise<Row[]>;
    place(row: Row): Place;
    put(row: Row, wrapped: Uint8Array): Promise<readonly unknown[]>;
  },
): Promise<number> {
  const older = ring.ids.slice(1);
  let moved = 0;
  for (;;) {
    const rows = await find(older);
    let done = 0;
    for (const row of rows) {
      const envelope = { keyId: row.key_id, wrapped: row.wrapped, sealed: row.sealed };
      const next = await ring.rewrap(place(row), envelope);
      if (next !== null) done += (await put(row, next.wrapped)).length;
    }
    moved += done;
    if (rows.length < BATCH || done === 0) return moved;
  }
}

/** Moves what older keys of the ring hold to the first. @returns How many rows. */
export async function rotate(sql: Sql, ring: KeyRing): Promise<number> {
  const first = ring.ids[0]!;
  const values = await rotateRows<KeptRow>(ring, {
    find: (older) =>
      sql`
      select server, subject, name, key_id, wrapped, sealed from kept_values
      where key_id = any(${[...older]}) limit ${BATCH}`,
    place: placeOf,
    put: (row, wrapped) =>
      sql`
      update kept_values set key_id = ${first}, wrapped = ${wrapped}
      where server = ${row.server} and subject is not distinct from ${row.subject}
        and name = ${row.name} and wrapped = ${row.wrapped} returning 1`,
  });
  const clients = await rotateRows<ClientRow>(ring, {
    find: (older) =>
      sql`
      select server, name, origin, key_id, wrapped, sealed from service_clients
      where key_id = any(${[...older]}) limit ${BATCH}`,
    place: clientPlace,
    put: (row, wrapped) =>
      sql`
      update service_clients set key_id = ${first}, wrapped = ${wrapped}
      where server = ${row.server} and name = ${row.name} and origin = ${row.origin}
        and wrapped = ${row.wrapped} returning 1`,
  });
  const tokens = await rotateRows<HostTokenRow>(ring, {
    find: (older) =>
      sql`
      select subject, host, path, key_id, wrapped, sealed from code_host_tokens
      where key_id = any(${[...older]}) limit ${BATCH}`,
    place: hostTokenPlace,
    put: (row, wrapped) =>
      sql`
      update code_host_tokens set key_id = ${first}, wrapped = ${wrapped}
      where subject = ${row.subject} and host = ${row.host} and path = ${row.path}
        and wrapped = ${row.wrapped} returning 1`,
  });
  return values + clients + tokens;
}

/**
 * Settles the ring with the database.
 *
 * @returns How many values were moved to another key, or why the node must not start.
 */
export async function settleKeys(
  sql: Sql,
  ring: KeyRing,
  now: Date,
): Promise<{ kind: "settled"; moved: number } | { kind: "refused"; why: string }> {
  const why = await whyNotTheseKeys(sql, ring);
  if (why !== null) return { kind: "refused", why };
  await announceKey(sql, ring.ids[0]!, now);
  return { kind: "settled", moved: await rotate(sql, ring) };
}
