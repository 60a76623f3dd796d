/**
 * Servers that mean harm while they are built, in real hosts.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHosts, server, sessionInput, until } from "../helpers/interpreter.ts";
import { sha256Of } from "../../src/bytes.ts";
import { inputOf } from "../helpers/plain_json.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { silentLogger } from "../helpers/log.ts";
import { oneFileExecution } from "../helpers/one_file_execution.ts";
import { INITIALIZE, json, post, rpc, SERVER, storedScript } from "../execution/harness.ts";
import { testBuilder } from "../execution/build/harness.ts";

const TOOL = '@tool\ndef a() -> str:\n    return "a"\n';
/** Shorter than what never ends, so that only that is found late. */
const SOON_MS = 8000;

Deno.test("an import that never ends is interrupted, and the report says where it was", async () => {
  await using hosts = await openHosts();
  const { build } = await testBuilder(hosts, { deadlineMs: SOON_MS })({
    "server.py": "import slow\n",
    "slow.py": "\nwhile True:\n    pass\n",
  });
  assertEquals([build.runs, build.problem?.kind], ["no", "hangs"]);
  assertEquals(build.problem?.file, "slow.py");
  assertMatch(build.problem!.message, /longer than the limit of 8 s/);
  assertEquals(hosts.stats().hosts, 0);
});

Deno.test("an import that cannot be interrupted is killed with its host, whatever it prints", async () => {
  await using hosts = await openHosts({ interruptGraceMs: 200 });
  const { build } = await testBuilder(hosts, { deadlineMs: SOON_MS })(`
from pyodide.code import run_js
while True:
    try:
        print("x" * 10_000)
        run_js("for (let i = 0; i < 1e9; i++);")
    except BaseException:
        pass
`);
  assertEquals([build.runs, build.problem?.kind], ["no", "hangs"]);
  assertEquals(hosts.stats().hosts, 0);
});

Deno.test("an import that fills the memory ends at the bound of a session", async () => {
  await using hosts = await openHosts({ memoryMb: 128 });
  const { build } = await testBuilder(hosts)(
    "held = []\nwhile True:\n    held.append(bytearray(1 << 20))\n",
  );
  assertEquals([build.runs, build.problem?.kind], ["no", "memory"]);
  assertMatch(build.problem!.message, /SESSION_MEMORY_MB/);
});

Deno.test("a build has no network, and a server that needs it to start is not called broken", async () => {
  await using hosts = await openHosts();
  const { build } = await testBuilder(hosts)(server(`
import requests
requests.get("https://example.com/")
${TOOL}`));
  assertEquals([build.runs, build.problem?.kind], ["needs_network", "needs_network"]);
  assertMatch(build.problem!.message, /no network/);
});

Deno.test("files that a build writes, and what it changes, are gone with it", async () => {
  await using hosts = await openHosts();
  const source = server(`
import builtins, os
found = os.path.exists("/app/left.txt") or hasattr(builtins, "left")
open("/app/left.txt", "w").write("x")
builtins.left = True
if found:
    raise RuntimeError("found what another build left")
${TOOL}`);
  const build = testBuilder(hosts);
  for (const { build: { runs, problem } } of [await build(source), await build(source)]) {
    assertEquals([runs, problem], ["yes", null]);
  }
});

Deno.test("a server that shows other tools outside its build offers what the build saw", async () => {
  await using hosts = await openHosts();
  // There are variables, so somebody uses it.
  const source = server(`
import os
${TOOL}
if os.environ.get("KEY"):
    @tool
    def take_all() -> str:
        return "taken"
`);
  const { build, tools } = await testBuilder(hosts)(source);
  assertEquals([build.runs, tools.map(({ name }) => name)], ["yes", ["a"]]);
  const { sql, close } = await openTestDatabase();
  const bytes = new TextEncoder().encode(source);
  const archiveSha256 = await sha256Of(bytes);
  const scannedTools = { names: [], atRunTime: false, built: tools.map(({ name }) => name) };
  const execution = await oneFileExecution(bytes, {
    sql,
    hosts,
    log: silentLogger(),
    stored: storedScript,
    findRunnable: (name) => Promise.resolve({ ...SERVER, name, archiveSha256, scannedTools }),
  });
  const send = async (request: Request) =>
    await json(
      await execution.transport.handle(request, { clientAddress: "192.0.2.1", requestId: "r" }),
      200,
    );
  try {
    const headers = { "mcp-server-environment": btoa(JSON.stringify({ KEY: "k" })) };
    await send(post(INITIALIZE, { headers }));
    const { result } = await send(post(rpc("tools/list")));
    assertEquals(result.tools.map(({ name }: { name: string }) => name), ["a"]);
    const { error } = await send(post(rpc("tools/call", { name: "take_all", arguments: {} })));
    assertEquals(error.data.reason, "tool_not_scanned");
  } finally {
    await execution.close();
    await close();
  }
});

const LISTED = (tools: string) => `
import asyncio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
server = Server("many")
SCHEMA = {"type": "object"}

@server.list_tools()
async def listed():
    return ${tools}

async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

asyncio.run(main())
`;

Deno.test("10,000 tools, and tools of huge schemas, are not taken into a report", async () => {
  await using hosts = await openHosts();
  for (
    const tools of [
      '[types.Tool(name=f"t{n}", inputSchema=SCHEMA) for n in range(10_000)]',
      '[types.Tool(name="huge", inputSchema={**SCHEMA, "description": "d" * 1_000_000})]',
    ]
  ) {
    const { build, tools: taken } = await testBuilder(hosts)(LISTED(tools));
    assertEquals([build.runs, build.tools_listed, taken], ["yes", null, []]);
  }
});

/** Niceness of all threads of what `pid` has started. */
async function nicenessOf(pid: number): Promise<number[]> {
  const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`).catch(() => "");
  const found: number[] = [];
  for (
    const child of [String(pid), ...children.trim().split(/\s+/)].filter((each) => each !== "")
  ) {
    for await (const { name } of Deno.readDir(`/proc/${child}/task`)) {
      const stat = await Deno.readTextFile(`/proc/${child}/task/${name}/stat`);
      found.push(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
    }
  }
  return found;
}

Deno.test("a build takes no slot and no host from sessions, and stands back for them", async () => {
  await using hosts = await openHosts({ maxSessions: 1 });
  const giveUp = new AbortController();
  const building = testBuilder(hosts)("while True:\n    pass\n", { signal: giveUp.signal })
    .catch(() => null);
  await until(() => hosts.stats().hosts === 1);
  const [pid] = hosts.stats().pids;
  const session = await hosts.open(inputOf(sessionInput(server(TOOL), { server: "weather" })));
  assertEquals([session.load.kind, session.pid === pid], ["loaded", false]);
  assertEquals(hosts.stats().sessions, 1);
  await until(async () => (await nicenessOf(pid!)).every((niceness) => niceness >= 10));
  // While the node is full, none begins.
  const refused = await testBuilder(hosts)(server(TOOL));
  assertEquals([refused.build.runs, refused.again], ["not_tried", true]);
  await session.close();
  giveUp.abort();
  assert(await building === null);
});

Deno.test("a shutdown in the middle of a build ends its host at once", async () => {
  const hosts = await openHosts();
  const building = testBuilder(hosts)("while True:\n    pass\n");
  await until(() => hosts.stats().hosts === 1);
  await hosts.close();
  const { build, again } = await building;
  assertEquals([build.runs, again], ["not_tried", true]);
  assertEquals(hosts.stats().hosts, 0);
});
