/**
 * Several nodes on one database: each has connections of its own where the database is a server;
 * the embedded one has only one process, whose parts share it.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";
import {
  createServerDatabase,
  describeDatabases,
  openTestDatabase,
  silentLog,
} from "./database.ts";
import { openDatabase } from "../../src/database/open.ts";

/** Nodes of an installation, without anything but their connections. */
export interface TestNodes {
  nodes: readonly [Sql, Sql];
  close(): Promise<void>;
}

/** Two nodes on an embedded database. */
export async function openEmbeddedNodes(): Promise<TestNodes> {
  const { sql, close } = await openTestDatabase();
  return { nodes: [sql, sql], close };
}

/** Two nodes on a new database of the PostgreSQL server at `url`. */
export async function openServerNodes(url: string): Promise<TestNodes> {
  const own = await createServerDatabase(url);
  const open = () => openDatabase({ url: own.url, dataDir: "", log: silentLog });
  const [first, second] = await Promise.all([open(), open()]);
  return {
    nodes: [first.sql, second.sql],
    async close() {
      await Promise.all([first.close(), second.close()]);
      await own.drop();
    },
  };
}

/**
 * Registers the same tests for each kind of database, as {@link describeDatabases} does. `open` gets
 * nodes on an empty database.
 */
export function describeNodes(
  register: (kind: string, open: () => Promise<TestNodes>) => void,
): void {
  describeDatabases((kind) => {
    const url = Deno.env.get("TEST_DATABASE_URL");
    register(kind, kind === "embedded" ? openEmbeddedNodes : () => openServerNodes(url!));
  });
}
