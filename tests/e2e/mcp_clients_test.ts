/**
 * Clients that others made, unchanged, against the server `everything`.
 *
 * Those of Python run when `TEST_MCP_PYTHON` names a Python with the package `mcp` 1.29 and
 * `TEST_FASTMCP_PYTHON` one with `fastmcp` 2.14; the Inspector when `TEST_MCP_TOOLS` has it.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CreateMessageRequest,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  type ResourceUpdatedNotification,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { patient } from "../helpers/clients.ts";
import { startEverything } from "../helpers/everything.ts";
import { mcpTools, toolVariable } from "../helpers/mcp_tools.ts";

const TOOLS = mcpTools();
const PYTHON = toolVariable("TEST_MCP_PYTHON");
const FASTMCP = toolVariable("TEST_FASTMCP_PYTHON");
const PERSON = { username: "ada", email: "ada@example.com" };
const STEPS = [[0, 100], [50, 100], [100, 100]];

/** Runs a program that prints JSON. */
async function json(program: string, args: string[], environment: Record<string, string> = {}) {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, env: environment })
    .output();
  const decoder = new TextDecoder();
  assert(success, decoder.decode(stderr) + decoder.decode(stdout));
  return JSON.parse(decoder.decode(stdout));
}

function helper(name: string): string {
  return new URL(`../helpers/${name}`, import.meta.url).pathname;
}

async function typescript(url: string): Promise<void> {
  const capabilities = { sampling: {}, elicitation: {} };
  const client = patient(new Client({ name: "test", version: "1.0.0" }, { capabilities }));
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }: CreateMessageRequest) => ({
    role: "assistant",
    content: { type: "text", text: `${params.messages.length} heard` },
    model: "test",
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: PERSON }));
  const logs: unknown[] = [];
  const steps: unknown[] = [];
  const updated = Promise.withResolvers<string>();
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }: LoggingMessageNotification) => {
      logs.push(params.data);
    },
  );
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }: ResourceUpdatedNotification) => {
      updated.resolve(params.uri);
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url));
  // Without exactOptionalPropertyTypes the SDK's own types fit.
  await client.connect(transport as Transport);
  const call = async (name: string, args = {}, options = {}) => {
    const result = await client.callTool({ name, arguments: args }, undefined, options);
    return (result.content as { text: string }[])[0]!.text;
  };
  await client.ping();
  await client.setLoggingLevel("debug");
  assertStringIncludes(await call("test_sampling", { prompt: "hello" }), "1 heard");
  assertStringIncludes(await call("test_elicitation", { message: "who?" }), "ada@example.com");
  await call("test_tool_with_logging");
  assertEquals(logs.length, 3);
  await call("test_tool_with_progress", {}, {
    onprogress: ({ progress, total }: { progress: number; total?: number }) => {
      steps.push([progress, total]);
    },
  });
  assertEquals(steps, STEPS);
  // The server closes the stream of this call; the client comes back for the result by itself.
  assert((await call("test_reconnection")).length > 0);
  await client.subscribeResource({ uri: "test://watched-resource" });
  await call("touch_watched_resource");
  assertEquals(await updated.promise, "test://watched-resource");
  await transport.terminateSession();
  await client.close();
}

Deno.test("real clients use every feature of a server unchanged", async (t) => {
  await using everything = await startEverything();
  const url = everything.mcpOf("everything");
  await t.step("the official TypeScript SDK", () => typescript(url));
  await t.step({
    name: "the official Python SDK",
    ignore: PYTHON === undefined,
    async fn() {
      const seen = await json(PYTHON!, [helper("mcp_client.py"), url]);
      assertEquals([seen.revision, seen.server], ["2025-11-25", "everything"]);
      assertStringIncludes(seen.sampled, "1 heard");
      assertStringIncludes(seen.elicited, "ada@example.com");
      assertEquals([seen.logs.length >= 3, seen.progress], [true, STEPS]);
      assertEquals([seen.failed, seen.reconnected, seen.resource], [true, false, "123"]);
      assertEquals(seen.updated, ["test://watched-resource"]);
      assertStringIncludes(seen.prompt, "arg1='a'");
      assertEquals(seen.completed, ["paris", "park", "party"]);
    },
  });
  await t.step({
    name: "FastMCP's client",
    ignore: FASTMCP === undefined,
    async fn() {
      const seen = await json(FASTMCP!, [helper("fastmcp_client.py"), url]);
      assertStringIncludes(seen.sampled, "1 heard");
      assertStringIncludes(seen.elicited, "ada@example.com");
      assertEquals([seen.logs.length, seen.progress, seen.failed], [3, STEPS, true]);
      assertStringIncludes(seen.resource, "static text");
      assertEquals(seen.prompts, 4);
    },
  });
  await t.step({
    name: "MCP Inspector on the command line",
    ignore: TOOLS === undefined,
    async fn() {
      const inspect = (...args: string[]) =>
        json(TOOLS!.node, [
          TOOLS!.inspector,
          "--cli",
          everything.mcpOf("text-tools"),
          "--transport",
          "http",
          ...args,
        ]);
      const { tools } = await inspect("--method", "tools/list");
      assertEquals(tools[0].name, "word_count");
      const result = await inspect(
        ...["--method", "tools/call", "--tool-name", "word_count", "--tool-arg", "text=two words"],
      );
      assertEquals(result.structuredContent.words, 2);
    },
  });
});
