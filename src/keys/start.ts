/**
 * What a node does with `SECRETS_KEY` when it starts: it refuses to go on with keys that are not
 * those of the installation, and moves values to the newest.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { KeyRing } from "./key_ring.ts";
import { type KeptRow, placeOf } from "./store.ts";

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

/** Moves values that older keys of the ring hold to the first. @returns How many. */
export async function rotate(sql: Sql, ring: KeyRing): Promise<number> {
  const [first, ...older] = ring.ids;
  let moved = 0;
  for (;;) {
    const rows = await sql<KeptRow[]>`
      select server, subject, name, key_id, wrapped, sealed from kept_values
      where key_id = any(${older}) limit ${BATCH}`;
    let done = 0;
    for (const row of rows) {
      const envelope = { keyId: row.key_id, wrapped: row.wrapped, sealed: row.sealed };
      const next = await ring.rewrap(placeOf(row), envelope);
      if (next === null) continue;
      const changed = await sql`
        update kept_values set key_id = ${first!}, wrapped = ${next.wrapped}
        where server = ${row.server} and subject is not distinct from ${row.subject}
          and name = ${row.name} and wrapped = ${row.wrapped} returning 1`;
      done += changed.length;
    }
    moved += done;
    if (rows.length < BATCH || done === 0) return moved;
  }
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
