/** Backup and restore by PostgreSQL's own programs. */
import { assert, assertEquals } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { createServerDatabase, silentLog } from "../helpers/database.ts";

const SERVER = Deno.env.get("TEST_DATABASE_URL");

async function run(name: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(name, { args }).output();
  assert(success, `${name}: ${new TextDecoder().decode(stderr)}`);
}

async function hasPrograms(): Promise<boolean> {
  try {
    for (const name of ["pg_dump", "pg_restore"]) await run(name, "--version");
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test({
  name: "a database that pg_dump saved and pg_restore restored goes on with everything in it",
  ignore: SERVER === undefined || !await hasPrograms(),
  async fn() {
    const before = await createServerDatabase(SERVER!);
    const after = await createServerDatabase(SERVER!);
    const folder = await Deno.makeTempDir({ prefix: "berth-dump-" });
    const options = { dataDir: folder, log: silentLog };
    const archive = new Uint8Array(1_500_000).fill(7);
    const sha256 = "a".repeat(64);
    try {
      const old = await openDatabase({ ...options, url: before.url });
      await old.sql`
        insert into users (subject, username, created_at) values ('u-1', 'ada', now())`;
      await old.sql`
        insert into archives (sha256, size, created_at) values (${sha256}, ${archive.length}, now())`;
      await old
        .sql`insert into archive_parts (sha256, part, bytes) values (${sha256}, 0, ${archive})`;
      await old.sql`
        insert into call_records (at, ms, node, server, tool, result, session)
        values (now(), 1, 'n', 's', 't', 'ok', 'x')`;
      // Berth goes on while the dump is made.
      await run("pg_dump", "--format=custom", `--file=${folder}/berth.dump`, before.url);
      await old.sql`delete from users`;
      await old.close();
      await run("pg_restore", "--no-owner", `--dbname=${after.url}`, `${folder}/berth.dump`);

      const restored = await openDatabase({ ...options, url: after.url });
      const { sql } = restored;
      assertEquals((await sql`select username from users`).map((row) => row["username"]), ["ada"]);
      const [part] = await sql`select bytes from archive_parts where sha256 = ${sha256}`;
      assertEquals(part!["bytes"].length, archive.length);
      // Ids go on where they were.
      await sql`
        insert into call_records (at, ms, node, server, tool, result, session)
        values (now(), 1, 'n', 's', 't', 'ok', 'x')`;
      const ids = await sql`select id::int as id from call_records order by id`;
      assertEquals(ids.map((row) => row["id"]), [1, 2]);
      await restored.close();
    } finally {
      await before.drop();
      await after.drop();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
