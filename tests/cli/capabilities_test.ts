/** `berth admin`, and what other commands say of servers that wait. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createServer } from "../../src/registry/servers/create.ts";
import { namedScan } from "../helpers/capable_servers.ts";
import { testCli } from "../helpers/cli.ts";
import { callerOf, context, serverInput } from "../helpers/registry.ts";
import { openRealApp } from "../http/real_services.ts";

Deno.test("berth admin lists, allows and refuses servers with capabilities, and show tells of it", async () => {
  const real = await openRealApp({ scan: namedScan });
  try {
    real.registry.policy = { ...real.registry.policy, capabilities: "ask" };
    const ada = callerOf("ada", { userId: "ada" });
    await createServer(real.registry, ada, serverInput("sql-store"), context);
    await createServer(real.registry, ada, serverInput("weather"), context);
    const env = { BERTH_TOKEN: await real.issuer.mint({ sub: "root" }) };
    await using cli = await testCli((url, init) => real.app.request(url, init), env);

    const listed = await cli.run(["admin", "capabilities"]);
    assertEquals(listed.code, 0, listed.err);
    assertStringIncludes(listed.out, "sql-store\t1.0.0\t");
    assertStringIncludes(listed.out, "sql\trun_sql\tserver.py:3");
    const shown = await cli.run(["show", "sql-store"]);
    assertStringIncludes(shown.out, "runs SQL that its caller writes");
    assertStringIncludes(shown.out, "Waits for an administrator of the registry");

    const refused = await cli.run(["admin", "refuse", "sql-store", "--reason", "Billing data"]);
    assertEquals(refused.code, 0, refused.err);
    assertStringIncludes(
      (await cli.run(["show", "sql-store"])).out,
      "Refused by an administrator: Billing data",
    );
    const allowed = await cli.run(["admin", "allow", "sql-store", "--reason", "Read only"]);
    assertStringIncludes(allowed.err, 'Allowed "sql-store" to run here');
    assertEquals((await cli.run(["admin", "capabilities"])).err, "No matching servers\n");
    const json = await cli.run(["admin", "capabilities", "--state", "allowed", "--json"]);
    assertEquals(json.json.servers[0].answer.reason, "Read only");

    const needless = await cli.run(["admin", "allow", "weather", "--reason", "x"]);
    assertEquals(needless.code, 1);
    assertStringIncludes(needless.err, "runs nothing that its callers write");
    assertEquals((await cli.run(["admin", "allow", "sql-store"])).code, 2);
    const other = { BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }) };
    const forbidden = await cli.run(["admin", "capabilities"], { env: other });
    assertEquals(forbidden.code, 1);
    assertStringIncludes(forbidden.err, "Only administrators can do this");

    const found = await cli.run(["list", "--capability", "sql"]);
    assertStringIncludes(found.out, "sql-store");
    assertEquals(found.out.includes("weather"), false);
  } finally {
    await real.close();
  }
});
