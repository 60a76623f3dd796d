/**
 * One user does not fill the database for all.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { RegistryDeps } from "../../src/registry/deps.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { rescanServer } from "../../src/registry/scanning/rescan.ts";
import { UpdateServer } from "../../src/registry/schema.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { describeDatabases } from "../helpers/database.ts";
import { callerOf, refusal, repositoryOf, serverInput, testRegistry } from "../helpers/registry.ts";

const context = { requestId: "req-1" };
const ann = callerOf("ann");
const eve = callerOf("eve");

/** Text that does not compress to less than its length in bytes. */
function noise(bytes: number): string {
  let text = "";
  while (text.length < bytes * 2) text += crypto.randomUUID().replaceAll("-", "");
  return text.slice(0, bytes * 2);
}

describeDatabases((kind, open) => {
  Deno.test(`archives of a user are bounded in number and bytes, on ${kind}`, async () => {
    const database = await open();
    let text = "print()";
    const small = (await repositoryOf("https://github.com/acme/first", text)).archive.length;
    const deps: RegistryDeps = testRegistry(database, {
      fetchRepository: ({ url }) => repositoryOf(url, text),
    });
    deps.policy.archives = { servers: 3, bytes: small * 2 + 20_000 };
    try {
      await createServer(deps, eve, serverInput("first"), context);
      await createServer(deps, eve, serverInput("second"), context);
      text = noise(30_000);
      const large = () => createServer(deps, eve, serverInput("large"), context);
      assertStringIncludes((await refusal(large, "conflict")).message, "would exceed the limit");
      const version = UpdateServer.parse({ version: "1.1.0" });
      await refusal(() => updateServer(deps, eve, "first", version, context), "conflict");
      const { done } = await rescanServer(deps, eve, "first", context);
      const outcome = await done;
      assert(outcome.kind === "refused");
      assertEquals(outcome.error.code, "conflict");
      text = "print(1)";
      await createServer(deps, eve, serverInput("third"), context);
      const fourth = () => createServer(deps, eve, serverInput("fourth"), context);
      assertStringIncludes((await refusal(fourth, "conflict")).message, "3 servers");
      // An update that takes no more goes through, and others have room of their own.
      text = "p()";
      await updateServer(deps, eve, "second", version, context);
      await createServer(deps, ann, serverInput("hers"), context);
      await createServer(deps, callerOf("eve", { isAdmin: true }), serverInput("fifth"), context);
      const rows = await database.sql`select name from servers where owner = ${eve.userId}`;
      assertEquals(rows.length, 4);
    } finally {
      await database.close();
    }
  });
});
