/**
 * Connections to the database. PostgreSQL and the embedded database are both reached through
 * postgres.js, so stores are written once.
 *
 * Inside `sql.begin(async (tx) => …)` use `tx` only: a query through `sql` waits for another
 * connection, and the embedded database has one backend, which the transaction holds.
 *
 * @module
 */
import postgres from "postgres";
import type { Logger } from "../log.ts";
import type { EmbeddedServer } from "./embedded.ts";
import { renewedPool } from "./pool.ts";

export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;
/** What a statement can run on: a pool, or a transaction of one. */
// deno-lint-ignore ban-types
export type Queryable = postgres.ISql<{}>;

export interface OpenOptions {
  /** `postgres://…`; without it the embedded database is used. */
  url?: string | undefined;
  /** Folder of the embedded database. */
  dataDir: string;
  log: Logger;
  /** Without values that are lists, a connection asks nothing by itself before it is used. */
  lists?: boolean;
}

// More connections than one let a transaction wait for its client while others are parsed; they
// gain nothing beyond that, as the embedded backend runs one statement at a time.
const EMBEDDED_CONNECTIONS = 4;
const POSTGRES_CONNECTIONS = 10;

/** Seconds until a connection that failed is tried again: requests wait for it. */
function pause(retries: number): number {
  return Math.min(2 ** retries / 100, 1);
}

/**
 * Connections to `options.url`, or to `embedded` where it is not null. They are made when they are
 * needed; nothing looks at the tables.
 */
export function connectTo(options: OpenOptions, embedded: EmbeddedServer | null): Sql {
  const shared = {
    onnotice: (notice: postgres.Notice) =>
      options.log.debug("database.notice", { message: notice["message"] }),
    connection: { application_name: "berth" },
    fetch_types: options.lists ?? true,
  };
  if (embedded === null) {
    const url = options.url!;
    const times = { connect_timeout: 10, backoff: pause };
    return renewedPool((onclose) =>
      postgres(url, { ...shared, ...times, max: POSTGRES_CONNECTIONS, onclose })
    );
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
