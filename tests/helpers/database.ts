/**
 * Databases for tests. The embedded one is copied from a folder that is prepared once for each
 * set of migrations, as making one takes seconds; a PostgreSQL server is used too where
 * `TEST_DATABASE_URL` names one. Both go on from test to test, emptied between.
 *
 * @module
 */
import postgres from "postgres";
import { connectTo } from "../../src/database/client.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import { migrate, MIGRATIONS, readMigrations } from "../../src/database/migrate.ts";
import { databaseErrorCode } from "../../src/database/errors.ts";
import type { Logger } from "../../src/log.ts";
import { createDatabasePool, type RunningDatabase } from "./database_pool.ts";
import { type Database, openDatabase } from "../../src/database/open.ts";

/** SQLSTATE of a database that others are connected to. */
const OBJECT_IN_USE = "55006";

/** A logger that keeps nothing. */
export const silentLog: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    if (entry.isDirectory) await copyFolder(`${from}/${entry.name}`, `${to}/${entry.name}`);
    else await Deno.copyFile(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

/** What the prepared folder depends on, short enough for a folder's name. */
async function templateKey(): Promise<string> {
  const migrations = await readMigrations(MIGRATIONS);
  const inputs = migrations.map(({ name, text }) => `${name}\n${text}`).join("\n") +
    import.meta.resolve("@electric-sql/pglite");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inputs));
  return new Uint8Array(digest).toHex().slice(0, 16);
}

/** The prepared folder; test processes that start together wait for the one that makes it. */
async function template(): Promise<string> {
  const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const folder = `${temporary}/berth-test-database-${await templateKey()}`;
  if (await exists(folder)) return folder;
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (await exists(folder)) return folder;
  const unfinished = await Deno.makeTempDir({ prefix: "berth-test-database-" });
  const database = await openDatabase({ dataDir: unfinished, log: silentLog });
  await database.close();
  await Deno.rename(unfinished, folder);
  return folder;
}

/** A fresh data folder with an empty, migrated embedded database that nobody has open. */
export async function prepareDataDir(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "berth-test-" });
  await copyFolder(await template(), folder);
  return folder;
}

async function startEmbeddedDatabase(): Promise<RunningDatabase> {
  const dataDir = await prepareDataDir();
  let failed = false;
  const embedded = await startEmbedded({ dataDir, onFailure: () => failed = true });
  return {
    kind: "embedded",
    connect: () => connectTo({ dataDir, log: silentLog }, embedded),
    failed: () => failed,
    async stop() {
      await embedded.close();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** An empty, migrated embedded database; another test may get it after `close`. */
export const openTestDatabase: () => Promise<Database> = createDatabasePool(startEmbeddedDatabase);

/** Repeats what the server does not do because a session that it has just ended is still there. */
async function untilUnused(work: () => Promise<unknown>): Promise<void> {
  for (let left = 20;; left--) {
    try {
      await work();
      return;
    } catch (error) {
      // Each time the server waits for 5 seconds itself.
      if (databaseErrorCode(error) !== OBJECT_IN_USE || left === 0) throw error;
    }
  }
}

/** A new, empty database on the server of `url`; `drop` removes it, whoever still uses it. */
export async function createServerDatabase(
  url: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `berth_test_${crypto.randomUUID().replaceAll("-", "")}`;
  async function administer(statement: string) {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      await untilUnused(() => sql.unsafe(statement));
    } finally {
      await sql.end();
    }
  }
  await administer(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => administer(`drop database ${name} with (force)`) };
}

async function startServerDatabase(server: string): Promise<RunningDatabase> {
  const { url, drop } = await createServerDatabase(server);
  const connect = () => connectTo({ url, dataDir: "", log: silentLog }, null);
  const sql = connect();
  await migrate(sql);
  await sql.end();
  return { kind: "postgres", connect, failed: () => false, stop: drop };
}

/**
 * Registers the same contract tests for each kind of database. `register` gets the kind's name,
 * for the names of the tests, and a function that opens an empty database.
 *
 * @throws {Error} In continuous integration (`CI=true`) without `TEST_DATABASE_URL`, so that the
 * second kind cannot be forgotten there.
 */
export function describeDatabases(
  register: (kind: string, open: () => Promise<Database>) => void,
): void {
  register("embedded", openTestDatabase);
  const url = Deno.env.get("TEST_DATABASE_URL");
  if (url) register("PostgreSQL", createDatabasePool(() => startServerDatabase(url)));
  else if (Deno.env.get("CI") === "true") {
    throw new Error("TEST_DATABASE_URL must name a PostgreSQL server when CI is true");
  }
}
