import { assertEquals } from "@std/assert";
import { ListQuery } from "../../../src/registry/schema.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { ReachSigns } from "../../../src/web/layout/capability_signs.tsx";
import { withShown } from "../../../src/web/layout/listed.ts";
import { namedScan } from "../../helpers/capable_servers.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { alice, context, serverInput, testRegistry } from "../../helpers/registry.ts";

Deno.test("lists on pages say whether a server's code reaches the network, or files", async () => {
  const database = await openTestDatabase();
  try {
    const registry = testRegistry(database, { scan: namedScan });
    const names = ["files-store", "network-files-store", "network-store", "sql-store"];
    for (const name of names) await createServer(registry, alice, serverInput(name), context);
    const { servers } = await listServers(registry, ListQuery.parse({}), null);
    const shown = await withShown(registry.sql, servers, registry.now());
    assertEquals(shown.map(({ name, reaches }) => [name, ...reaches]), [
      ["files-store", "files"],
      ["network-files-store", "network", "files"],
      ["network-store", "network"],
      ["sql-store"],
    ]);
    const signs = `${ReachSigns({ reaches: shown[1]!.reaches })}`;
    assertEquals([...signs.matchAll(/(Network|Files)<\/span>/g)].map(([, label]) => label), [
      "Network",
      "Files",
    ]);
  } finally {
    await database.close();
  }
});
