import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { getArchive, getServer, ownedServers } from "../../../src/registry/servers/get.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  context,
  refusal,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`removeServer() on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database, {
      fetchRepository: () => repositoryOf("https://github.com/acme/same"),
    });
    try {
      await createServer(deps, alice, serverInput("one"), context);
      await createServer(deps, alice, serverInput("two"), context);

      await t.step("checks existence, permission and If-Match", async () => {
        await refusal(() => removeServer(deps, bob, "none", context), "not_found");
        await refusal(() => removeServer(deps, bob, "one", context), "forbidden");
        await refusal(
          () => removeServer(deps, alice, "one", { ...context, ifMatch: '"x"' }),
          "stale",
        );
        assertEquals(await ownedServers(deps, "user-alice"), ["one", "two"]);
      });

      await t.step(
        "removes the record, and the archive with the last that refers to it",
        async () => {
          const { etag } = await getServer(deps, "one", null);
          await removeServer(deps, alice, "one", { ...context, ifMatch: etag });
          await refusal(() => getServer(deps, "one", null), "not_found");
          await getArchive(deps, "two", null);
          await removeServer(deps, admin, "two", context);
          assertEquals((await sql`select * from archives`).length, 0);
          assertEquals((await sql`select * from archive_parts`).length, 0);
          assertEquals((await sql`select * from server_reports`).length, 0);
          const [entry] = await sql`select actor, action from audit_log order by id desc limit 1`;
          assertEquals({ ...entry }, { actor: "user-root", action: "server.remove" });
        },
      );

      await t.step("reserves the name for its owner for 30 days", async () => {
        deps.clock.time = new Date("2026-01-30T23:59:59.000Z");
        await refusal(() => createServer(deps, bob, serverInput("one"), context), "conflict");
        await refusal(() => createServer(deps, admin, serverInput("two"), context), "conflict");
        await createServer(deps, alice, serverInput("one"), context);
        deps.clock.time = new Date("2026-01-31T00:00:00.000Z");
        await createServer(deps, bob, serverInput("two"), context);
      });
    } finally {
      await database.close();
    }
  });
});
