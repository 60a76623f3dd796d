/**
 * What an operator wants to know of the database.
 *
 * @module
 */
import type { Sql } from "./client.ts";

/** The database as it answered just now. */
export interface DatabaseFacts {
  /** Milliseconds until it answered. */
  ms: number;
  bytes: number;
  /** Version of the server, as it says. */
  version: string;
  /** The migration that was applied last. */
  migration: string;
}

const WAIT_MS = 3_000;

/** Asks the database; null where it does not answer in time. */
export async function readDatabase(sql: Sql): Promise<DatabaseFacts | null> {
  const started = performance.now();
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), WAIT_MS);
  async function ask(): Promise<DatabaseFacts> {
    const [row] = await sql<[Omit<DatabaseFacts, "ms">]>`
      select pg_database_size(current_database())::float8 as bytes,
        current_setting('server_version') as version,
        (select name from schema_migrations order by version desc limit 1) as migration`;
    return { ms: performance.now() - started, ...row };
  }
  try {
    return await Promise.race([ask().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
