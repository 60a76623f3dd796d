/** Commands that run servers, against the execution listener; only the sandbox is a stand-in. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { rawNumber } from "../../src/protocol/raw_json.ts";
import type { FakeServer } from "../execution/fake_hosts.ts";
import { type RunOptions, type TestCli, testCli } from "../helpers/cli.ts";
import { type ExecutionListener, startExecutionListener } from "../helpers/execution_listener.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";

const TOOLS = [
  {
    name: "add",
    description: "Adds\nnumbers",
    inputSchema: {
      type: "object",
      properties: {
        a: { type: "integer", description: "First" },
        b: { type: "integer", default: 1 },
        label: { anyOf: [{ type: "string" }, { type: "null" }] },
        tags: { type: "array" },
      },
      required: ["a"],
    },
  },
  { name: "fail", inputSchema: { type: "object" } },
  {
    name: "exact",
    inputSchema: { type: "object", properties: { id: { type: "integer" } } },
    outputSchema: { type: "object", properties: { id: { type: "integer" } } },
  },
  { name: "ask", inputSchema: { type: "object" } },
  { name: "sample", inputSchema: { type: "object" } },
  { name: "report", inputSchema: { type: "object" } },
];

function text(content: string, more: Record<string, unknown> = {}) {
  return {
    kind: "result" as const,
    result: { content: [{ type: "text", text: content }], ...more },
  };
}

const answer: NonNullable<FakeServer["answer"]> = async (method, params, options, session) => {
  const { requestId } = options;
  const signal = new AbortController().signal;
  if (method === "tools/list") return { kind: "result", result: { tools: TOOLS } };
  if (method !== "tools/call") return { kind: "error", code: -32601, message: "Unknown" };
  const { name, arguments: input } = params as { name: string; arguments: Record<string, unknown> };
  if (name === "add") {
    const result = { input };
    return text(JSON.stringify(result), { structuredContent: result });
  }
  if (name === "exact") {
    const value = session.requests.at(-1)!.text.member("arguments")!;
    return text("", { structuredContent: value });
  }
  if (name === "fail") return text("It broke\nat line 3\x1b[31m", { isError: true });
  if (name === "ask") {
    const outcome = await session.input.ask({
      method: "elicitation/create",
      params: {
        message: "Which city?",
        requestedSchema: {
          type: "object",
          properties: {
            city: { type: "string" },
            days: { type: "integer", default: 3 },
            row: { type: "integer", default: rawNumber("9007199254740993") },
          },
          required: ["city"],
        },
      },
      requestId,
      timeoutMs: null,
    }, signal);
    return text(JSON.stringify(outcome));
  }
  if (name === "sample") {
    const outcome = await session.input.ask({
      method: "sampling/createMessage",
      params: { messages: [], maxTokens: 5 },
      requestId,
      timeoutMs: null,
    }, signal);
    return text(JSON.stringify(outcome));
  }
  session.input.onLog({ level: "warning", logger: "stdout", text: "one line", requestId });
  session.input.onNotification({
    method: "notifications/progress",
    params: {
      progressToken: (params as { _meta?: { progressToken?: unknown } })._meta
        ?.progressToken,
      progress: 1,
      total: 2,
      message: "half",
    },
    requestId,
  });
  return {
    kind: "result",
    result: {
      content: [{ type: "text", text: "Done" }, {
        type: "image",
        data: "AAAA",
        mimeType: "image/png",
      }],
      structuredContent: { rows: 2 },
    },
  };
};

interface Desk {
  cli: TestCli;
  issuer: TokenIssuer;
  listener: ExecutionListener;
  run: TestCli["run"];
}

const STEPS: [string, (desk: Desk) => Promise<void>][] = [];

STEPS.push(["tools lists tools, and shows one with its parameters", async ({ run }) => {
  const listed = await run(["tools", "weather"]);
  assertEquals(listed.code, 0, listed.err);
  assertEquals(listed.out.split("\n")[0], "add\ta, b?, label?, tags?\tAdds numbers");
  assertEquals((await run(["tools", "weather", "--json"])).json.tools.length, 6);
  const one = await run(["tools", "weather", "add"]);
  assertStringIncludes(one.out, "  a integer  First\n  b integer (default 1)");
  const none = await run(["tools", "weather", "sub"]);
  assertEquals(none.code, 2);
  assertStringIncludes(none.err, "Tools: add, fail");
}]);

STEPS.push([
  "call reads arguments by the tool's schema, from options and standard input",
  async ({ run }) => {
    const called = await run([
      ...["call", "weather", "add", "-a", "a=2", "--arg", "label=7", "--arg", 'tags=["x"]'],
      ...["--args-json", '{"b": 5, "a": 1}'],
    ]);
    assertEquals(called.code, 0, called.err);
    const input = { b: 5, a: 2, label: "7", tags: ["x"] };
    assertEquals(called.json, { input });
    const piped = await run(["call", "weather", "add", "-", "--json"], { stdin: '{"a": 3}' });
    assertEquals(piped.json.structuredContent, { input: { a: 3 } });
    for (
      const wrong of [["x"], ["--arg", "novalue"], ["--args-json", "[1]"], ["--args-json", "{"], [
        "-",
      ]]
    ) {
      assertEquals((await run(["call", "weather", "add", ...wrong])).code, 2, wrong.join(" "));
    }
  },
]);

STEPS.push([
  "call shows content and structured content; logs and progress on standard error",
  async ({ run }) => {
    const piped = await run(["call", "weather", "report"]);
    assertEquals([piped.code, piped.out], [0, "Done\n[image image/png, 3 bytes]\n"]);
    assertStringIncludes(piped.err, "[warning stdout] one line");
    const seen = await run(["call", "weather", "report", "--no-color"], { columns: 80 });
    assertStringIncludes(seen.out, '"rows": 2');
    assertStringIncludes(seen.err, "[1/2] half");
    assertEquals((await run(["call", "weather", "report", "--quiet"])).err, "");
  },
]);

STEPS.push(["call exits with 5 for a tool's error", async ({ run }) => {
  const failed = await run(["call", "weather", "fail"]);
  assertEquals([failed.code, failed.out], [5, ""]);
  assertMatch(
    failed.err,
    /^berth: "fail" returned an error: It broke\n {2}at line 3\\u\{1b\}/,
  );
  const json = await run(["call", "weather", "fail", "--json"]);
  assertEquals([json.code, json.json.isError], [5, true]);
}]);

STEPS.push(["call asks the user what the server wants to know", async ({ run }) => {
  const answered = await run(["call", "weather", "ask"], { answers: ["y", "", "Bern", "", ""] });
  assertEquals(answered.code, 0, answered.err);
  assertStringIncludes(answered.err, "default 9007199254740993");
  assertStringIncludes(answered.out, '"row":9007199254740993');
  const given = ["y", "Bern", "", "1180591620717411303425"];
  const large = await run(["call", "weather", "ask"], { answers: given });
  assertStringIncludes(large.out, '"row":1180591620717411303425');
  assertStringIncludes(answered.err, "Which city?");
  assertStringIncludes(answered.out, '"city":"Bern"');
  assertStringIncludes(answered.out, '"days":3');
  const declined = await run(["call", "weather", "ask"], { answers: ["n"] });
  assertStringIncludes(declined.out, "decline");
  const script = await run(["call", "weather", "ask"]);
  assertStringIncludes(script.out, '"kind":"error"');
}]);

STEPS.push(["call says what is wrong with the server or the sign-in", async ({ run, issuer }) => {
  const unknown = await run(["call", "nothing", "add"]);
  assertEquals(unknown.code, 1);
  assertStringIncludes(unknown.err, "nothing");
  const anonymous = await run(["tools", "weather"], { env: { BERTH_TOKEN: "" } });
  assertEquals(anonymous.code, 3);
  assertStringIncludes(anonymous.err, "berth login");
  const past = new Date(Date.now() - 7_200_000);
  const expired = await issuer.mint({}, { now: past });
  assertEquals((await run(["tools", "weather"], { env: { BERTH_TOKEN: expired } })).code, 3);
}]);

STEPS.push([
  "shell makes many calls in one session, and completes tools and parameters",
  async ({ run }) => {
    let complete: ((line: string) => [string[], string]) | undefined;
    const stdin =
      'add a=1 label="two words"\nadd {"a": 2}\n\ntools add\nfail\nnope\nhelp\nexit\nadd a=9\n';
    const shell = await run(["shell", "weather"], {
      stdin,
      onLines: (options) => complete = options.complete,
    });
    assertEquals(shell.code, 2);
    assertStringIncludes(shell.out, '{"input":{"a":1,"label":"two words"}}');
    assertStringIncludes(shell.out, '{"input":{"a":2}}');
    assertStringIncludes(shell.out, "b integer");
    assert(!shell.out.includes('"a":9'));
    assertStringIncludes(shell.err, "It broke");
    assertStringIncludes(shell.err, 'Tool "nope" not found');
    assertEquals(complete!("a"), [["add ", "ask "], "a"]);
    assertEquals(complete!("add a=1 "), [["b=", "label=", "tags="], ""]);
    assertEquals(complete!("tools re"), [["report"], "re"]);
    assertEquals((await run(["shell", "weather"], { stdin: "add a=1\n" })).code, 0);
  },
]);

/** A client at the other end of `connect`. */
function stdioClient() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const received: Record<string, unknown>[] = [];
  const waiting: { wants: (message: Record<string, unknown>) => boolean; done: () => void }[] = [];
  return {
    readable,
    received,
    onOutput(output: string) {
      for (const line of output.split("\n").filter((one) => one !== "")) {
        const message = JSON.parse(line);
        received.push(message);
        for (const { done } of waiting.filter(({ wants }) => wants(message))) done();
      }
    },
    async send(message: Record<string, unknown>) {
      await writer.write(
        new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
      );
    },
    async message(wants: (message: Record<string, unknown>) => boolean) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!received.some(wants)) {
        waiting.push({ wants, done: resolve });
        await promise;
      }
      return received.find(wants)!;
    },
    close: () => writer.close(),
  };
}

