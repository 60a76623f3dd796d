/**
 * How long an answer to `tools/call` takes whose Python body is empty, and how many come in a
 * second: Berth beside the official Python SDK's streamable HTTP server on CPython, in one run, by
 * turns. `TEST_MCP_PYTHON` names a Python with the package `mcp`; `BENCH_CONNECTIONS` the numbers of
 * connections, each with a session of its own. Processor time is that of all processes of a side,
 * which a busy machine disturbs less than the rest. It prints its own table.
 *
 * @module
 */
import { freePort } from "../helpers/berth_process.ts";
import { startServing } from "../helpers/everything.ts";
import { processorMs } from "../helpers/processes.ts";

const PYTHON = Deno.env.get("TEST_MCP_PYTHON");
const CONNECTIONS = (Deno.env.get("BENCH_CONNECTIONS") ?? "1,32").split(",").map(Number);
const ROUNDS = 5;
const ROUND_MS = 2000;

const SOURCE = `
import sys
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("empty", port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000, log_level="ERROR")

@mcp.tool()
def nothing() -> None:
    """Does nothing"""

if __name__ == "__main__":
    mcp.run("streamable-http")
`;

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** One client: a session, and calls one after the other. */
interface Connection {
  call(): Promise<void>;
  close(): Promise<void>;
}

async function connect(url: string): Promise<Connection> {
  let id = 0;
  let headers: Record<string, string> = HEADERS;
  async function send(method: string, params: unknown, isNotification = false) {
    const message = { jsonrpc: "2.0", method, params, ...(isNotification ? {} : { id: ++id }) };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return { response, text };
  }
  const { response } = await send("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  headers = { ...HEADERS, "mcp-session-id": response.headers.get("mcp-session-id")! };
  await send("notifications/initialized", {}, true);
  return {
    async call() {
      const { text } = await send("tools/call", { name: "nothing", arguments: {} });
      if (!text.includes('"content":[]')) throw new Error(text);
    },
    async close() {
      await (await fetch(url, { method: "DELETE", headers })).body?.cancel();
    },
  };
}

/** Milliseconds of each call of a round. */
async function round(connections: Connection[]): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  await Promise.all(connections.map(async ({ call }) => {
    while (performance.now() < end) {
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
    }
  }));
  return times;
}

async function startSdk(folder: string) {
  await Deno.writeTextFile(`${folder}/server.py`, SOURCE);
  const port = freePort();
  const child = new Deno.Command(PYTHON!, {
    args: [`${folder}/server.py`, String(port)],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}/mcp`;
  for (;;) {
    try {
      await (await connect(url)).close();
      break;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    url,
    pid: child.pid,
    async close() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

function figures(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
  return { median: at(0.5), p99: at(0.99), perSecond: times.length / (ROUNDS * ROUND_MS / 1000) };
}

/** One of the two that are compared. */
interface Side {
  name: string;
  url: string;
  pid: number;
}

async function compare(count: number, given: Side[]): Promise<void> {
  const sides = [];
  for (const { name, url, pid } of given) {
    const connections: Connection[] = [];
    for (let i = 0; i < count; i++) connections.push(await connect(url));
    // Not measured: both compile, and fill their caches; Berth boots a spare interpreter.
    await round(connections);
    sides.push({ name, pid, connections, times: [] as number[], processorMs: 0 });
  }
  for (let i = 0; i < ROUNDS; i++) {
    for (const side of sides) {
      const before = await processorMs(side.pid);
      side.times.push(...await round(side.connections));
      side.processorMs += await processorMs(side.pid) - before;
    }
  }
  const results = sides.map(({ name, times, processorMs }) => ({
    name,
    processor: processorMs / times.length,
    ...figures(times),
  }));
  for (const { name, median, p99, perSecond, processor } of results) {
    // deno-lint-ignore no-console -- the table is what this file is for.
    console.log(
      `${String(count).padStart(3)} connections  ${name.padEnd(10)}` +
        `${median.padStart(8)} ms median ${p99.padStart(8)} ms p99 ${perSecond.toFixed(0)} /s` +
        `  ${processor.toFixed(2)} ms of processor time each`,
    );
  }
  const [berth, sdk] = results as [(typeof results)[0], (typeof results)[0]];
  const ratio = berth.perSecond / sdk.perSecond;
  // deno-lint-ignore no-console -- as above.
  console.log(
    `${String(count).padStart(3)} connections  Berth answers ${ratio.toFixed(2)} times as many ` +
      `for ${(berth.processor / sdk.processor).toFixed(2)} times the processor time each`,
  );
  await Promise.all(sides.flatMap(({ connections }) => connections.map(({ close }) => close())));
}

if (PYTHON === undefined) {
  // deno-lint-ignore no-console -- as above.
  console.log("empty_tool_bench: TEST_MCP_PYTHON is not set");
} else {
  const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
  const sdk = await startSdk(folder);
  try {
    await using berth = await startServing({ empty: { "server.py": SOURCE } });
    for (const count of CONNECTIONS) {
      await compare(count, [
        { name: "Berth", url: berth.mcpOf("empty"), pid: berth.berth.pid },
        { name: "SDK", url: sdk.url, pid: sdk.pid },
      ]);
    }
  } finally {
    await sdk.close();
    await Deno.remove(folder, { recursive: true });
  }
}
