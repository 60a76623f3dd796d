import { assertEquals } from "@std/assert";
import { loadArchive, removeUnusedArchives, storeArchive } from "../../src/repository/archives.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { describeDatabases } from "../helpers/database.ts";
import { callerOf, repositoryOf, serverInput, testRegistry } from "../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`archives on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    try {
      for (const size of [0, 1, 1024 * 1024, 2 * 1024 * 1024 + 7]) {
        await t.step(`give ${size} bytes back as they were`, async () => {
          const bytes = new Uint8Array(size).map((_, index) => index * 31 % 256);
          const digest = `${size}`.padStart(64, "0");
          await sql.begin((tx) => storeArchive(tx, digest, bytes));
          assertEquals(await loadArchive(sql, digest), bytes);
        });
      }

      await t.step("are null where there is none", async () => {
        assertEquals(await loadArchive(sql, "none"), null);
      });

      await t.step("are stored once, also by two at once", async () => {
        const bytes = new Uint8Array(3_000_000).fill(7);
        const store = () => sql.begin((tx) => storeArchive(tx, "f".repeat(64), bytes));
        await Promise.all([store(), store(), store()]);
        assertEquals((await loadArchive(sql, "f".repeat(64)))?.length, 3_000_000);
        const parts = await sql`select part from archive_parts where sha256 = ${"f".repeat(64)}`;
        assertEquals(parts.length, 3);
      });

      await t.step("go when no record refers to them", async () => {
        const deps = testRegistry(database);
        await createServer(deps, callerOf("alice"), serverInput("weather"), { requestId: "r" });
        assertEquals(await removeUnusedArchives(sql), 5);
        const { sha256, archive } = await repositoryOf("https://github.com/acme/weather");
        assertEquals(await loadArchive(sql, sha256), archive);
      });

      await t.step("stay when they are taken up while they are looked at", async () => {
        const bytes = new Uint8Array(10);
        await sql.begin((tx) => storeArchive(tx, "e".repeat(64), bytes));
        await sql.begin(async (tx) => {
          await storeArchive(tx, "e".repeat(64), bytes);
          // Waits for the transaction, and then finds a record that refers to the archive.
          const removal = removeUnusedArchives(sql);
          await tx`update servers set archive_sha256 = ${"e".repeat(64)}`;
          return { removal };
        }).then(({ removal }) => removal);
        assertEquals(await loadArchive(sql, "e".repeat(64)), bytes);
      });
    } finally {
      await database.close();
    }
  });
});