const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { sampling: {} },
    clientInfo: { name: "client", version: "1" },
  },
};

STEPS.push(["connect passes every message on, both ways, and ends the session", async ({ run }) => {
  const client = stdioClient();
  const running = run(["connect", "weather"], {
    stdin: client.readable,
    onOutput: client.onOutput,
  });
  await client.send(INITIALIZE);
  const { result } = await client.message(({ id }) => id === 0) as {
    result: { serverInfo: unknown };
  };
  assertEquals(result.serverInfo, { name: "Weather", version: "1.2.3" });
  await client.send({ method: "notifications/initialized" });
  await client.send({ id: "t", method: "tools/list" });
  const listed = await client.message(({ id }) => id === "t") as { result: { tools: unknown[] } };
  assertEquals(listed.result.tools.length, 6);

  // The server asks its client while the client waits for the server.
  await client.send({ id: 2, method: "tools/call", params: { name: "sample", arguments: {} } });
  const question = await client.message(({ method }) => method === "sampling/createMessage");
  const reply = { role: "assistant", content: { type: "text", text: "Hi" }, model: "m" };
  await client.send({ id: question["id"], result: reply });
  const sampled = await client.message(({ id, method }) => id === 2 && method === undefined);
  assertStringIncludes(JSON.stringify(sampled), "Hi");

  await client.send({ id: 3, method: "nothing/here" });
  const { error } = await client.message(({ id }) => id === 3) as { error: { code: number } };
  assertEquals(error.code, -32601);
  await client.close();
  const { code, err } = await running;
  assertEquals([code, err], [0, ""]);
}]);

