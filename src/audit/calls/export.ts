/**
 * Reading records of calls, in the order in which they were stored.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import type { CallLine, CallsQuery } from "./schema.ts";

/**
 * Seconds until a record is given out: by then every statement is over that may have taken a lower
 * `id`, and a reader that goes on after the last `id` misses none.
 */
const SETTLED_SECONDS = 5;

/** Records after the one that was read last, the oldest first. */
export async function exportCalls(
  { sql }: { sql: Queryable },
  { after, since, limit }: CallsQuery,
): Promise<CallLine[]> {
  const rows = await sql<(Omit<CallLine, "at"> & { at: Date })[]>`
    select call_records.id::text as id, at, round(ms::numeric, 1)::float8 as ms, node,
      call_records.user_id, username, server, version, tool, result, session, trace_id
    from call_records left join users on subject = call_records.user_id
    where stored_at < clock_timestamp() - make_interval(secs => ${SETTLED_SECONDS})
      ${after === undefined ? sql`` : sql`and call_records.id > ${after}`}
      ${since === undefined ? sql`` : sql`and stored_at >= ${since}`}
    order by call_records.id limit ${limit}`;
  return rows.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() }));
}

/** Rows that are removed at once: more would hold up others for long. */
const BATCH = 10_000;

/** Removes records from before `before`. @returns How many. */
export async function removeOldCalls(sql: Queryable, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const { count } = await sql`
      delete from call_records where id in (
        select id from call_records where stored_at < ${before} order by id limit ${BATCH}
      )`;
    removed += count;
    if (count < BATCH) return removed;
  }
}
