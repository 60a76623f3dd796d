/**
 * Migrations: numbered `.sql` files that only go forward. Each runs once, in a transaction of its
 * own, and is recorded with its digest.
 *
 * @module
 */
import type { Sql, Transaction } from "./client.ts";
import { DatabaseError } from "./errors.ts";

/** A numbered SQL file that brings the schema one version forward. */
export interface Migration {
  /** Number at the start of the file's name. */
  version: number;
  /** The file's name. */
  name: string;
  text: string;
}

// Any number will do, as long as every node uses the same.
const LOCK_KEY = 7_261_001;
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** The migrations in `folder`, in order. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const match = FILE_NAME.exec(entry.name);
    if (match === null) throw new DatabaseError(`Not a migration file name: ${entry.name}`);
    const text = await Deno.readTextFile(new URL(entry.name, folder));
    migrations.push({ version: Number(match[1]), name: entry.name, text });
  }
  migrations.sort((a, b) => a.version - b.version);
  migrations.forEach((migration, index) => {
    if (migration.version !== migrations[index + 1]?.version) return;
    throw new DatabaseError(`Another migration has the same number as ${migration.name}`);
  });
  return migrations;
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex();
}

interface Applied {
  version: number;
  name: string;
  sha256: string;
  /** Whether versions of Berth that do not know it cannot work with the database. */
  breaks: boolean;
}

/**
 * A line of a migration that versions before it cannot live with: something that they use is gone or
 * means something else. While it is missing, nodes of both versions may run at once.
 */
const BREAKS = /^-- breaks former versions: \S/m;

/** Whether versions of Berth that do not know `migration` cannot work with a database that has it. */
export function breaksFormer({ text }: Pick<Migration, "text">): boolean {
  return BREAKS.test(text);
}

async function check(migrations: Migration[], applied: Applied[]): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const done of applied) {
    const migration = migrations.find(({ version }) => version === done.version);
    // A newer version has been here, or runs beside this one.
    if (migration === undefined && done.version > newest && !done.breaks) continue;
    if (migration === undefined) {
      throw new DatabaseError(
        `The database was written by another version of Berth, with the migration ` +
          `${done.name}. Start that version or a newer one`,
      );
    }
    if (await digest(migration.text) !== done.sha256) {
      throw new DatabaseError(
        `The migration ${migration.name} was changed after it was applied. ` +
          "Restore the file and put the change in a new migration",
      );
    }
  }
}

/**
 * Runs the statements of a migration in its transaction. Triggers that would wait for its end do not:
 * until they have run, a table whose rows were changed cannot be altered.
 */
export async function runMigration(tx: Transaction, { text }: Migration): Promise<void> {
  await tx`set constraints all immediate`;
  await tx.unsafe(text);
}

/** Applies the first migration that is missing; null when there is none. */
function applyNext(sql: Sql, migrations: Migration[]): Promise<string | null> {
  return sql.begin(async (tx) => {
    // Held until the transaction ends, so nodes that start together take turns.
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
    await tx`
      create table if not exists schema_migrations (
        version int primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`;
    await tx`alter table schema_migrations
      add column if not exists breaks boolean not null default false`;
    const applied = await tx<Applied[]>`
      select version, name, sha256, breaks from schema_migrations order by version`;
    await check(migrations, applied);
    const next = migrations.find(({ version }) => !applied.some((a) => a.version === version));
    if (next === undefined) return null;
    const newest = applied.at(-1);
    if (newest !== undefined && next.version < newest.version) {
      throw new DatabaseError(
        `The migration ${next.name} comes before ${newest.name}, which is already applied. ` +
          "Give it a higher number",
      );
    }
    await runMigration(tx, next);
    await tx`
      insert into schema_migrations (version, name, sha256, breaks)
      values (${next.version}, ${next.name}, ${await digest(next.text)}, ${breaksFormer(next)})`;
    return next.name;
  });
}

/** The folder with Berth's own migrations. */
export const MIGRATIONS: URL = new URL("./migrations/", import.meta.url);

/**
 * Brings the tables up to date.
 *
 * @returns The names of the migrations that were applied.
 * @throws {DatabaseError} When an applied file was changed, or the database is newer than the code can
 * work with.
 */
export async function migrate(sql: Sql, folder: URL = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const names: string[] = [];
  for (;;) {
    const name = await applyNext(sql, migrations);
    if (name === null) return names;
    names.push(name);
  }
}
