/**
 * Names of removed servers: kept for their owners for a while, so that nobody takes over a name
 * that others still use.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";

const RESERVED_DAYS = 30;
const DAY_MS = 86_400_000;

/** Reserves `name` for `owner` from `now` on. */
export async function reserve(
  sql: Queryable,
  name: string,
  owner: string,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + RESERVED_DAYS * DAY_MS);
  await sql`
    insert into reserved_names (name, owner, until) values (${name}, ${owner}, ${until})
    on conflict (name) do update set owner = excluded.owner, until = excluded.until`;
}

/** Who has `name` reserved at `now`, and until when; null when nobody has. */
export async function reservedBy(
  sql: Queryable,
  name: string,
  now: Date,
): Promise<{ owner: string; until: Date } | null> {
  const [row] = await sql<{ owner: string; until: Date }[]>`
    select owner, until from reserved_names where name = ${name} and until > ${now}`;
  return row ?? null;
}

/** Ends the reservation of `name`. */
export async function unreserve(sql: Queryable, name: string): Promise<void> {
  await sql`delete from reserved_names where name = ${name}`;
}

/** Forgets the reservations that have run out. */
export async function removeExpired(sql: Queryable, now: Date): Promise<number> {
  const { count } = await sql`delete from reserved_names where until <= ${now}`;
  return count;
}
