import { assertEquals, assertRejects } from "@std/assert";
import { describeDatabases } from "../helpers/database.ts";

describeDatabases((kind, open) => {
  Deno.test(`openDatabase() on ${kind}: concurrent statements and transactions`, async () => {
    const { sql, close } = await open();
    try {
      await sql`create table numbers (n int primary key, label text)`;
      const rows = await Promise.all(
        Array.from({ length: 200 }, (_, n) => sql`select ${n}::int as n, ${`label ${n}`} as label`),
      );
      assertEquals(rows.map(([row]) => row!["n"]), Array.from({ length: 200 }, (_, n) => n));
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          sql.begin(async (tx) => {
            await tx`insert into numbers values (${n}, ${"x".repeat(n)})`;
            if (n % 2 === 1) throw new Error("rolled back");
          }).catch(() => {})),
      );
      const [{ count }] = await sql<[{ count: number }]>`
        select count(*)::int as count from numbers`;
      assertEquals(count, 20);
      await assertRejects(() => sql`select 1/0`);
      assertEquals((await sql`select 1 as one`)[0]!["one"], 1);
    } finally {
      await close();
    }
  });
});
