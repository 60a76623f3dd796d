import { assertEquals } from "@std/assert";
import { breaksFormer, MIGRATIONS, readMigrations } from "../../src/database/migrate.ts";
import { takesAway } from "./migrations.ts";

/** Migrations from before nodes of two versions could run at once. */
const BEFORE = 52;

Deno.test("no migration takes from the version before what that uses, unless it says so", async () => {
  const migrations = (await readMigrations(MIGRATIONS)).filter(({ version }) => version >= BEFORE);
  for (const migration of migrations) {
    const faults = takesAway(migration.text);
    if (!breaksFormer(migration)) assertEquals(faults, [], migration.name);
  }
});

Deno.test("takesAway() knows what the version before cannot live with", () => {
  const cases: [string, number][] = [
    ["create table t (n int not null);", 0],
    ["alter table t add column n int;", 0],
    ["alter table t add column n int not null default 0;", 0],
    ["alter table t add column n int default 0 not null;", 0],
    ["alter table t add column n int not null;", 1],
    ["alter table t drop column n;", 1],
    ["drop table t; drop index i;", 1],
    ["alter table t rename to u;", 1],
    ["alter table t rename column a to b;", 1],
    ["alter table t alter column n type bigint;", 1],
    ["alter table t alter n set data type bigint;", 1],
    ["alter table t alter column n set not null;", 1],
    ["alter table t add constraint c unique (n);", 1],
    ["-- drop table t\nselect 'drop table t';", 0],
    ["alter table t drop constraint c; alter table t add constraint c check (n > 0);", 0],
  ];
  for (const [sql, count] of cases) assertEquals(takesAway(sql).length, count, sql);
});
