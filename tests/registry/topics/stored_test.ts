import { assertEquals } from "@std/assert";
import { CreateServer, ListQuery, UpdateServer } from "../../../src/registry/schema.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { getServer } from "../../../src/registry/servers/get.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { fillTopics } from "../../../src/registry/topics/fill.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { alice, context, serverInput, testRegistry } from "../../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`a server's category and tags, on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database);
    const update = (name: string, fields: Record<string, unknown>) =>
      updateServer(deps, alice, name, UpdateServer.parse(fields), context);
    async function topics(name: string) {
      const { server: { category, tags } } = await getServer(deps, name, null);
      return { category, tags };
    }
    async function given(name: string) {
      const [row] = await sql`select given_category, given_tags from servers where name = ${name}`;
      return { ...row };
    }
    const names = async (query: Record<string, string>) =>
      (await listServers(deps, ListQuery.parse(query), null)).servers.map(({ name }) => name);
    try {
      await createServer(
        deps,
        alice,
        serverInput("mailer", { description: "Send e-mail", tools: { names: ["send_mail"] } }),
        context,
      );
      const own = { category: "security" as const, tags: ["audit-log", "x1"] };
      await createServer(deps, alice, serverInput("watcher", own), context);

      await t.step("are the author's, else proposed", async () => {
        assertEquals(await topics("watcher"), own);
        assertEquals(await topics("mailer"), { category: "communication", tags: ["email"] });
        assertEquals(await given("mailer"), { given_category: null, given_tags: null });
      });

      await t.step("stay proposed when they are sent back as they were shown", async () => {
        const shown = await topics("mailer");
        await update("mailer", { ...shown, description: "Weather forecasts by mail" });
        assertEquals(await given("mailer"), { given_category: null, given_tags: null });
        await update("mailer", { description: "Send e-mail" });
      });

      await t.step("are proposed anew when the author takes them back", async () => {
        await update("watcher", { category: null, tags: null, description: "Kubernetes pods" });
        assertEquals(await topics("watcher"), { category: "cloud", tags: ["kubernetes"] });
        await update("watcher", own);
        await update("watcher", { tags: [] });
        assertEquals(await topics("watcher"), { ...own, tags: [] });
        await update("watcher", own);
      });

      await t.step("filter lists", async () => {
        assertEquals(await names({ category: "security" }), ["watcher"]);
        assertEquals(await names({ category: "other" }), []);
        assertEquals(await names({ tag: "email" }), ["mailer"]);
        assertEquals(await names({ tag: "x1", category: "communication" }), []);
      });

      await t.step("are proposed for records that are older than they", async () => {
        await sql`update servers set category = null, tags = '{}' where name = 'mailer'`;
        assertEquals((await topics("mailer")).category, "other");
        await fillTopics(sql);
        assertEquals(await topics("mailer"), { category: "communication", tags: ["email"] });
        assertEquals(await topics("watcher"), own);
      });
    } finally {
      await database.close();
    }
  });
});

Deno.test("categories and tags that are none are refused by name", () => {
  const base = {
    name: "a",
    version: "1.0.0",
    description: "x",
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { url: "https://github.com/acme/a" },
  };
  for (
    const [fields, path] of [
      [{ category: "Security" }, "category"],
      [{ category: "__proto__" }, "category"],
      [{ tags: "mail" }, "tags"],
      [{ tags: ["<img src=x>"] }, "tags.0"],
      [{ tags: Array(9).fill("a") }, "tags"],
    ] as const
  ) {
    const parsed = CreateServer.safeParse({ ...base, ...fields });
    assertEquals(parsed.error?.issues[0]?.path.join("."), path);
  }
});
