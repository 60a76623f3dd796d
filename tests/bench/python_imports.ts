// deno-lint-ignore-file no-console -- it prints what it measures
/**
 * What a server's first lines cost in a session from the snapshot: the imports of the SDK modules, a
 * server object, fifty tools. `deno run -A tests/bench/python_imports.ts [rounds]`.
 *
 * @module
 */
import { callTool, openTestHosts, sessionInput } from "../helpers/interpreter.ts";

const ROUNDS = Number(Deno.args[0] ?? 5);
const SOURCE = `
import time
times, last = {}, time.perf_counter()
def step(name):
    global last
    now = time.perf_counter()
    times[name] = (now - last) * 1000
    last = time.perf_counter()

from mcp.server.fastmcp import Context, FastMCP
step("from mcp.server.fastmcp import FastMCP, Context")
import mcp.types as types
step("import mcp.types")
from mcp.server.lowlevel import Server
step("from mcp.server.lowlevel import Server")
import fastmcp
step("import fastmcp")
from mcp.server import MCPServer
step("from mcp.server import MCPServer")
mcp = FastMCP("times")
step('FastMCP("times")')

def made(number):
    def tool(text: str, count: int = 1, flags: list[str] | None = None) -> dict[str, int]:
        """Does something."""
        return {text: count}
    tool.__name__ = f"tool_{number}"
    return tool

for number in range(50):
    mcp.tool()(made(number))
step("50 tools")

@mcp.tool()
def report() -> str:
    import json
    return json.dumps(times)

mcp.run()
`;

const hosts = await openTestHosts();
const samples = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++) {
  const session = await hosts.open(sessionInput(SOURCE));
  const times = JSON.parse(await callTool(session, "report")) as Record<string, number>;
  for (const [name, ms] of Object.entries(times)) {
    samples.set(name, [...samples.get(name) ?? [], ms]);
  }
  await session.close();
}
await hosts.close();
for (const [name, values] of samples) {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  console.log(`${name}: median ${median.toFixed(2)} ms, best ${sorted[0]!.toFixed(2)} ms`);
}
