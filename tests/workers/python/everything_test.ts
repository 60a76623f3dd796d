import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Asked, Interpreter, type Outcome } from "./pyodide.ts";

const python = await Interpreter.boot();
const load = await python.load({
  "server.py": await Deno.readTextFile(
    new URL("../../fixtures/everything/server.py", import.meta.url),
  ),
});
await python.client({ sampling: {}, elicitation: {} });

async function result(method: string, params: unknown = {}) {
  const outcome = await python.request(method, params);
  if (outcome.kind === "error") throw new Error(`${outcome.code} ${outcome.message}`);
  return outcome.result;
}

/** Answers all that Python asks, and keeps it. */
function answering(answer: unknown): Asked[] {
  const asked: Asked[] = [];
  python.ask = (question) => {
    asked.push(question);
    return Promise.resolve({ kind: "result", result: answer } as Outcome);
  };
  return asked;
}

Deno.test("the everything server declares what the conformance suite asks for", () => {
  assert(load.kind === "loaded", JSON.stringify(load));
  assertEquals(load.info.capabilities, {
    experimental: {},
    logging: {},
    prompts: { listChanged: false },
    resources: { subscribe: true, listChanged: false },
    tools: { listChanged: false },
    completions: {},
  });
});

Deno.test("the everything server's tools are described, one by a schema of its own", async () => {
  const { tools } = await result("tools/list");
  for (const tool of tools) assert(tool.name && tool.description && tool.inputSchema, tool.name);
  const own = tools.find((tool: { name: string }) => tool.name === "json_schema_2020_12_tool");
  assertEquals(own.inputSchema.$schema, "https://json-schema.org/draft/2020-12/schema");
  assertEquals(own.inputSchema.additionalProperties, false);
  assertEquals(Object.keys(own.inputSchema.$defs), ["address"]);
});

Deno.test("the everything server returns every kind of content", async () => {
  const kinds = async (name: string) =>
    (await python.tool(name)).content.map((block: { type: string }) => block.type);
  assertEquals(await kinds("test_simple_text"), ["text"]);
  assertEquals(await kinds("test_image_content"), ["image"]);
  assertEquals(await kinds("test_audio_content"), ["audio"]);
  assertEquals(await kinds("test_embedded_resource"), ["resource"]);
  assertEquals(await kinds("test_multiple_content_types"), ["text", "image", "resource"]);
  assertEquals((await python.tool("test_error_handling")).isError, true);
});

Deno.test("log messages and progress are notifications of their request", async () => {
  python.events.length = 0;
  await python.request("tools/call", { name: "test_tool_with_logging", arguments: {} }, 7);
  assertEquals(
    python.events.map(({ method, params, request_id }) => [method, params.level, request_id]),
    Array(3).fill(["notifications/message", "info", 7]),
  );
  python.events.length = 0;
  const params = {
    name: "test_tool_with_progress",
    arguments: {},
    _meta: { progressToken: "token" },
  };
  const { content } = await result("tools/call", params);
  assertEquals(content[0].text, "Progress token: token");
  assertEquals(
    python.events.map(({ params }) => [params.progressToken, params.progress, params.total]),
    [["token", 0, 100], ["token", 50, 100], ["token", 100, 100]],
  );
});

Deno.test("close_sse_stream() asks the host to end the stream of the request", async () => {
  python.events.length = 0;
  await python.request("tools/call", { name: "test_reconnection", arguments: {} }, "call-1");
  assertEquals(python.events.map((event) => event.type), [
    "notification",
    "close_stream",
    "notification",
  ]);
  assertEquals(python.events[1], { type: "close_stream", request_id: "call-1", retry_ms: null });
});

Deno.test("create_message() asks the client's model", async () => {
  const asked = answering({
    role: "assistant",
    content: { type: "text", text: "Four" },
    model: "test",
  });
  assertEquals(await python.text("test_sampling", { prompt: "2+2?" }), "LLM response: Four");
  assertEquals(asked, [{
    method: "sampling/createMessage",
    params: {
      messages: [{ role: "user", content: { type: "text", text: "2+2?" } }],
      maxTokens: 100,
    },
    request_id: 1,
    timeout_ms: null,
  }]);
});

