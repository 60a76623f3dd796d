/**
 * Databases for tests. The embedded one is copied from a folder that is prepared once for each
 * set of migrations, as making one takes seconds; a PostgreSQL server is used too where
 * `TEST_DATABASE_URL` names one.
 *
 * @module
 */
import postgres from "postgres";
import { type Database, openDatabase } from "../../src/database/client.ts";
import { MIGRATIONS, readMigrations } from "../../src/database/migrate.ts";
import type { Logger } from "../../src/log.ts";

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

/** An empty, migrated embedded database of its own; `close` also deletes its files. */
export async function openTestDatabase(): Promise<Database> {
  const dataDir = await prepareDataDir();
  const database = await openDatabase({ dataDir, log: silentLog });
  return {
    ...database,
    async close() {
      await database.close();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** A new, empty database on the server of `url`; `drop` removes it, whoever still uses it. */
export async function createServerDatabase(
  url: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `berth_test_${crypto.randomUUID().replaceAll("-", "")}`;
  async function administer(statement: string) {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    await sql.unsafe(statement);
    await sql.end();
  }
  await administer(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => administer(`drop database ${name} with (force)`) };
}

/** An empty, migrated database on the server of `url`; `close` also drops it. */
async function openServerDatabase(url: string): Promise<Database> {
  const { url: own, drop } = await createServerDatabase(url);
  const database = await openDatabase({ url: own, dataDir: "", log: silentLog });
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
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
  if (url) register("PostgreSQL", () => openServerDatabase(url));
  else if (Deno.env.get("CI") === "true") {
    throw new Error("TEST_DATABASE_URL must name a PostgreSQL server when CI is true");
  }
}
