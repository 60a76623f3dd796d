/**
 * Opening the database: PostgreSQL where `DATABASE_URL` names one, else an embedded one in the data
 * folder.
 *
 * @module
 */
import { connectTo, type OpenOptions, type Sql } from "./client.ts";
import { startEmbedded } from "./embedded.ts";
import { DatabaseError, databaseErrorCode } from "./errors.ts";
import { startMaintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";

/** A connection pool to the database, with its schema up to date. */
export interface Database {
  sql: Sql;
  /** `embedded` also means that no other process uses it. */
  kind: "embedded" | "postgres";
  /** Closes every connection, and the embedded database. */
  close(): Promise<void>;
}

const OLDEST_SERVER = 150_000;
const CLOSE_SECONDS = 5;

/** The address without user, password and parameters. */
function hostOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return "the address in DATABASE_URL";
  }
}

async function checkServer(sql: Sql, url: string): Promise<void> {
  let version: number;
  try {
    const [row] = await sql`select current_setting('server_version_num')::int as version`;
    version = row!["version"] as number;
  } catch (error) {
    const reason = error instanceof Error && error.message !== ""
      ? error.message
      : databaseErrorCode(error);
    throw new DatabaseError(
      `Cannot use PostgreSQL at ${hostOf(url)}: ${reason}. Check DATABASE_URL and the server`,
      { cause: error },
    );
  }
  if (version < OLDEST_SERVER) {
    throw new DatabaseError(
      `PostgreSQL at ${hostOf(url)} is version ${Math.floor(version / 10_000)}. ` +
        "Berth requires version 15 or newer",
    );
  }
}

/**
 * Opens the database and brings its tables up to date.
 *
 * @throws {DatabaseError} When it cannot be reached, is too old, in use by another process, or
 * newer than this version of Berth.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const embedded = options.url === undefined
    ? await startEmbedded({
      dataDir: options.dataDir,
      onFailure: (error) => options.log.error("database.failed", { error }),
    })
    : null;
  const sql = connectTo(options, embedded);
  const stopMaintenance = embedded === null ? null : startMaintenance(sql, options.log);
  async function close() {
    await stopMaintenance?.();
    await sql.end({ timeout: CLOSE_SECONDS });
    await embedded?.close();
  }
  try {
    if (options.url !== undefined) await checkServer(sql, options.url);
    const applied = await migrate(sql);
    if (applied.length > 0) options.log.info("database.migrated", { migrations: applied });
  } catch (error) {
    await close();
    throw error;
  }
  return { sql, kind: embedded === null ? "postgres" : "embedded", close };
}
