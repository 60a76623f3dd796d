import { assertEquals } from "@std/assert";
import { keepIcon } from "../../src/documents/icons.ts";
import { createMissingIcons } from "../../src/documents/missing_icons.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import { alice, context, repositoryOf, serverInput, testRegistry } from "../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`icons of servers that have none are drawn, a few at a time, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database, {
      fetchRepository: ({ url }) => repositoryOf(url, `print("${url}")`),
    });
    const drawn: string[] = [];
    const broken = new Set<string>();
    const drawSome = createMissingIcons({
      sql,
      log: silentLog,
      icons: {
        async prepare(source, files) {
          const text = new TextDecoder().decode(files.get("server.py"));
          const name = /acme\/([a-z]+)/.exec(text)![1]!;
          drawn.push(name);
          if (broken.has(name)) throw new Error("It does not work");
          await keepIcon(sql, source, null);
        },
      },
    });
    async function drawnIn(calls: number): Promise<string[]> {
      drawn.length = 0;
      for (let call = 0; call < calls; call++) await drawSome();
      return drawn.toSorted();
    }
    const names = ["a", "b", "c", "d", "e", "f"];
    try {
      for (const name of names) await createServer(deps, alice, serverInput(name), context);
      // Two records of one source.
      await sql`
        update servers set archive_sha256 = (select archive_sha256 from servers where name = 'a')
        where name = 'b'`;
      const [sourceOfA] = await sql<{ archive_sha256: string }[]>`
        select archive_sha256 from servers where name = 'a'`;
      broken.add("c");
      assertEquals((await drawnIn(1)).length, 4);
      assertEquals((await drawnIn(1)).length, 1);
      // All were gone through: what could not be drawn is tried again later, not at once.
      assertEquals(await drawnIn(100), []);
      broken.clear();
      assertEquals(await drawnIn(200), ["c"]);

      // A removed icon counts as none; a removed archive is nothing to draw from.
      await sql`delete from server_icons where archive_sha256 = ${sourceOfA!.archive_sha256}`;
      await sql`delete from archive_parts where sha256 = ${sourceOfA!.archive_sha256}`;
      assertEquals(await drawnIn(300), []);
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });
});
