/** `berth code-hosts`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { testCli } from "../helpers/cli.ts";
import { openRealApp } from "../http/real_services.ts";

const SECRET = "glpat-s3cr3t-0123456789";

Deno.test("berth code-hosts set, list and rm never show a token", async () => {
  const real = await openRealApp();
  try {
    const env = { BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }) };
    await using cli = await testCli((url, init) => real.app.request(url, init), env);
    const set = await cli.run(["code-hosts", "set", "gitlab.com"], { answers: [SECRET] });
    assertEquals(set.code, 0, set.err);
    assertStringIncludes(set.err, "Token for gitlab.com: ");
    const args = ["code-hosts", "set", "codeberg.org", "--for", "Acme/Weather"];
    assertEquals((await cli.run(args, { stdin: `${SECRET}\n` })).code, 0);
    for (const stdin of ["", "\n"]) {
      const empty = await cli.run(args, { stdin });
      assertEquals(empty.code, 2);
      assertStringIncludes(empty.err, "from standard input");
    }
    const elsewhere = await cli.run(["code-hosts", "set", "evil.example"], { stdin: SECRET });
    assertEquals(elsewhere.code, 1);
    assertStringIncludes(elsewhere.err, "No repositories are fetched");

    const list = await cli.run(["code-hosts", "list"]);
    assertStringIncludes(list.out, "gitlab.com");
    assertStringIncludes(list.out, "everything");
    assertStringIncludes(list.out, "acme/weather");
    assertStringIncludes(list.err, "github.com, gitlab.com, codeberg.org");
    const json = await cli.run(["code-hosts", "list", "--json"]);
    assertEquals(JSON.parse(json.out).tokens.length, 2);

    const wrong = await cli.run(["code-hosts", "rm", "codeberg.org"]);
    assertEquals(wrong.code, 1);
    const removed = await cli.run(["code-hosts", "rm", "codeberg.org", "--for", "acme/weather"]);
    assertEquals(removed.code, 0, removed.err);
    for (const { out, err } of [set, list, json, elsewhere, removed]) {
      assertEquals((out + err).includes(SECRET), false);
    }
  } finally {
    await real.close();
  }
});
