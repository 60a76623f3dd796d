import { assertEquals } from "@std/assert";
import { rescanServer } from "../../src/registry/scanning/rescan.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { getServer } from "../../src/registry/servers/get.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { describeDatabases } from "../helpers/database.ts";
import {
  alice,
  bob,
  context,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`whose token a repository is read with, on ${kind}`, async (t) => {
    const database = await open();
    let isPrivate = true;
    const readers: (string | undefined)[] = [];
    const deps = testRegistry(database, {
      async fetchRepository({ url, reader }) {
        readers.push(reader);
        return { ...await repositoryOf(url), isPrivate };
      },
    });
    const stored = async (name: string) =>
      (await getServer(deps, name, alice)).server.repository_private;
    const visibility = async (name: string) =>
      (await getServer(deps, name, alice)).server.visibility;
    const rescan = async (caller = alice) =>
      void await (await rescanServer(deps, caller, "weather", context)).done;
    try {
      await t.step("is that of who publishes, and the record says that it is private", async () => {
        const created = await createServer(deps, alice, serverInput("weather"), context);
        assertEquals(created.repository_private, true);
        assertEquals(await stored("weather"), true);
        assertEquals(readers.splice(0), [alice.userId]);
      });

      await t.step("is not everybody's to read, unless who publishes says so", async () => {
        assertEquals(await visibility("weather"), "private");
        await createServer(deps, alice, { ...serverInput("told"), visibility: "public" }, context);
        assertEquals(await visibility("told"), "public");
        isPrivate = false;
        await createServer(deps, alice, serverInput("opened"), context);
        assertEquals(await visibility("opened"), "public");
        isPrivate = true;
        await updateServer(deps, alice, "opened", { version: "1.1.0" }, context);
        assertEquals(await visibility("opened"), "private");
        await updateServer(deps, alice, "opened", { visibility: "public" }, context);
        await updateServer(deps, alice, "opened", { version: "1.2.0" }, context);
        assertEquals(await visibility("opened"), "public");
        readers.splice(0);
      });

      await t.step("is the owner's when others may have it scanned again", async () => {
        await deps.sql`
          insert into namespace_owners
          select author_key, ${bob.userId}, now() from servers where name = 'weather'`;
        await rescan(bob);
        await updateServer(deps, bob, "weather", { version: "1.1.0" }, context);
        assertEquals(readers.splice(0), [alice.userId, alice.userId]);
      });

      await t.step("is their own when they name another repository", async () => {
        const repository = { type: "git" as const, url: "https://github.com/acme/other" };
        await updateServer(deps, bob, "weather", { repository }, context);
        assertEquals(readers.splice(0), [bob.userId]);
      });

      await t.step(
        "is nobody's when a public one is scanned again, which may be private now",
        async () => {
          isPrivate = false;
          await updateServer(deps, alice, "weather", { version: "1.2.0" }, context);
          assertEquals(await stored("weather"), false);
          await rescan();
          await updateServer(deps, bob, "weather", { version: "1.3.0" }, context);
          assertEquals(readers.splice(0), [alice.userId, undefined, undefined]);
        },
      );
    } finally {
      await database.close();
    }
  });
});
