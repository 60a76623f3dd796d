import { assertEquals, assertStringIncludes } from "@std/assert";
import { createReadmes, type Readmes } from "../../src/documents/readmes.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { removeServer } from "../../src/registry/servers/remove.ts";
import type { FetchedRepository } from "../../src/repository/fetch.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { PATIENCE_MS } from "../helpers/patience.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import { alice, context, serverInput, testRegistry } from "../helpers/registry.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

function filesOf(files: Record<string, string>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  );
}

describeDatabases((kind, open) => {
  Deno.test(`READMEs are shown once for each folder, and kept with the archive, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    const analysis = createAnalysis({
      walls: NO_WALLS,
      log: silentLog,
      processes: 1,
      fileMs: PATIENCE_MS,
    });
    const start = () => createReadmes({ sql, log: silentLog, analysis, patienceMs: PATIENCE_MS });
    const sha256 = "a".repeat(64);
    await sql`insert into archives (sha256, size, created_at) values (${sha256}, 1, now())`;
    async function shown(readmes: Readmes, folder: string, files: Record<string, string>) {
      const source = { archive_sha256: sha256, folder };
      const readme = await readmes.show(source, () => Promise.resolve(filesOf(files)));
      return readme === "not_ready" ? readme : readme.html;
    }
    const readmes = start();
    const markdown = await shown(readmes, "", {
      "README.md": "# Hi\n\n<script>x</script>\n\n**b**",
    });
    assertStringIncludes(markdown!, "<h3>Hi</h3>");
    assertStringIncludes(markdown!, "<strong>b</strong>");
    assertEquals(
      await shown(readmes, "a", { "readme.txt": "<b>\0" }),
      '<pre tabindex="0">&lt;b&gt;</pre>',
    );
    assertEquals(await shown(readmes, "b", { "server.py": "" }), null);
    // On another node, or after a restart, from what is kept.
    const again = start();
    for (const [folder, html] of [["", markdown], ["b", null]] as const) {
      const source = { archive_sha256: sha256, folder };
      const never = () => Promise.reject(new Error("is not unpacked again"));
      assertEquals(await again.show(source, never), { html });
    }
    await sql`delete from archives where sha256 = ${sha256}`;
    assertEquals((await sql`select 1 from readmes`).length, 0);
    await analysis.close();
    await readmes.close();
    await database.close();
  });

  Deno.test(`what is stored is told, so that its README can be prepared, on ${kind}`, async () => {
    const database = await open();
    const stored: FetchedRepository[] = [];
    const deps = testRegistry(database, { onStored: (repository) => void stored.push(repository) });
    const server = await createServer(deps, alice, serverInput("weather"), context);
    assertEquals(stored.map(({ sha256 }) => sha256), [server.source.archive_sha256]);
    await removeServer(deps, alice, "weather", context);
    await database.close();
  });
});
