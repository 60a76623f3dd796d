import { assertEquals, assertMatch } from "@std/assert";
import { freePort } from "../helpers/berth_process.ts";
import { connectClient, textOf } from "../helpers/clients.ts";
import { startServing } from "../helpers/everything.ts";
import { startIndex } from "../helpers/package_index.ts";

const SERVER = `from mcp.server.fastmcp import FastMCP
import greeting

mcp = FastMCP("greeter")


@mcp.tool()
def greet() -> str:
    """Greet the world."""
    return greeting.hello()


if __name__ == "__main__":
    mcp.run()
`;

async function metricsAt(port: number): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

Deno.test("a server is published, built and called with the packages that it asks for, also after its session was parked", async () => {
  await using index = await startIndex([
    {
      name: "greeting",
      version: "1.2",
      requires: ["words>=2", "windows-only; sys_platform == 'win32'"],
      files: { "greeting.py": "import words\ndef hello():\n    return words.HELLO\n" },
    },
    { name: "words", version: "2.1", files: { "words.py": "HELLO = 'hello'\n" } },
  ]);
  const pyproject = `[project]
name = "greeter"
version = "1.0.0"
dependencies = ["mcp", "greeting>=1", "nowhere"]
`;
  const metrics = freePort();
  await using serving = await startServing(
    { greeter: { "server.py": SERVER, "pyproject.toml": pyproject } },
    { PACKAGE_INDEX_URL: index.url, METRICS_PORT: String(metrics), PARK_AFTER_SECONDS: "1" },
  );
  const { berth } = serving;
  const { server } = await (await fetch(`${berth.apiUrl}/servers/greeter`)).json();
  const { packages, compatibility, dependency_audit } = server.security_report;
  const listed = (isInstalled: boolean) =>
    packages.resolved.flatMap(({ name, version, source }: Record<string, string>) =>
      (source === "installation") === isInstalled ? [`${name} ${version}`] : []
    );
  // The SDK, which Berth provides, is listed with the others, and with what it brings.
  assertEquals(listed(false), ["greeting 1.2", "mcp 1.30.0", "words 2.1"]);
  assertMatch(listed(true).join(), /\bhttpx 0\./);
  assertEquals(packages.missing.map((each: { name: string }) => each.name), ["nowhere"]);
  assertEquals([compatibility.build.runs, dependency_audit.error], ["yes", null]);

  // Sessions are served from the database.
  await index[Symbol.asyncDispose]();
  const client = await connectClient(berth.workerUrl, "greeter");
  assertEquals(textOf(await client.callTool({ name: "greet", arguments: {} })), "hello");
  // With its packages, and the list of what was scanned.
  while (!/^berth_parked_sessions 1$/m.test(await metricsAt(metrics))) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assertEquals(textOf(await client.callTool({ name: "greet", arguments: {} })), "hello");
  assertMatch(await metricsAt(metrics), /^berth_park_resumes_total\{outcome="resumed"\} 1$/m);
  await client.close();

  const site = berth.apiUrl.replace("/api/v1", "");
  const bill = await fetch(`${site}/servers/greeter/sbom.cdx.json`);
  assertMatch(await bill.text(), /pkg:pypi\/words@2\.1/);
  const page = await (await fetch(`${site}/servers/greeter/security`)).text();
  const { length } = packages.resolved;
  assertMatch(page, new RegExp(`${length} packages, as pyproject\\.toml asks for`));
  assertMatch(page, /<code>nowhere<\/code>: the index does not have it/);
});