STEPS.push([
  "connect answers what is asked before its input ends, and names what it cannot do",
  async ({ run }) => {
    const lines = [
      JSON.stringify({ jsonrpc: "2.0", ...INITIALIZE }),
      "nonsense",
      '{"id": 5}',
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    ].join("\n");
    const piped = await run(["connect", "weather"], { stdin: lines });
    const messages = piped.out.trim().split("\n").map((line) => JSON.parse(line));
    const codes = messages.filter(({ id }) => id === null).map(({ error }) => error.code);
    assertEquals(codes, [-32700, -32600]);
    assertEquals(messages.find(({ id }) => id === 1).result.tools.length, 6);

    const unknown = await run(["connect", "nothing"], {
      stdin: JSON.stringify({ jsonrpc: "2.0", ...INITIALIZE }),
    });
    const { error } = JSON.parse(unknown.out);
    assertStringIncludes(error.message, "nothing");
    assertEquals(error.data.status, "error");
  },
]);

STEPS.push([
  "connect begins a new session when the endpoint has ended the old one",
  async ({ run, cli: _ }) => {
    const client = stdioClient();
    const running = run(["connect", "weather"], {
      stdin: client.readable,
      onOutput: client.onOutput,
    });
    await client.send(INITIALIZE);
    await client.message(({ id }) => id === 0);
    await client.send({ method: "notifications/initialized" });
    await client.send({ id: 1, method: "tools/list" });
    await client.message(({ id }) => id === 1);
    await endSessions();
    await client.send({ id: 2, method: "tools/list" });
    const again = await client.message(({ id }) => id === 2) as { result: { tools: unknown[] } };
    assertEquals(again.result.tools.length, 6);
    assertEquals(client.received.filter(({ id }) => id === 0).length, 1);
    await client.close();
    assertStringIncludes((await running).err, "A new one was started");
  },
]);

