/**
 * The peer: servers of the official Python SDK, in CPython processes of their own.
 *
 * @module
 */
import { freePort } from "../../helpers/berth_process.ts";
import { textOf } from "../../helpers/processes.ts";
import { connect } from "./clients.ts";

/** A Python with the package `mcp`; undefined where there is no peer. */
export const PYTHON = Deno.env.get("TEST_MCP_PYTHON");

/** Source of a server with one empty tool, which runs in Berth and in CPython alike. */
export function emptyServer(imports = ""): string {
  return `
import sys
from mcp.server.fastmcp import FastMCP
${imports}
mcp = FastMCP("empty", port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000, log_level="ERROR")

@mcp.tool()
def nothing() -> None:
    """Does nothing"""

if __name__ == "__main__":
    mcp.run("streamable-http" if len(sys.argv) > 1 else "stdio")
`;
}

/** A process that has answered `initialize` over its standard input and output. */
export interface SdkProcess {
  /** From its start to the answer. */
  ms: number;
  pid: number;
  stop(): Promise<void>;
}

/** What a client sends first. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

/** Starts the server at `path`, as clients start local ones. */
export async function startSdkProcess(path: string): Promise<SdkProcess> {
  const start = performance.now();
  const child = new Deno.Command(PYTHON!, {
    args: [path],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${JSON.stringify(INITIALIZE)}\n`));
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${path} ended: ${text}`);
    text += value;
  }
  const ms = performance.now() - start;
  if (!text.includes('"result"')) throw new Error(text);
  return {
    ms,
    pid: child.pid,
    async stop() {
      await writer.close();
      await reader.cancel();
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

/** Starts the server at `path` as an HTTP server, and waits until it answers. */
export async function startSdkServer(path: string) {
  const port = freePort();
  const child = new Deno.Command(PYTHON!, {
    args: [path, String(port)],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}/mcp`;
  for (;;) {
    try {
      await (await connect(url)).close();
      break;
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
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

/** Megabytes that a process has, shared pages divided among those that share them. */
export async function proportionalMb(pid: number): Promise<number> {
  const text = await textOf(`/proc/${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}
