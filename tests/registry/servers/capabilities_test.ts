import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { admit } from "../../../src/execution/admission/admission.ts";
import { clientOf } from "../../../src/execution/admission/clients.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { findRunnable } from "../../../src/registry/servers/get.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { alice, context, reportOn, serverInput, testRegistry } from "../../helpers/registry.ts";

const CAPABILITIES = {
  runs: ["sql", "commands", "sql"].map((kind, at) => ({
    kind: kind as "sql" | "commands",
    tools: ["run"],
    file: "server.py",
    line: at + 1,
  })),
  hosts: [],
  files: false,
  keys: [],
};

describeDatabases((kind, open) => {
  Deno.test(`a server's capabilities decide whether it runs, on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    try {
      const capable = testRegistry(database, {
        scan: (request) => Promise.resolve({ ...reportOn(request), capabilities: CAPABILITIES }),
      });
      await createServer(capable, alice, serverInput("runner"), context);
      await createServer(testRegistry(database), alice, serverInput("plain"), context);
      const deps = {
        findRunnable: (name: string) => findRunnable(sql, name),
        policy: "unless-failed" as const,
      };
      const client = clientOf(null, "203.0.113.7");

      await t.step("they are told once each, and none by older reports", async () => {
        assertEquals((await findRunnable(sql, "runner"))!.runs, ["sql", "commands"]);
        assertEquals((await findRunnable(sql, "plain"))!.runs, []);
      });

      await t.step("it runs where they are shown", async () => {
        assertEquals(
          (await admit({ ...deps, capabilities: "show" }, "runner", client)).name,
          "runner",
        );
      });

      await t.step("it does not run where they are refused, and others do", async () => {
        const refused = { ...deps, capabilities: "refuse" as const };
        const error = await assertRejects(() => admit(refused, "runner", client), AppError);
        assertEquals(error.code, "forbidden");
        assertEquals((await admit(refused, "plain", client)).name, "plain");
      });
    } finally {
      await database.close();
    }
  });
});
