/**
 * What background processes of a PostgreSQL server do and the embedded one lacks: checkpoints,
 * without which the write-ahead log grows for ever and a start after a crash takes as long, and
 * vacuum, without which rows that are dead stay and the planner knows nothing of the tables.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import type { Sql } from "./client.ts";

const ROUND_MS = 60_000;
const VACUUM_EVERY = 60;
/** Write-ahead log, in bytes, after which a checkpoint is due. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;

/** Makes a checkpoint when enough was written since the last one; returns whether it did. */
export async function checkpointIfDue(sql: Sql, bytes = CHECKPOINT_BYTES): Promise<boolean> {
  const [row] = await sql<[{ written: number }]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as written
    from pg_control_checkpoint()`;
  if (row.written < bytes) return false;
  await sql`checkpoint`;
  return true;
}

/** Vacuums and analyses one table after the other, so that requests have their turn between. */
export async function vacuumAll(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select format('%I', relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  for (const { name } of tables) await sql.unsafe(`vacuum (analyze) ${name}`);
}

/** Starts the maintenance of the embedded database; returns what stops it. */
export function startMaintenance(sql: Sql, log: Logger): () => Promise<void> {
  let rounds = 0;
  let round = Promise.resolve();
  async function work() {
    try {
      await checkpointIfDue(sql);
      if (++rounds % VACUUM_EVERY === 0) await vacuumAll(sql);
    } catch (error) {
      log.warn("database.maintenance_failed", { error });
    }
  }
  const timer = setInterval(() => round = round.then(work), ROUND_MS);
  return async () => {
    clearInterval(timer);
    await round;
  };
}
