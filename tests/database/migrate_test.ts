import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { migrate, MIGRATIONS } from "../../src/database/migrate.ts";
import { describeDatabases } from "../helpers/database.ts";

/** A folder with Berth's own migrations and `more`. */
async function folderWith(more: Record<string, string>): Promise<URL> {
  const folder = await Deno.makeTempDir({ prefix: "berth-test-" });
  for await (const entry of Deno.readDir(MIGRATIONS)) {
    await Deno.copyFile(new URL(entry.name, MIGRATIONS), `${folder}/${entry.name}`);
  }
  for (const [name, text] of Object.entries(more)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return new URL(`file://${folder}/`);
}

describeDatabases((kind, open) => {
  Deno.test(`migrate() on ${kind} applies what is missing once, also when nodes start together`, async () => {
    const { sql, close } = await open();
    const folder = await folderWith({
      "9001_first.sql": "create table first (n int); insert into first values (1);",
      "9002_second.sql": "create table second (n int);",
    });
    try {
      const applied = await Promise.all([migrate(sql, folder), migrate(sql, folder)]);
      assertEquals(applied.flat().sort(), ["9001_first.sql", "9002_second.sql"]);
      assertEquals(await migrate(sql, folder), []);
      assertEquals((await sql`select * from first`).length, 1);
    } finally {
      await close();
      await Deno.remove(folder, { recursive: true });
    }
  });

  Deno.test(`migrate() on ${kind} lets a former version start beside a newer one, unless that breaks it`, async () => {
    const { sql, close } = await open();
    const newer = await folderWith({ "9001_more.sql": "create table more (n int);" });
    const breaking = await folderWith({
      "9001_more.sql": "create table more (n int);",
      "9002_gone.sql": "-- breaks former versions: they read it\nalter table more rename to less;",
    });
    try {
      await migrate(sql, newer);
      assertEquals(await migrate(sql), []);
      await migrate(sql, breaking);
      const { message } = await assertRejects(() => migrate(sql), Error);
      assertStringIncludes(message, "9002_gone.sql");
    } finally {
      await close();
      for (const folder of [newer, breaking]) await Deno.remove(folder, { recursive: true });
    }
  });

  Deno.test(`migrate() on ${kind} refuses changed, older and unknown migrations, and keeps failed ones out`, async () => {
    const { sql, close } = await open();
    const folders: URL[] = [];
    async function refusal(more: Record<string, string>): Promise<string> {
      const folder = await folderWith(more);
      folders.push(folder);
      return (await assertRejects(() => migrate(sql, folder), Error)).message;
    }
    try {
      const good = await folderWith({ "9001_first.sql": "create table first (n int);" });
      folders.push(good);
      await migrate(sql, good);
      assertStringIncludes(
        await refusal({ "9001_first.sql": "create table first (n bigint);" }),
        "was changed after it was applied",
      );
      await sql`update schema_migrations set breaks = true where version = 9001`;
      assertStringIncludes(await refusal({}), "another version of Berth");
      await sql`update schema_migrations set breaks = false where version = 9001`;
      assertStringIncludes(await refusal({ "9002_other.sql": "" }), "another version of Berth");
      assertStringIncludes(
        await refusal({ "9001_first.sql": "create table first (n int);", "8000_late.sql": "" }),
        "comes before",
      );
      const failing = {
        "9001_first.sql": "create table first (n int);",
        "9002_bad.sql": "create table half (n int); select nothing from nowhere;",
      };
      assertStringIncludes(await refusal(failing), "nowhere");
      assertEquals((await sql`select to_regclass('half') as found`)[0]!["found"], null);
      assertStringIncludes(
        await refusal({ "9001_a.sql": "", "9001_b.sql": "" }),
        "Another migration has the same number",
      );
    } finally {
      await close();
      for (const folder of folders) await Deno.remove(folder, { recursive: true });
    }
  });
});
