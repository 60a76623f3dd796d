/**
 * A session that was a spare one beside one that was not: what the client sees must be the same.
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { assert, assertEquals } from "@std/assert";
import { createEgressBroker } from "../../../src/egress/broker.ts";
import { interfaceAddresses, resolveName } from "../../../src/egress/machine.ts";
import { parseEgressPolicy } from "../../../src/egress/policy.ts";
import type { Execution } from "../../../src/execution/execution.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { openHosts, until } from "../../helpers/interpreter.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { oneFileExecution } from "../../helpers/one_file_execution.ts";
import { INITIALIZE, json, post, remove, storedScript } from "../harness.ts";

const EVERYTHING = new URL("../../fixtures/everything/server.py", import.meta.url);
const END = 'if __name__ == "__main__":';

/** The server that offers all of MCP, which says something when it starts and can use HTTP. */
async function sourceOfEverything(): Promise<string> {
  const source = await Deno.readTextFile(EVERYTHING);
  return source.replace(
    END,
    `
import os
import sys
import requests

state = {"calls": 0}
print("It starts")
print("with variables:", sorted(os.environ), file=sys.stderr)


@mcp.tool()
def fetch(url: str) -> str:
    """Fetch a page."""
    state["calls"] += 1
    try:
        return f"{state['calls']} {requests.get(url).text}"
    except requests.RequestException as error:
        return f"{state['calls']} {error}"


${END}`,
  );
}

interface Running {
  execution: Execution;
  lines: Record<string, unknown>[];
  /** Address of the server. */
  url: URL;
}

async function withEverything(site: string, body: (running: Running) => Promise<void>) {
  const database = await openTestDatabase();
  await using hosts = await openHosts({ warmSessions: 1 });
  const { log, lines } = recordingLogger();
  const bytes = new TextEncoder().encode(await sourceOfEverything());
  const execution = await oneFileExecution(bytes, {
    sql: database.sql,
    hosts,
    log,
    spareHosts: hosts,
    egress: createEgressBroker({
      policy: parseEgressPolicy([site], ["*"]),
      own: { endpoints: [], interfaces: interfaceAddresses(), resolve: resolveName },
      resolve: resolveName,
      now: () => performance.now(),
      log,
    }),
    stored: storedScript,
    settings: { spareSessions: 1 },
  });
  const listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) =>
      execution.transport.handle(request, { clientAddress: "127.0.0.1", requestId: "r" }),
  );
  try {
    const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp?name=everything`);
    await body({ execution, lines, url });
  } finally {
    await execution.close();
    await listener.shutdown();
    await database.close();
  }
}

/** Lets so many sessions begin and end, beside the one that was, that a spare one waits. */
async function demand({ execution, url }: Running): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, async (_, n) => {
    const target = { name: "everything", session: `demand-${n}` };
    const send = (request: Request) => fetch(new Request(url, request));
    await json(await send(post(INITIALIZE, target)), 200);
    await (await send(remove(`demand-${n}`, target))).body?.cancel();
  }));
  await until(() => execution.metrics.spares.waiting === 1);
}

/** Walks through all that a server offers. @returns What the client saw, in order. */
async function walk({ url, lines }: Running, site: string): Promise<unknown[]> {
  const linesBefore = lines.length;
  const seen: unknown[] = [];
  const messages: unknown[] = [];
  const client = new Client({ name: "walker", version: "1.0.0" }, {
    capabilities: { sampling: {}, elicitation: {} },
  });
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }: { params: unknown }) => {
    seen.push(params);
    return { model: "m", role: "assistant", content: { type: "text", text: "sampled" } };
  });
  client.setRequestHandler(ElicitRequestSchema, ({ params }: { params: unknown }) => {
    seen.push(params);
    return { action: "accept", content: { username: "ada", email: "ada@example.com" } };
  });
  for (const schema of [LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema]) {
    client.setNotificationHandler(schema, (message: unknown) => void messages.push(message));
  }
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(transport as Transport);
  seen.push(client.getServerVersion(), client.getServerCapabilities(), client.getInstructions());
  seen.push(await client.listTools(), await client.listPrompts(), await client.listResources());
  seen.push(await client.listResourceTemplates());
  seen.push(await client.getPrompt({ name: "test_simple_prompt" }));
  for (const { uri } of (await client.listResources()).resources) {
    seen.push(await client.readResource({ uri }));
  }
  const uri = "test://watched-resource";
  await client.subscribeResource({ uri });
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const onprogress = (progress: unknown) => void seen.push(progress);
    seen.push(await client.callTool({ name, arguments: args }, undefined, { onprogress }));
  };
  await call("test_simple_text");
  await call("test_error_handling");
  await call("test_tool_with_logging");
  await call("test_tool_with_progress");
  await call("test_sampling", { prompt: "Say something" });
  await call("test_elicitation", { message: "Who are you?" });
  await call("touch_watched_resource");
  await call("fetch", { url: `http://${site}/` });
  await call("fetch", { url: "http://10.0.0.1/" });
  await client.setLoggingLevel("error");
  await call("test_tool_with_logging");
  const ref = { type: "ref/prompt" as const, name: "test_prompt_with_arguments" };
  seen.push(await client.complete({ ref, argument: { name: "arg1", value: "par" } }));
  // What is not bound to a request takes a way of its own.
  await until(() => messages.length >= 6);
  seen.push(messages);
  await transport.terminateSession();
  await client.close();
  const output = lines.slice(linesBefore).filter(({ event }) =>
    event === "server.output" || event === "egress.refused"
  ).map(({ event, level, text, server, host }) => ({ event, level, text, server, host }));
  return [...seen, output];
}

Deno.test("a client sees no difference between a spare session and another", async () => {
  const page = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("sunny"),
  );
  const site = `127.0.0.1:${page.addr.port}`;
  try {
    await withEverything(site, async (running) => {
      const usual = await walk(running, site);
      const { spares } = running.execution.metrics;
      assertEquals(spares.hits, 0);
      await demand(running);
      const hits = spares.hits;
      const spare = await walk(running, site);
      assertEquals(spares.hits, hits + 1);
      assertEquals(spare, usual);
      const text = JSON.stringify(usual);
      for (const part of ["It starts", "with variables", "1 sunny", "2 ", "sampled", "Completed"]) {
        assert(text.includes(part), `${part} in ${text}`);
      }
    });
  } finally {
    await page.shutdown();
  }
});
