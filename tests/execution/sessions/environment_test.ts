import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { harness, INITIALIZE, json, post, rpc } from "../harness.ts";

const SECRET = "sk-5f1c0ffee";

function encoded(value: unknown): string {
  return base64(JSON.stringify(value));
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}

function initialize(environment: unknown, more: Record<string, unknown> = {}) {
  return rpc("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    _meta: { "berth/environment": environment },
    ...more,
  });
}

function withHeader(environment: unknown, body: unknown = INITIALIZE, session = "s1"): Request {
  return post(body, { session, headers: { "Mcp-Server-Environment": encoded(environment) } });
}

Deno.test("a session gets the environment that its initialize brings in _meta", async () => {
  const { send, hosts } = await harness();
  await json(await send(post(initialize({ API_KEY: SECRET, REGION: "ö" }))), 200);
  assertEquals(hosts.sessions[0]!.input.environment, { API_KEY: SECRET, REGION: "ö" });
  await json(await send(post(INITIALIZE, { session: "s2" })), 200);
  assertEquals(hosts.sessions[1]!.input.environment, {});
});

Deno.test("a session gets the environment in the header of its first request, whatever it is", async () => {
  const { send, hosts } = await harness();
  await json(await send(withHeader({ API_KEY: SECRET })), 200);
  await json(await send(withHeader({ API_KEY: SECRET }, rpc("tools/list"), "s2")), 200);
  const urlSafe = encoded({ KEY: "<<???>>" }).replaceAll("/", "_").replaceAll("+", "-");
  const headers = { "Mcp-Server-Environment": urlSafe.replace(/=+$/, "") };
  await json(await send(post(rpc("tools/list"), { session: "s3", headers })), 200);
  assertEquals(hosts.sessions.map(({ input }) => input.environment), [
    { API_KEY: SECRET },
    { API_KEY: SECRET },
    { KEY: "<<???>>" },
  ]);
});

Deno.test("later requests may repeat the header and change nothing with it", async () => {
  const { send, hosts } = await harness();
  await json(await send(withHeader({ A: "1" })), 200);
  await json(await send(withHeader({ A: "2" }, rpc("tools/list"))), 200);
  assertEquals(hosts.sessions.length, 1);
  await json(await send(post(initialize({ A: "1" }))), 200);
  const refused = await json(await send(post(initialize({ A: "2" }))), 400);
  assertEquals(refused.error.code, -32602);
  assertStringIncludes(refused.error.message, "cannot change");
});

const BAD: [environment: unknown, text: string][] = [
  [["A"], "must be an object"],
  [null, "must be an object"],
  ["A=1", "must be an object"],
  [{ A: 1 }, "the value of A must be a string"],
  [{ A: null }, "the value of A must be a string"],
  [{ A: { B: SECRET } }, "the value of A must be a string"],
  [{ [SECRET]: "x" }, "the name of variable 1"],
  [{ "": "x" }, "the name of variable 1"],
  [{ A: "1", "1A": "x" }, "the name of variable 2"],
  [{ "A=B": "x" }, "the name of variable 1"],
  [{ A: "a\0b" }, "contains characters that are not allowed"],
  [{ A: "\ud800" }, "contains characters that are not allowed"],
  [
    Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`A${i}`, ""])),
    "129 variables; the limit is 128",
  ],
];

for (const [environment, text] of BAD) {
  Deno.test(`an environment ${JSON.stringify(environment).slice(0, 30)} is refused`, async () => {
    const { send, hosts } = await harness();
    for (const request of [post(initialize(environment)), withHeader(environment)]) {
      const answer = await json(await send(request), 400);
      assertStringIncludes(answer.error.message, text);
      assert(!JSON.stringify(answer).includes(SECRET));
    }
    assertEquals(hosts.sessions.length, 0);
  });
}

