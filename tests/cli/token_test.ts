import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { testCli } from "../helpers/cli.ts";
import { openRealApp } from "../http/real_services.ts";

Deno.test("berth token create, list and revoke", async () => {
  const real = await openRealApp();
  try {
    const env = { BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }) };
    await using cli = await testCli((url, init) => real.app.request(url, init), env);

    const made = await cli.run(["token", "create", "Build server", "--expires-in", "600"]);
    assertEquals(made.code, 0, made.err);
    assertMatch(made.out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    assertStringIncludes(made.err, "10 minutes and will not be shown again");
    const token = made.out.trim();
    const asToken = { env: { BERTH_TOKEN: token } };
    assertEquals((await cli.run(["whoami"], asToken)).code, 0);

    const json = await cli.run(["token", "create", "Other", "--json", "--quiet"]);
    assertEquals([json.json.token.name, json.err], ["Other", ""]);

    const listed = await cli.run(["token", "list", "--json"]);
    assertEquals(listed.json.total, 2);
    const { id } = listed.json.tokens.find((one: { name: string }) => one.name === "Build server");
    const plain = await cli.run(["token", "ls"]);
    // In no order: made at one time where the clock was set back.
    const states = plain.out.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "));
    assert(states.includes(`${id} live`), plain.out);
    const table = await cli.run(["token", "list"], { columns: 200 });
    assertStringIncludes(table.out, "LAST USED");
    assertStringIncludes(table.out, "Build server");

    assertEquals((await cli.run(["token", "revoke", id])).code, 0);
    assertEquals((await cli.run(["whoami"], asToken)).code, 3);
    const unknown = await cli.run(["token", "revoke", crypto.randomUUID()]);
    assertEquals(unknown.code, 1);
    assertEquals((await cli.run(["token", "create", "x", "--expires-in", "59"])).code, 2);
    const anonymous = await cli.run(["token", "list"], { env: { BERTH_TOKEN: "" } });
    assertEquals(anonymous.code, 3);
  } finally {
    await real.close();
  }
});
