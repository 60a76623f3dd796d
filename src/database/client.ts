/**
 * The database: PostgreSQL where `DATABASE_URL` names one, else an embedded one in the data
 * folder. Both are reached through postgres.js, so stores are written once.
 *
 * Inside `sql.begin(async (tx) => …)` use `tx` only: a query through `sql` waits for another
 * connection, and the embedded database has one backend, which the transaction holds.
 *
 * @module
 */
import postgres from "postgres";
import type { Logger } from "../log.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded.ts";
import { DatabaseError, databaseErrorCode } from "./errors.ts";
import { startMaintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";

/** A pool of connections. */
export type Sql = postgres.Sql;
/** A transaction of a pool. */
export type Transaction = postgres.TransactionSql;
/** What a statement can run on: a pool, or a transaction of one. */
// deno-lint-ignore ban-types
export type Queryable = postgres.ISql<{}>;

/** An open, migrated database. */
export interface Database {
  sql: Sql;
  /** `embedded` also means that no other process uses it. */
  kind: "embedded" | "postgres";
  /** Closes every connection, and the embedded database. */
  close(): Promise<void>;
}

/** Where the database is. */
export interface OpenOptions {
  /** `postgres://…`; without it the embedded database is used. */
  url?: string | undefined;
  /** Folder of the embedded database. */
  dataDir: string;
  log: Logger;
}

const OLDEST_SERVER = 150_000;
const CLOSE_SECONDS = 5;

// More connections than one let a transaction wait for its client while others are parsed; they
// gain nothing beyond that, as the embedded backend runs one statement at a time.
const EMBEDDED_CONNECTIONS = 4;
const POSTGRES_CONNECTIONS = 10;

/**
 * Connections to `options.url`, or to `embedded` where it is not null. They are made when they are
 * needed; nothing looks at the tables.
 */
export function connectTo(options: OpenOptions, embedded: EmbeddedServer | null): Sql {
  const shared = {
    onnotice: (notice: postgres.Notice) =>
      options.log.debug("database.notice", { message: notice["message"] }),
    connection: { application_name: "berth" },
  };
  if (embedded === null) {
    return postgres(options.url!, { ...shared, max: POSTGRES_CONNECTIONS, connect_timeout: 10 });
  }
  const inProcess = {
    ...shared,
    socket: () => embedded.connect(),
    host: "embedded",
    username: "postgres",
    database: "postgres",
    max: EMBEDDED_CONNECTIONS,
    // Statements that a closed connection prepared stay in the shared backend: keep connections.
    max_lifetime: null,
  };
  // `socket` is an option of postgres.js that its types do not list.
  return postgres(inProcess as postgres.Options<Record<string, never>>) as Sql;
}

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
      `PostgreSQL at ${hostOf(url)} is version ${Math.floor(version / 10_000)}: ` +
        "Berth needs 15 or newer",
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
