import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { DatabaseError, databaseErrorCode } from "../../src/database/errors.ts";
import { openTestDatabase, prepareDataDir, silentLog } from "../helpers/database.ts";

Deno.test("openDatabase() refuses a folder that another one has open, and takes a free one", async () => {
  const dataDir = await prepareDataDir();
  try {
    const first = await openDatabase({ dataDir, log: silentLog });
    const error = await assertRejects(
      () => openDatabase({ dataDir, log: silentLog }),
      DatabaseError,
    );
    assertStringIncludes(error.message, "in use by another process");
    await first.sql`create table kept (n int)`;
    await first.close();
    const second = await openDatabase({ dataDir, log: silentLog });
    assertEquals((await second.sql`select * from kept`).length, 0);
    await second.close();
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("openDatabase() makes the folder, starting over where a first start was interrupted", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "berth-test-" });
  try {
    await Deno.mkdir(`${dataDir}/database.new`);
    await Deno.writeTextFile(`${dataDir}/database.new/PG_VERSION`, "half");
    const database = await openDatabase({ dataDir, log: silentLog });
    const [row] = await database.sql`select count(*)::int as n from servers`;
    assertEquals(row!["n"], 0);
    await database.close();
    assertEquals((await Deno.stat(`${dataDir}/database`)).mode! & 0o777, 0o700);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("openDatabase() names a damaged folder and frees it", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "berth-test-" });
  try {
    await Deno.mkdir(`${dataDir}/database`);
    await Deno.writeTextFile(`${dataDir}/database/PG_VERSION`, "damaged");
    for (let attempt = 0; attempt < 2; attempt++) {
      const error = await assertRejects(
        () => openDatabase({ dataDir, log: silentLog }),
        DatabaseError,
      );
      assertStringIncludes(error.message, "Cannot open the embedded database");
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("the embedded database refuses COPY FROM STDIN and keeps working", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    await sql`create table numbers (n int)`;
    const refused = await assertRejects(() => sql`copy numbers from stdin`);
    assertEquals(databaseErrorCode(refused), "0A000");
    await assertRejects(() => sql.unsafe("copy numbers /* ' */ from STDIN with (format csv)"));
    await assertRejects(() =>
      sql.begin(async (tx) => {
        await tx`insert into numbers values (1)`;
        await tx.unsafe("copy numbers from stdin").catch(() => {});
      })
    );
    const [row] = await sql`select count(*)::int as n, 'copy x from stdin' as text from numbers`;
    assertEquals(row!["n"], 0);
  } finally {
    await close();
  }
});

Deno.test("the embedded database carries notifications between connections", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    const heard = Promise.withResolvers<string>();
    await sql.listen("news", (payload) => heard.resolve(payload));
    await sql.notify("news", "hello");
    assertEquals(await heard.promise, "hello");
  } finally {
    await close();
  }
});

Deno.test("the embedded database takes and gives large values", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
    const [row] = await sql<[{ bytes: Uint8Array; rows: number }]>`
      select ${bytes}::bytea as bytes`;
    assertEquals(row.bytes.length, bytes.length);
    assert(row.bytes.every((byte, index) => byte === index % 251));
    assertEquals((await sql`select generate_series(1, 50000) as n`).length, 50_000);
  } finally {
    await close();
  }
});

Deno.test("the embedded database has others wait for an open transaction", async () => {
  const { sql, close } = await openTestDatabase();
  try {
    const reserved = await sql.reserve();
    await reserved`begin`;
    await reserved`create table forgotten (n int)`;
    const waiting = sql`select to_regclass('forgotten') as found`;
    const row = await Promise.race([waiting, new Promise((done) => setTimeout(done, 50))]);
    assertEquals(row, undefined);
    await reserved`rollback`;
    reserved.release();
    assertEquals((await waiting)[0]!["found"], null);
  } finally {
    await close();
  }
});
