import { assertEquals } from "@std/assert";
import type { CreateServer } from "../../../src/registry/schema.ts";
import { correctQuestion, editsBetween } from "../../../src/registry/servers/correct.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { ListQuery } from "../../../src/registry/schema.ts";
import { matchingTools, parseQuestion } from "../../../src/registry/servers/search.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { alice, context, serverInput, testRegistry } from "../../helpers/registry.ts";

const SERVERS: Record<string, Partial<CreateServer>> = {
  "gmail-assistant": {
    description: "Read and send mail with Gmail",
    tools: { names: ["send_email", "list_mailboxes", "add_label"] },
  },
  "postgres-query": { description: "Ask a PostgreSQL database", tools: { names: ["run_query"] } },
  "wetter": { description: "Wetter für jeden Ort", tools: { names: ["vorhersage"] } },
  "sky": {
    description: "Weather forecasts for any city",
    tools: { names: ["get_forecast", "weather_now"] },
  },
};

describeDatabases((kind, open) => {
  Deno.test(`searches forgive, on ${kind}`, async (t) => {
    const database = await open();
    const deps = testRegistry(database);
    const names = async (q: string) =>
      (await listServers(deps, ListQuery.parse({ q }), null)).servers.map(({ name }) => name);
    try {
      for (const [name, fields] of Object.entries(SERVERS)) {
        await createServer(deps, alice, serverInput(name, fields), context);
      }

      await t.step("words that say nothing, and other words for the same", async () => {
        assertEquals(await names("I want to send an email to my boss"), []);
        assertEquals(await names("I want to send an email"), ["gmail-assistant"]);
        assertEquals(await names("publish inbox"), ["gmail-assistant"]);
        assertEquals(await names("db"), ["postgres-query"]);
      });

      const errors: [string, string | null][] = [
        ["wether", "weather"],
        ["Forcast for any city", "forecast city"],
        ["postgers", "postgres"],
        ["gmial", "gmail"],
        ["send emial", "send email"],
        ["weather", null],
        ["vohersage", "vorhersage"],
        ["zzzzqqq", null],
        ["abc", null],
        ["weather in Berlin", "weather"],
        ["wether in Berlin", "weather"],
        ["I want to send an email to my boss", "send email"],
        ["read vorhersage", "vorhersage"],
        ["city of zzzzqqq", "city"],
        ["send mail", null],
        ["", null],
        ["%%%% ____", null],
        ["' or 1=1 --", null],
        ["x".repeat(400), null],
      ];
      for (const [q, corrected] of errors) {
        await t.step(`makes the best of ${JSON.stringify(q).slice(0, 40)}`, async () => {
          assertEquals(await correctQuestion(deps, q, null), corrected);
        });
      }
    } finally {
      await database.close();
    }
  });
});

Deno.test("editsBetween() counts edits up to a bound, swaps as one", () => {
  assertEquals(editsBetween("weather", "weather", 2), 0);
  assertEquals(editsBetween("wether", "weather", 2), 1);
  assertEquals(editsBetween("gmial", "gmail", 2), 1);
  assertEquals(editsBetween("kitten", "sitting", 2), 3);
  assertEquals(editsBetween("a".repeat(1000), "b".repeat(1000), 2), 3);
  assertEquals(editsBetween("", "ab", 2), 2);
});

Deno.test("matchingTools() names the tools that a question is about", () => {
  const tools = ["send_email", "list_mailboxes", "add_label"];
  const matching = (q: string) => matchingTools(parseQuestion(q)!, tools);
  assertEquals(matching("send mail"), ["send_email", "list_mailboxes"]);
  assertEquals(matching("publish"), ["send_email"]);
  assertEquals(matching("weather"), []);
  assertEquals(matching("if"), []);
});
