import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { findRunnable, findStoredCode } from "../../../src/registry/servers/get.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { alice, context, reportOn, serverInput, testRegistry } from "../../helpers/registry.ts";

const CODE = {
  files: ["lib/impl.py", "server.py"],
  texts: ["0".repeat(64)],
  computed: false,
  imports: ["mcp"],
};

describeDatabases((kind, open) => {
  Deno.test(`findStoredCode() on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    try {
      const listing = testRegistry(database, {
        scan(request) {
          const report = reportOn(request);
          return Promise.resolve({ ...report, source: { ...report.source, scanned: CODE } });
        },
      });
      await createServer(listing, alice, serverInput("listed"), context);
      await createServer(testRegistry(database), alice, serverInput("older"), context);

      await t.step("gives what the scan of the archive read as code", async () => {
        const { archiveSha256 } = (await findRunnable(sql, "listed"))!;
        assertEquals((await findStoredCode(sql, "listed", archiveSha256)).scanned, CODE);
      });

      await t.step(
        "gives nothing for another archive, and for a report without a list",
        async () => {
          const none = { scanned: null, resolved: null };
          assertEquals(await findStoredCode(sql, "listed", "f".repeat(64)), none);
          const { archiveSha256 } = (await findRunnable(sql, "older"))!;
          assertEquals(await findStoredCode(sql, "older", archiveSha256), none);
          assertEquals(await findStoredCode(sql, "nothing", archiveSha256), none);
        },
      );
    } finally {
      await database.close();
    }
  });
});