STEPS.push(["call keeps numbers as they are, given and shown", async ({ run }) => {
  const id = "id=9007199254740993";
  const shown = await run(["call", "weather", "exact", "--arg", id, "--json"]);
  assertStringIncludes(shown.out, '"id": 9007199254740993', shown.err);
  const object = '{"id":1180591620717411303424,"x":[1.0,5e-324,-0.0]}';
  const given = await run(["call", "weather", "exact", "--args-json", object, "--json"]);
  assertStringIncludes(given.out.replaceAll(/\s/g, ""), `"structuredContent":${object}`, given.err);
}]);

STEPS.push(["connect passes numbers and ids of any size on as they are", async ({ run }) => {
  const id = "1180591620717411303424";
  const call = (at: string, value: string) =>
    `{"jsonrpc":"2.0","id":${at},"method":"tools/call",` +
    `"params":{"name":"exact","arguments":{"id":${value}}}}`;
  const begin = JSON.stringify({ jsonrpc: "2.0", ...INITIALIZE });
  const lines = [begin, call(id, "9007199254740993"), call("2", "1.0")];
  const { out, err } = await run(["connect", "weather"], { stdin: `${lines.join("\n")}\n` });
  assertStringIncludes(out, `"id":${id}`, err);
  assertStringIncludes(out, '"structuredContent":{"id":9007199254740993}');
  assertStringIncludes(out, '"structuredContent":{"id":1.0}');
}]);

let endSessions = (): Promise<void> => Promise.reject(new Error("Not yet"));

Deno.test("berth runs servers", async (t) => {
  const issuer = await startTokenIssuer({ audience: "berth" });
  const listener = await startExecutionListener({
    issuer: issuer.url,
    audiences: ["berth"],
    answer,
  });
  const sessions = new Set<string>();
  const token = await issuer.mint({ sub: "ada" });
  const description = {
    name: "Berth",
    version: "0.1.0",
    api_url: "http://127.0.0.1:8000/api/v1",
    mcp_url: `${listener.url}/mcp`,
    sign_in: null,
  };
  await using cli = await testCli(async (url, init) => {
    if (url.endsWith("/.well-known/berth")) {
      return Response.json({ status: "success", service: description });
    }
    const response = await fetch(url, init);
    const id = response.headers.get("mcp-session-id");
    if (id !== null) sessions.add(id);
    return response;
  }, { BERTH_TOKEN: token });
  endSessions = async () => {
    for (const id of sessions) {
      const response = await fetch(listener.mcp, {
        method: "DELETE",
        headers: { "mcp-session-id": id, authorization: `Bearer ${token}` },
      });
      await response.body?.cancel();
    }
    sessions.clear();
  };
  const desk = {
    cli,
    issuer,
    listener,
    run: (args: string[], options?: RunOptions) => cli.run(args, options),
  };
  try {
    for (const [name, step] of STEPS) {
      await t.step(name, async () => {
        await step(desk);
        // Every command ended its own sessions.
        for (const id of sessions) {
          const response = await fetch(listener.mcp, {
            method: "DELETE",
            headers: { "mcp-session-id": id, authorization: `Bearer ${token}` },
          });
          await response.body?.cancel();
          assertEquals(response.status, 404, id);
        }
        sessions.clear();
      });
    }
  } finally {
    await listener.close();
    await issuer.close();
  }
});
