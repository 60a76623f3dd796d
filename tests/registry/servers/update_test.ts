import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { findRunnable, getServer } from "../../../src/registry/servers/get.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { UpdateServer } from "../../../src/registry/schema.ts";
import { startUpdate, updateServer } from "../../../src/registry/servers/update.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  context,
  refusal,
  reportOn,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

function change(input: Record<string, unknown>) {
  return UpdateServer.parse(input);
}

describeDatabases((kind, open) => {
  Deno.test(`updateServer() on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database);
    const update = (input: Record<string, unknown>, caller = alice, more = {}) =>
      updateServer(deps, caller, "weather", change(input), { ...context, ...more });
    try {
      await createServer(deps, alice, serverInput("weather"), context);

      await t.step("checks existence, then permission, then the body", async () => {
        const missing = () => updateServer(deps, bob, "nothing", change({ name: "x" }), context);
        await refusal(missing, "not_found");
        await refusal(() => updateServer(deps, bob, "a\0b", change({}), context), "not_found");
        const error = await refusal(() => update({ name: "other" }, bob), "forbidden");
        assertEquals(error.details, { required: "owner", current: "user" });
        const bad = await refusal(() => update({ name: "other" }), "invalid_request");
        assertEquals(bad.errors[0]!.path, "name");
      });

      await t.step("changes what was not scanned at once", async () => {
        deps.clock.time = new Date("2026-01-02T00:00:00.000Z");
        const scans = deps.scanned.length;
        const server = await update({
          description: "New",
          pricing: { currency: "EUR", amount: 2 },
        });
        assertEquals(server.description, "New");
        assertEquals(server.pricing, { currency: "EUR", amount: 2 });
        assertEquals(server.updated_at, "2026-01-02T00:00:00.000Z");
        assertEquals(server.created_at, "2026-01-01T00:00:00.000Z");
        assertEquals(deps.scanned.length, scans);
        const [entry] = await sql`select details from audit_log order by id desc limit 1`;
        assertEquals(entry!["details"], { changed: ["description", "pricing"] });
      });

      await t.step("takes back what it gave and changes nothing", async () => {
        deps.clock.time = new Date("2026-01-03T00:00:00.000Z");
        const before = await getServer(deps, "weather", null);
        const scans = deps.scanned.length;
        const after = await update(JSON.parse(JSON.stringify(before.server)));
        assertEquals(after, before.server);
        assertEquals(deps.scanned.length, scans);
        assertEquals((await getServer(deps, "weather", null)).etag, before.etag);
      });

      await t.step("compares and shows addresses in normal form", async () => {
        const scans = deps.scanned.length;
        const server = await update({ repository: { url: "git@github.com:acme/weather.git" } });
        assertEquals(server.repository.url, "https://github.com/acme/weather");
        assertEquals(deps.scanned.length, scans);
      });

      for (
        const input of [
          { version: "1.1.0" },
          { entrypoint: "other.py" },
          { lang: "go" },
          { repository: { url: "https://github.com/acme/other" } },
          { tools: { names: ["one", "two"] } },
        ]
      ) {
        await t.step(`scans again for ${Object.keys(input)}`, async () => {
          const scans = deps.scanned.length;
          const server = await update(input);
          assertEquals(deps.scanned.length, scans + 1);
          if (input.tools) assertEquals(server.tools, { count: 2, names: ["one", "two"] });
        });
      }

      await t.step("respects If-Match", async () => {
        const { etag } = await getServer(deps, "weather", null);
        await refusal(() => update({ license: "ISC" }, alice, { ifMatch: '"old"' }), "stale");
        await refusal(() => update({ license: "ISC" }, alice, { ifMatch: `W/${etag}` }), "stale");
        await update({ license: "ISC" }, alice, { ifMatch: `"old", ${etag}` });
        await refusal(() => update({ version: "3.0.0" }, alice, { ifMatch: etag }), "stale");
        await update({ license: "MIT" }, alice, { ifMatch: "*" });
      });

      await t.step("lets an administrator change, and the owner stays", async () => {
        await update({ description: "Moderated" }, admin);
        const { owner, scannedTools } = (await findRunnable(sql, "weather"))!;
        assertEquals(owner, "user-alice");
        const { tool_discovery } = (await getServer(deps, "weather", null)).server.security_report;
        assertEquals(scannedTools, {
          names: tool_discovery.found.map(({ name }) => name),
          built: [],
          atRunTime: tool_discovery.dynamic,
        });
      });

      await t.step("keeps authors of others out", async () => {
        await createServer(deps, bob, serverInput("bobs", { author: "Bob" }), context);
        await refusal(() => update({ author: "bob" }), "forbidden");
        assertEquals((await update({ author: "Alice B" })).author, "Alice B");
        await refusal(
          () => createServer(deps, bob, serverInput("more", { author: "alice b" }), context),
          "forbidden",
        );
      });
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });

  Deno.test(`updateServer() on ${kind} that fails or overlaps`, async (t) => {
    const database = await open();
    const { sql } = database;
    const scan = Promise.withResolvers<void>();
    let fail: AppError | null = null;
    let wait = false;
    let text = "print()";
    const deps = testRegistry(database, {
      fetchRepository: ({ url }) => fail === null ? repositoryOf(url, text) : Promise.reject(fail),
      scan: async (request, { signal }) => {
        if (wait) {
          const aborted = new Promise((_, reject) =>
            signal!.addEventListener("abort", () => reject(signal!.reason))
          );
          await Promise.race([scan.promise, aborted]);
        }
        return reportOn(request);
      },
    });
    try {
      await createServer(deps, alice, serverInput("weather"), context);
      const before = await getServer(deps, "weather", null);

      await t.step("leaves the old record when fetching fails", async () => {
        fail = new AppError("repository_refused", "The entrypoint was not found");
        const work = () =>
          updateServer(deps, alice, "weather", change({ version: "2.0.0" }), context);
        await refusal(work, "repository_refused");
        assertEquals(await getServer(deps, "weather", null), before);
        fail = null;
      });

      await t.step("merges a change that is made while another scans", async () => {
        wait = true;
        const started = await startUpdate(
          deps,
          alice,
          "weather",
          change({ version: "2.0.0" }),
          context,
        );
        assert(started.kind === "scanning");
        const second = () => updateServer(deps, alice, "weather", change({ lang: "go" }), context);
        await refusal(second, "conflict");
        await updateServer(deps, alice, "weather", change({ description: "Meanwhile" }), context);
        scan.resolve();
        const outcome = await started.done;
        assert(outcome.kind === "stored");
        assertEquals(outcome.server.version, "2.0.0");
        assertEquals(outcome.server.description, "Meanwhile");
        wait = false;
      });

      await t.step("replaces the archive and removes the one that nothing refers to", async () => {
        const old = (await getServer(deps, "weather", null)).server.source.archive_sha256;
        text = "print('new')";
        const server = await updateServer(
          deps,
          alice,
          "weather",
          change({ version: "3.0.0" }),
          context,
        );
        assertNotEquals(server.source.archive_sha256, old);
        const rows = await sql`select sha256 from archives`;
        assertEquals(rows.map((row) => row["sha256"]), [server.source.archive_sha256]);
      });

      await t.step("ends when the server is removed meanwhile", async () => {
        wait = true;
        const never = testRegistry(database, {
          scan: () => new Promise(() => {}),
          fetchRepository: ({ url }) => repositoryOf(url),
        });
        const blocked = testRegistry(database, {
          scan: async (request) => {
            await removeServer(never, alice, "weather", context);
            return reportOn(request);
          },
        });
        const work = () =>
          updateServer(blocked, alice, "weather", change({ version: "4.0.0" }), context);
        await refusal(work, "not_found");
        await refusal(() => getServer(deps, "weather", null), "not_found");
      });
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  });
});
