import { assertEquals } from "@std/assert";
import { checkpointIfDue, vacuumAll } from "../../src/database/maintenance.ts";
import { openTestDatabase } from "../helpers/database.ts";

const MEGABYTE = 1024 * 1024;

Deno.test("checkpointIfDue() makes a checkpoint once enough was written", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    await sql`create table big (text text)`;
    while (await checkpointIfDue(sql, MEGABYTE)) { /* What the migrations wrote. */ }
    assertEquals(await checkpointIfDue(sql, MEGABYTE), false);
    await sql`insert into big select repeat(md5(n::text), 50) from generate_series(1, 2000) n`;
    assertEquals(await checkpointIfDue(sql, MEGABYTE), true);
    assertEquals(await checkpointIfDue(sql, MEGABYTE), false);
  } finally {
    await close();
  }
});

Deno.test("vacuumAll() tells the planner about every table", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    await sql`insert into reserved_names select 'n' || n, '', now() from generate_series(1, 500) n`;
    await vacuumAll(sql);
    const [row] = await sql`
      select reltuples::int as rows from pg_class where relname = 'reserved_names'`;
    assertEquals(row!["rows"], 500);
  } finally {
    await close();
  }
});