Deno.test("an environment may be 16 KiB in _meta and 4 KiB in the header", async () => {
  const { send, hosts } = await harness();
  // {"A":""} is 8 bytes.
  await json(await send(post(initialize({ A: "x".repeat(16 * 1024 - 8) }))), 200);
  const large = await json(
    await send(post(initialize({ A: "x".repeat(16 * 1024 - 7) }), { session: "s2" })),
    400,
  );
  assertStringIncludes(large.error.message, "the limit of 16384 bytes");
  await json(await send(withHeader({ A: "x".repeat(3072 - 8) }, INITIALIZE, "s3")), 200);
  const long = await send(withHeader({ A: "x".repeat(3072 - 7) }, INITIALIZE, "s4"));
  assertStringIncludes((await json(long, 400)).error.message, "the limit of 4096 characters");
  assertEquals(hosts.sessions.length, 2);
});

Deno.test("a header that is not base64 of JSON is refused without showing any of it", async () => {
  const { send } = await harness();
  for (const value of ["{}", "a b", base64(SECRET), "====", btoa("\xff{"), "e30=e30="]) {
    const headers = { "Mcp-Server-Environment": value };
    const answer = await json(await send(post(INITIALIZE, { headers })), 400);
    assertStringIncludes(answer.error.message, "must be");
    assert(!JSON.stringify(answer).includes(SECRET));
  }
});

Deno.test("an environment that comes both ways is refused", async () => {
  const { send } = await harness();
  const answer = await json(await send(withHeader({ A: "1" }, initialize({ A: "1" }))), 400);
  assertStringIncludes(answer.error.message, "not both");
});

Deno.test("values of the environment are in no log line, and no other session has them", async () => {
  const { send, hosts, lines, store } = await harness();
  await json(await send(post(initialize({ API_KEY: SECRET, SHORT: "on" }))), 200);
  const { input } = hosts.sessions[0]!;
  const requestId = null;
  input.onLog({ level: "info", logger: "x", text: `the key is ${SECRET}, go on`, requestId });
  input.onLog({ level: "error", logger: SECRET.toUpperCase(), text: "failed", requestId });
  hosts.sessions[0]!.lose("crashed");
  assert(lines.some((line) => line["text"] === "the key is [API_KEY], go on"));
  const written = JSON.stringify([lines, [...store.rows.values()]]);
  assert(!written.toLowerCase().includes(SECRET), written);
  await json(await send(post(INITIALIZE, { session: "s2" })), 200);
  assertEquals(hosts.sessions[1]!.input.environment, {});
});

Deno.test("a start that fails may be tried again with another environment", async () => {
  let attempts = 0;
  const { send, hosts } = await harness({
    server: {
      load: () => {
        attempts += 1;
        return {
          kind: "raised",
          message: "KeyError: 'API_KEY'",
          traceback: "",
          missing_environment: ["API_KEY"],
        };
      },
    },
  });
  const failed = await json(await send(post(INITIALIZE)), 200);
  assertEquals(failed.error.data.missing_environment, ["API_KEY"]);
  await json(await send(post(initialize({ API_KEY: SECRET }))), 200);
  assertEquals(attempts, 2);
  assertEquals(hosts.sessions[1]!.input.environment, { API_KEY: SECRET });
});

Deno.test("a variable may come in a header of its own, and an empty one is none", async () => {
  const { send, hosts } = await harness();
  const headers = { "Mcp-Server-Env-API-KEY": SECRET, "mcp-server-env-region": "eu" };
  await json(await send(post(INITIALIZE, { headers })), 200);
  assertEquals(hosts.sessions[0]!.input.environment, { API_KEY: SECRET, REGION: "eu" });
  const both = { ...headers, "Mcp-Server-Environment": encoded({ API_KEY: "other-value" }) };
  await json(await send(post(INITIALIZE, { session: "s2", headers: both })), 200);
  assertEquals(hosts.sessions[1]!.input.environment, { API_KEY: "other-value", REGION: "eu" });
  const empty = post(INITIALIZE, { session: "s3" });
  empty.headers.set("Mcp-Server-Env-API-KEY", "");
  await json(await send(empty), 200);
  assertEquals(hosts.sessions[2]!.input.environment, {});
  const bad = post(INITIALIZE, { session: "s4", headers: { "Mcp-Server-Env-1-A": "x" } });
  assertStringIncludes((await json(await send(bad), 400)).error.message, "must have only letters");
});
