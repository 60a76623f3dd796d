import { assertEquals, assertNotEquals } from "@std/assert";
import type { Sql } from "../../../src/database/client.ts";
import { changedSince } from "../../../src/registry/servers/catalogue.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { UpdateServer } from "../../../src/registry/schema.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { describeNodes } from "../../helpers/nodes.ts";
import { callerOf, serverInput, testRegistry } from "../../helpers/registry.ts";

const alice = callerOf("alice");
const context = { requestId: "r" };

async function markOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ mark: string }[]>`select mark from catalogue`;
  return row?.mark ?? "none";
}

describeDatabases((kind, open) => {
  Deno.test(`every change of what is shown has a mark of its own, and nothing else has (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database);
    const update = (input: unknown) =>
      updateServer(deps, alice, "one", UpdateServer.parse(input), context);
    try {
      await createServer(deps, alice, serverInput("one"), context);
      await createServer(deps, alice, serverInput("two"), context);
      const changes: [() => Promise<unknown>, string[]][] = [
        [() => createServer(deps, alice, serverInput("three"), context), ["three"]],
        [() => update({ description: "Other" }), ["one"]],
        [() => update({ version: "2.0.0" }), ["one"]],
        [() => sql`update server_reports set report = '{}' where name = 'two'`, ["two"]],
        [() => sql`update servers set critical_issues = 3`, ["one", "three", "two"]],
        [() => sql`update servers set name = 'four' where name = 'none'`, []],
        [() => removeServer(deps, alice, "three", context), ["three"]],
        [() => sql`update servers set advisories_checked_at = now()`, []],
        [() => sql`update servers set retry_at = now(), retries = 2`, []],
        [() => update({}), []],
        [() => sql`select * from servers`, []],
      ];
      for (const [change, names] of changes) {
        const before = await markOf(sql);
        await change();
        if (names.length === 0) assertEquals(await markOf(sql), before, String(change));
        else {
          assertNotEquals(await markOf(sql), before, String(change));
          assertEquals([...await changedSince(deps, before) ?? []].sort(), names, String(change));
        }
      }
      assertEquals(await changedSince(deps, crypto.randomUUID()), null);
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });

  Deno.test(`only the latest changes are known by name (${kind})`, async () => {
    const database = await open();
    const deps = testRegistry(database);
    const { sql } = database;
    try {
      await createServer(deps, alice, serverInput("one"), context);
      const first = await markOf(sql);
      await sql`update servers set summary = 'other'`;
      assertEquals(await changedSince(deps, first), new Set(["one"]));
      // As if there had been many.
      await sql`update catalogue set position = position + 2000`;
      await sql`update servers set summary = 'another'`;
      assertEquals(await changedSince(deps, first), null);
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });
});

describeNodes((kind, open) => {
  // The embedded database runs one transaction after the other.
  if (kind === "embedded") return;
  Deno.test(`changes that overlap wait for each other only at their ends, in order (${kind})`, async () => {
    const { nodes: [sql, other], close } = await open();
    const deps = testRegistry({ sql, kind: "postgres", close });
    try {
      for (const name of ["one", "two"]) {
        await createServer(deps, alice, serverInput(name), context);
      }
      const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = sql.begin(async (tx) => {
        await tx`update servers set summary = 'slow' where name = 'one'`;
        begun.resolve();
        await go.promise;
      });
      await begun.promise;
      const before = await markOf(other);
      await other`update servers set summary = 'fast' where name = 'two'`;
      const between = await markOf(other);
      assertEquals(await changedSince({ sql: other }, before), new Set(["two"]));
      go.resolve();
      await slow;
      // What began first is the later change: whoever read between the two learns of it.
      assertNotEquals(await markOf(other), between);
      assertEquals(await changedSince({ sql: other }, between), new Set(["one"]));
    } finally {
      await deps.jobs.close();
      await close();
    }
  });
});
