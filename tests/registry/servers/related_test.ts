import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { relatedServers } from "../../../src/registry/servers/related.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  alice,
  bob,
  context,
  reportOn,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

/** Tools by name of the server; those of bob begin with "b" and "c". */
const SERVERS: Record<string, string[]> = {
  "weather": ["forecast", "now", "alerts"],
  "a-other": ["notes"],
  "b-same": ["forecast", "now", "it's"],
  "b-one": ["forecast"],
  "b-none": ["mail"],
  "c-used": ["map"],
};

describeDatabases((kind, open) => {
  Deno.test(`relatedServers() puts servers with more tools in common first, on ${kind}`, async () => {
    const database = await open();
    try {
      const deps = testRegistry(database, {
        scan: (request) =>
          Promise.resolve(reportOn(request, { tools: SERVERS[request.serverName]! })),
      });
      for (const name of Object.keys(SERVERS)) {
        const caller = /^[bc]/.test(name) ? bob : alice;
        const category = ["weather", "c-used"].includes(name) ? "places" : "finance";
        await createServer(deps, caller, serverInput(name, { category }), context);
      }
      const weather = {
        name: "weather",
        author: "ALICE",
        category: "places" as const,
        tools: SERVERS["weather"]!,
      };
      const found = await relatedServers(database.sql, weather, null, 5);
      assertEquals(
        found.map(({ name, sharedTools, sameAuthor }) => [name, sharedTools, sameAuthor]),
        [["b-same", 2, false], ["b-one", 1, false], ["a-other", 0, true], ["c-used", 0, false]],
      );
      assertEquals((await relatedServers(database.sql, weather, null, 1)).length, 1);
      assertEquals(found.map(({ sameCategory }) => sameCategory), [false, false, false, true]);
      const alone = { name: "x", author: "nobody", category: "other" as const, tools: [] };
      assertEquals((await relatedServers(database.sql, alone, null, 5)).length, 0);
    } finally {
      await database.close();
    }
  });
});
