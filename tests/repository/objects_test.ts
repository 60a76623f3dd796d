import { assertEquals, assertRejects } from "@std/assert";
import type { Sql } from "../../src/database/client.ts";
import { AppError } from "../../src/errors.ts";
import { loadArchive, removeUnusedArchives, storeArchive } from "../../src/repository/archives.ts";
import { moveArchives, removeUnusedObjects } from "../../src/repository/moves.ts";
import { s3Objects } from "../../src/repository/objects.ts";
import { describeDatabases } from "../helpers/database.ts";
import { s3Settings, startS3Server } from "../helpers/s3_server.ts";

async function archiveOf(fill: number, size: number) {
  const bytes = new Uint8Array(size).fill(fill);
  const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return { bytes, sha256 };
}

async function partsOf(sql: Sql): Promise<number> {
  const [row] = await sql<[{ parts: number }]>`select count(*)::int as parts from archive_parts`;
  return row.parts;
}

Deno.test("an object is what was put, or nothing, and wrong keys are a failure", async () => {
  const server = startS3Server();
  const settings = s3Settings(server);
  const objects = s3Objects(settings);
  const { bytes, sha256 } = await archiveOf(7, 300_000);
  try {
    await objects.put(sha256, bytes);
    assertEquals(await objects.get(sha256, bytes.length), bytes);
    for (const size of [bytes.length - 1, bytes.length + 1]) {
      assertEquals(await objects.get(sha256, size), null);
    }
    const [key] = server.objects.keys();
    server.objects.set(key!, new Uint8Array(bytes.length));
    assertEquals(await objects.get(sha256, bytes.length), null);
    await objects.remove(sha256);
    await objects.remove(sha256);
    assertEquals(await objects.get(sha256, bytes.length), null);
    const stranger = s3Objects({ ...settings, secretAccessKey: "another" });
    await assertRejects(() => stranger.put(sha256, bytes), Error, "answered PUT with 403");
    const elsewhere = s3Objects({ ...settings, url: settings.url.replace("bucket", "none") });
    await assertRejects(() => elsewhere.put(sha256, bytes), Error, "bucket");
  } finally {
    await server.close();
  }
});

describeDatabases((kind, open) => {
  Deno.test(`archives move to the store, are read there, and go with their last server (${kind})`, async () => {
    const server = startS3Server();
    const database = await open();
    const { sql } = database;
    const objects = s3Objects(s3Settings(server));
    const { bytes, sha256 } = await archiveOf(3, 2_500_000);
    const store = () => sql.begin((tx) => storeArchive(tx, sha256, bytes));
    try {
      await store();
      server.isDown = true;
      // Publication does not need the store; what could not be moved waits.
      await assertRejects(() => moveArchives(sql, objects), Error, "503");
      assertEquals(await loadArchive(sql, sha256, objects), bytes);
      server.isDown = false;
      assertEquals(await moveArchives(sql, objects), 1);
      assertEquals([await partsOf(sql), server.objects.size], [0, 1]);
      assertEquals(await moveArchives(sql, objects), 0);
      assertEquals(await loadArchive(sql, sha256, objects), bytes);
      await store();
      assertEquals(await partsOf(sql), 0);

      for (const without of [null, undefined]) {
        const error = await assertRejects(() => loadArchive(sql, sha256, without), AppError);
        assertEquals(error.code, "unavailable");
      }
      server.isDown = true;
      const down = await assertRejects(() => loadArchive(sql, sha256, objects), AppError);
      assertEquals(down.code, "unavailable");
      server.isDown = false;

      assertEquals(await removeUnusedObjects(sql, objects), 0);
      assertEquals(await removeUnusedArchives(sql), 1);
      assertEquals(await removeUnusedObjects(sql, objects), 0);
      assertEquals(server.objects.size, 1);
      // It comes back before the object is removed.
      await store();
      await moveArchives(sql, objects);
      await sql`update archive_objects set unused_since = now() - interval '2 hours'`;
      assertEquals(await removeUnusedObjects(sql, objects), 0);
      assertEquals(await loadArchive(sql, sha256, objects), bytes);

      await removeUnusedArchives(sql);
      await removeUnusedObjects(sql, objects);
      await sql`update archive_objects set unused_since = now() - interval '2 hours'`;
      assertEquals(await removeUnusedObjects(sql, objects), 1);
      assertEquals(server.objects.size, 0);
      assertEquals((await sql`select 1 from archive_objects`).length, 0);
    } finally {
      await database.close();
      await server.close();
    }
  });
});
