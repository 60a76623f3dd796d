import { BERTH } from "../../src/access/rule.ts";
import { assert, assertEquals } from "@std/assert";
import { createIcons, findIcon } from "../../src/documents/icons.ts";
import { pngOf } from "../../src/documents/png.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import { PATIENCE_MS } from "../helpers/patience.ts";

const SHA256 = "a".repeat(64);

describeDatabases((kind, open) => {
  Deno.test(`icons are drawn once for each folder, and kept with the archive, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    const analysis = createAnalysis({
      walls: NO_WALLS,
      log: silentLog,
      processes: 1,
      fileMs: PATIENCE_MS,
    });
    await sql`insert into archives (sha256, size, created_at) values (${SHA256}, 1, now())`;
    const icons = createIcons({ sql, log: silentLog, analysis });
    async function kept(folder: string): Promise<string | null | undefined> {
      const [row] = await sql<{ digest: string | null }[]>`
        select digest from server_icons where folder = ${folder}`;
      return row?.digest;
    }
    const source = (folder: string) => ({ archive_sha256: SHA256, folder });
    const authors = pngOf(new Uint8Array(20 * 20 * 4).fill(200), 20);
    try {
      await icons.prepare(source(""), new Map([["icon.png", authors]]));
      const digest = await kept("");
      const [{ png }] = await sql<[{ png: Uint8Array }]>`
        select png from server_icons where digest = ${digest!}`;
      assert(png.length < 20_000);
      assertEquals(new DataView(Uint8Array.from(png).buffer).getUint32(16), 64);
      // No server has it, so it is nobody's to see.
      assertEquals(await findIcon(sql, digest!, BERTH), null);

      await icons.prepare(source("none"), new Map([["server.py", new Uint8Array(9)]]));
      assertEquals(await kept("none"), null);

      // Known already: nothing is drawn again.
      const idle = createIcons({
        sql,
        log: silentLog,
        analysis: { run: () => Promise.reject(new Error("is not drawn again")) },
      });
      await idle.prepare(source(""), new Map());
      assertEquals(await kept(""), digest);

      // A process that lies: what it gives is no icon.
      for (const rgba of ["AAAA", "?", "A".repeat(40_000), 7]) {
        const liar = createIcons({
          sql,
          log: silentLog,
          analysis: {
            run: () => Promise.resolve({ kind: "done", result: { rgba }, notAnalysable: [] }),
          },
        });
        await liar.prepare(source(`liar ${rgba}`.slice(0, 20)), new Map([["icon.png", authors]]));
        assertEquals(await kept(`liar ${rgba}`.slice(0, 20)), null);
      }
      for (const wrong of ["", "x", "%", digest!.slice(1), `${digest} `, "../../etc"]) {
        assertEquals(await findIcon(sql, wrong, BERTH), null);
      }
      await sql`delete from archives where sha256 = ${SHA256}`;
      assertEquals(await findIcon(sql, digest!, BERTH), null);
      // Removed while it was drawn.
      await icons.prepare(source(""), new Map([["icon.png", authors]]));
      assertEquals(await kept(""), undefined);
    } finally {
      await icons.close();
      await analysis.close();
      await database.close();
    }
  });
});
