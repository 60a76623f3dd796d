import { assertEquals } from "@std/assert";
import { createViewerReader } from "../../src/access/public_view.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { observed } from "../helpers/observed_sql.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { admin, alice, bob, context, serverInput, testRegistry } from "../helpers/registry.ts";

Deno.test("who sees what everybody sees is read as everybody, as long as the registry is the same", async () => {
  const database = await openTestDatabase();
  const { sql, asked } = observed(database.sql);
  const deps = testRegistry({ ...database, sql });
  const viewers = createViewerReader(sql);
  try {
    await createServer(deps, alice, serverInput("open"), context);
    assertEquals(await viewers(null, "1"), null);
    for (const viewer of [alice, bob, admin]) assertEquals(await viewers(viewer, "1"), null);
    asked.length = 0;
    for (const viewer of [alice, bob, admin]) assertEquals(await viewers(viewer, "1"), null);
    assertEquals(asked.length, 0);

    await createServer(deps, alice, serverInput("hidden", { visibility: "private" }), context);
    assertEquals(await viewers(alice, "2"), alice);
    assertEquals(await viewers(admin, "2"), admin);
    assertEquals(await viewers(bob, "2"), null);
    // A user is not taken for an administrator of the same id, nor the reverse.
    assertEquals(await viewers({ userId: bob.userId, isAdmin: true }, "2"), {
      userId: bob.userId,
      isAdmin: true,
    });
    assertEquals(await viewers(bob), null);
  } finally {
    await deps.jobs.close();
    await database.close();
  }
});
