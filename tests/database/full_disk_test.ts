import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { databaseErrorCode, isDatabaseFull } from "../../src/database/errors.ts";
import { toAppError } from "../../src/http/envelopes.ts";
import { silentLog } from "../helpers/database.ts";

async function command(name: string, ...args: string[]): Promise<boolean> {
  return (await new Deno.Command(name, { args, stdout: "null", stderr: "null" }).output()).success;
}

/** A small file system of its own; null where this user may not make one. */
async function smallDisk(): Promise<string | null> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return null;
  const folder = await Deno.makeTempDir({ prefix: "berth-full-" });
  if (await command("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", folder)) return folder;
  await Deno.remove(folder);
  return null;
}

const disk = await smallDisk();

async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { create: true, write: true });
  const piece = new Uint8Array(1024 * 1024);
  try {
    while (await file.write(piece) > 0);
  } catch {
    // That was the last free byte.
  }
}

Deno.test({
  name: disk === null
    ? "a full disk: not tried, as it takes root and mount to make a small one"
    : "on a full disk what writes is refused, reading works, a start says why it fails, and all is well when there is room again",
  ignore: disk === null,
  async fn() {
    const dataDir = `${disk}/data`;
    try {
      const { sql, close } = await openDatabase({ dataDir, log: silentLog });
      await sql`create table kept (n int primary key)`;
      await sql`insert into kept values (1)`;
      await fill(`${disk}/ballast`);
      for (
        const write of [
          () => sql`insert into kept values (2)`,
          () => sql`update kept set n = 3`,
          () => sql.begin((tx) => tx`insert into kept values (4)`),
          () => sql`create table more (n int)`,
        ]
      ) {
        const error = await assertRejects(async () => await write());
        assert(isDatabaseFull(error), String(databaseErrorCode(error)));
        assertEquals(toAppError(error).status, 503);
      }
      assertEquals((await sql`select n from kept`).map(({ n }) => n), [1]);
      const [setting] = await sql`select current_setting('transaction_read_only') as value`;
      // What readiness looks at.
      assertEquals(setting!["value"], "on");
      await Deno.remove(`${disk}/ballast`);
      await sql`insert into kept values (5)`;
      await close();
      const again = await openDatabase({ dataDir, log: silentLog });
      assertEquals((await again.sql`select n from kept order by n`).map(({ n }) => n), [1, 5]);
      await again.close();
      await fill(`${disk}/ballast`);
      const refused = await assertRejects(() => openDatabase({ dataDir, log: silentLog }));
      assertStringIncludes((refused as Error).message, "the disk is full. Make room on it");
      await Deno.remove(`${disk}/ballast`);
      const later = await openDatabase({ dataDir, log: silentLog });
      assertEquals((await later.sql`select n from kept order by n`).map(({ n }) => n), [1, 5]);
      await later.close();
    } finally {
      await command("umount", disk!);
      await Deno.remove(disk!);
    }
  },
});
