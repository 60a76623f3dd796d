import { assertEquals } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { silentLog } from "../helpers/database.ts";

async function copyFolder(from: string, to: string): Promise<void> {
  const { success } = await new Deno.Command("cp", { args: ["-a", from, to] }).output();
  assertEquals(success, true);
}

Deno.test("backup: a copy of the embedded database's folder, made while Berth is stopped, has everything up to then", async () => {
  const folder = await Deno.makeTempDir({ prefix: "berth-backup-" });
  const dataDir = `${folder}/data`;
  try {
    const before = await openDatabase({ dataDir, log: silentLog });
    await before.sql`create table kept (n int primary key, bytes bytea)`;
    await before.sql`insert into kept values (1, ${new Uint8Array(100_000).fill(7)})`;
    await before.close();
    await copyFolder(`${dataDir}/database`, `${folder}/backup`);

    const after = await openDatabase({ dataDir, log: silentLog });
    await after.sql`insert into kept values (2, null)`;
    await after.close();
    await Deno.remove(`${dataDir}/database`, { recursive: true });
    await copyFolder(`${folder}/backup`, `${dataDir}/database`);

    const restored = await openDatabase({ dataDir, log: silentLog });
    assertEquals(
      [...await restored.sql`select n, length(bytes) as length from kept`].map((row) => ({
        ...row,
      })),
      [{ n: 1, length: 100_000 }],
    );
    await restored.sql`insert into kept values (3, null)`;
    await restored.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