Deno.test("elicit() sends the schema of a model and returns an instance of it", async () => {
  const asked = answering({ action: "accept", content: { username: "ada", email: "a@b.c" } });
  assertEquals(
    await python.text("test_elicitation", { message: "Who?" }),
    'User response: action=accept, content={"username":"ada","email":"a@b.c"}',
  );
  assertEquals(asked[0]!.method, "elicitation/create");
  assertEquals(asked[0]!.params.message, "Who?");
  assertEquals(asked[0]!.params.requestedSchema.required, ["username", "email"]);
  answering({ action: "decline" });
  assertEquals(
    await python.text("test_elicitation", { message: "Who?" }),
    "User response: action=decline",
  );
});

Deno.test("elicitation schemas hold defaults and every form of choices", async () => {
  const asked = answering({ action: "cancel" });
  await python.tool("test_elicitation_sep1034_defaults");
  const { properties } = asked[0]!.params.requestedSchema;
  const defaults = Object.entries(properties as Record<string, { type: string; default: unknown }>)
    .map(([name, schema]) => [name, schema.type, schema.default]);
  assertEquals(defaults, [
    ["name", "string", "John Doe"],
    ["age", "integer", 30],
    ["score", "number", 95.5],
    ["status", "string", "active"],
    ["verified", "boolean", true],
  ]);
  await python.tool("test_elicitation_sep1330_enums");
  const choices = asked[1]!.params.requestedSchema.properties;
  assertEquals(choices.untitledSingle.enum, ["option1", "option2", "option3"]);
  assertEquals(choices.titledSingle.oneOf[0], { const: "value1", title: "First Option" });
  assertEquals(choices.legacyEnum.enumNames.length, 3);
  assertEquals(choices.untitledMulti.items.type, "string");
  assertEquals(choices.titledMulti.items.anyOf.length, 3);
});

Deno.test("a client that refuses is an error that the tool may handle", async () => {
  python.ask = () => Promise.resolve({ kind: "error", code: -1, message: "User said no" });
  const answer = await python.tool("test_sampling", { prompt: "?" });
  assertEquals(answer.isError, true);
  assertStringIncludes(answer.content[0].text, "User said no");
});

Deno.test("resources are read, watched and left alone again", async () => {
  const { contents } = await result("resources/read", { uri: "test://template/123/data" });
  assertStringIncludes(contents[0].text, "123");
  const binary = await result("resources/read", { uri: "test://static-binary" });
  assertEquals(binary.contents[0].mimeType, "image/png");
  assert(binary.contents[0].blob.startsWith("iVBOR"));
  const uri = "test://watched-resource";
  assertEquals(await result("resources/subscribe", { uri }), {});
  python.events.length = 0;
  await python.tool("touch_watched_resource");
  assertEquals(python.events.map(({ method, params }) => [method, params]), [
    ["notifications/resources/updated", { uri }],
  ]);
  assertEquals(await result("resources/unsubscribe", { uri }), {});
  python.events.length = 0;
  await python.tool("touch_watched_resource");
  assertEquals(python.events, []);
});

Deno.test("prompts are rendered and their arguments completed", async () => {
  const prompt = await result("prompts/get", {
    name: "test_prompt_with_arguments",
    arguments: { arg1: "a", arg2: "b" },
  });
  assertEquals(prompt.messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
  const image = await result("prompts/get", { name: "test_prompt_with_image" });
  assertEquals(image.messages[0].content.type, "image");
  const { completion } = await result("completion/complete", {
    ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
    argument: { name: "arg1", value: "par" },
  });
  assertEquals(completion.values, ["paris", "park", "party"]);
  assertEquals(await result("logging/setLevel", { level: "debug" }), {});
});
