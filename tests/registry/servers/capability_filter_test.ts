import { assertEquals } from "@std/assert";
import { ListQuery } from "../../../src/registry/schema.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { namedScan } from "../../helpers/capable_servers.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { alice, context, serverInput, testRegistry } from "../../helpers/registry.ts";

describeDatabases((kind, open) => {
  Deno.test(`lists have capabilities and are filtered by them, on ${kind}`, async () => {
    const database = await open();
    try {
      const registry = testRegistry(database, { scan: namedScan });
      for (const name of ["sql-store", "sql-code-store", "commands-shell", "weather"]) {
        await createServer(registry, alice, serverInput(name), context);
      }
      const list = async (query: Record<string, string>) => {
        const page = await listServers(registry, ListQuery.parse(query), null);
        return [page.totalMatching, ...page.servers.map(({ name }) => name)];
      };
      const { servers } = await listServers(registry, ListQuery.parse({}), null);
      assertEquals(servers.map(({ name, capabilities }) => [name, ...capabilities]), [
        ["commands-shell", "commands"],
        ["sql-code-store", "sql", "code"],
        ["sql-store", "sql"],
        ["weather"],
      ]);
      assertEquals(await list({ capability: "sql" }), [2, "sql-code-store", "sql-store"]);
      assertEquals(await list({ capability: "code", q: "store" }), [1, "sql-code-store"]);
      assertEquals(await list({ capability: "none" }), [1, "weather"]);
      const first = await listServers(
        registry,
        ListQuery.parse({ capability: "sql", limit: "1" }),
        null,
      );
      const next = await listServers(
        registry,
        ListQuery.parse({ capability: "sql", limit: "1", cursor: first.nextCursor! }),
        null,
      );
      assertEquals(next.servers.map(({ name }) => name), ["sql-store"]);
      assertEquals(ListQuery.safeParse({ capability: "network" }).success, false);
    } finally {
      await database.close();
    }
  });
});
