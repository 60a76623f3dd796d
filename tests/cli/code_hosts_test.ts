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

Deno.test("berth code-hosts list says which line opens a repository to the registry's App", async () => {
  const code = "0c6f1c1e-9d1a-4b7e-8a52-2f6f0f3b1a77";
  const hosts = [
    { host: "github.com", kind: "github", app: true },
    { host: "gitlab.com", kind: "gitlab", app: false },
  ];
  const answer = { status: "success", hosts, tokens: [], publisher_code: code };
  await using cli = await testCli(() => Promise.resolve(Response.json(answer)), {
    BERTH_TOKEN: "t",
  });
  const { err } = await cli.run(["code-hosts", "list"]);
  assertStringIncludes(err, `berth-publisher.txt: ${code} github.com/owner/name`);
  assertEquals(err.includes("gitlab.com/owner"), false);
});
