/**
 * Databases that go on from test to test of a file: starting one costs ten times what emptying it
 * does. Each test gets connections of its own, so that what a test leaves running cannot reach
 * the next one's rows.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";
import type { Database } from "../../src/database/open.ts";

/** A migrated database that runs, without connections. */
export interface RunningDatabase {
  kind: Database["kind"];
  connect(): Sql;
  /** Whether it stopped by itself. */
  failed(): boolean;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

interface Kept extends RunningDatabase {
  /** Digest of its tables, constraints, triggers and functions as they were at first. */
  shape: string;
}

// As a replica's session: constraints and triggers look at no row.
const EMPTY = `
do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_migrations'
  loop execute format('delete from %I', name); end loop;
  perform setval(seqrelid, seqstart, false) from pg_sequence;
end $$`;

const SHAPE = `
select md5(string_agg(part, chr(10) order by part)) as shape from (
  select concat_ws(' ', relname, attnum, attname, atttypid, attnotnull, attidentity) as part
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and attnum > 0
  union all select concat_ws(' ', conrelid, pg_get_constraintdef(oid)) from pg_constraint
  where connamespace = 'public'::regnamespace
  union all select concat_ws(' ', tgrelid, pg_get_triggerdef(oid), tgenabled) from pg_trigger
  union all select concat_ws(' ', oid, prosrc) from pg_proc
  where pronamespace = 'public'::regnamespace
) parts`;

/** For what is still asked; a query that is cut off fails in whatever waits for it. */
const CLOSE_SECONDS = 60;

async function shapeOf(sql: Sql): Promise<string> {
  const [row] = await sql.unsafe<[{ shape: string }]>(SHAPE);
  return row.shape;
}

/** Deletes what features have stored, whichever there are. */
export async function emptyTables(sql: Sql): Promise<void> {
  await sql.unsafe(EMPTY);
}

/** Empties the database; false when that does not make it as it was at first. */
async function empty(kept: Kept, sql: Sql): Promise<boolean> {
  if (kept.failed() || await shapeOf(sql) !== kept.shape) return false;
  await emptyTables(sql);
  // The embedded database has one session for all: settings, locks, prepared statements.
  await sql.unsafe("discard all");
  return true;
}

/**
 * A function that opens an empty, migrated database: one that an earlier test of this file has
 * closed, or else one that `start` starts. They stop after the file's last test.
 */
export function createDatabasePool(
  start: () => Promise<RunningDatabase>,
): () => Promise<Database> {
  const free: Kept[] = [];
  Deno.test.afterAll(async () => {
    for (const kept of free.splice(0)) await kept.stop();
  });

  function lend(kept: Kept, sql: Sql): Database {
    let closed: Promise<void> | null = null;
    async function end() {
      await sql.end({ timeout: CLOSE_SECONDS });
      free.push(kept);
    }
    return { sql, kind: kept.kind, close: () => closed ??= end() };
  }

  return async () => {
    for (let kept = free.pop(); kept !== undefined; kept = free.pop()) {
      const sql = kept.connect();
      if (await empty(kept, sql)) return lend(kept, sql);
      await sql.end({ timeout: CLOSE_SECONDS });
      await kept.stop();
    }
    const running = await start();
    const sql = running.connect();
    return lend({ ...running, shape: await shapeOf(sql) }, sql);
  };
}
