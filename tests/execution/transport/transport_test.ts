import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  type Body,
  get,
  harness,
  INITIALIZE,
  json,
  post,
  type PostOptions,
  remove,
  rpc,
} from "../harness.ts";

Deno.test("POST answers the specification's minimal initialize and tools/list", async () => {
  const { send } = await harness();
  const first = await send(post(INITIALIZE));
  assertEquals(first.headers.get("content-type"), "application/json");
  assertEquals(first.headers.get("mcp-session-id"), "s1");
  assertEquals(await json(first, 200), {
    jsonrpc: "2.0",
    id: 1,
    result: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: "Weather", version: "1.2.3" },
      instructions: "Ask for a city",
    },
  });
  const second = await send(post(rpc("tools/list", undefined, 2)));
  assertEquals(await json(second, 200), { jsonrpc: "2.0", id: 2, result: { tools: [] } });
});

Deno.test("POST initialize without a session id gets one from the server", async () => {
  const { send } = await harness();
  const ids = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const response = await send(post(INITIALIZE, { session: null }));
    const id = response.headers.get("mcp-session-id") ?? "";
    assert(/^[\x21-\x7e]{1,128}$/.test(id));
    ids.add(id);
    await json(response, 200);
    await json(await send(post(rpc("ping"), { session: id })), 200);
  }
  assertEquals(ids.size, 2);
});

Deno.test("POST initialize negotiates the revision", async () => {
  const { send } = await harness();
  const cases = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
    ["", "2025-11-25"],
    [undefined, "2025-11-25"],
  ];
  for (const [index, [asked, given]] of cases.entries()) {
    const body = rpc("initialize", { protocolVersion: asked });
    const response = await send(post(body, { session: `n${index}` }));
    assertEquals((await json(response, 200)).result.protocolVersion, given);
  }
});

const LENIENT: [name: string, body: unknown, options: PostOptions][] = [
  ["no Accept", INITIALIZE, {}],
  ["Accept */*", INITIALIZE, { headers: { accept: "*/*" } }],
  ["Accept JSON only", INITIALIZE, { headers: { accept: "application/json" } }],
  ["Accept both", INITIALIZE, { headers: { accept: "application/json, text/event-stream" } }],
  ["Accept application/*", INITIALIZE, { headers: { accept: "text/html, application/*;q=0.5" } }],
  ["a charset", INITIALIZE, { headers: { "content-type": "Application/JSON; charset=utf-8" } }],
  ["no params", rpc("initialize"), {}],
  ["null params", rpc("initialize", null), {}],
  ["empty params", rpc("initialize", {}), {}],
  ["null members", rpc("initialize", { capabilities: null, clientInfo: null }), {}],
  ["a string id", rpc("initialize", {}, "abc"), {}],
  ["id 0", rpc("initialize", {}, 0), {}],
  ["a negative id", rpc("initialize", {}, -5), {}],
  ["extra members", { ...INITIALIZE, extra: true }, {}],
  ["a first request that is not initialize", rpc("tools/list"), {}],
  ["ping first", rpc("ping"), {}],
  ["another revision's header", rpc("ping"), { headers: { "mcp-protocol-version": "2025-03-26" } }],
  ["an unknown revision's header on initialize", INITIALIZE, {
    headers: { "mcp-protocol-version": "2026-07-28" },
  }],
  ["another scheme of authorization", INITIALIZE, { headers: { authorization: "Basic eDp5" } }],
];

for (const [name, body, options] of LENIENT) {
  Deno.test(`POST takes ${name}`, async () => {
    const { send } = await harness();
    const response = await send(post(body, options));
    const answer = await json(response, 200);
    assertEquals(answer.id, (body as Body).id);
    assert("result" in answer);
  });
}

Deno.test("POST answers as an event stream when the client takes nothing else", async () => {
  const { send } = await harness();
  const response = await send(post(INITIALIZE, { headers: { accept: "text/event-stream" } }));
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const text = await response.text();
  assertMatch(
    text,
    /^id: \S+-0\nretry: 1000\ndata: \n\nevent: message\nid: \S+-1\ndata: \{.*\}\n\n$/,
  );
});

const REFUSED: [name: string, status: number, code: number, request: () => Request][] = [
  ["no name", 400, -32600, () => post(INITIALIZE, { name: null })],
  ["an empty name", 400, -32600, () => post(INITIALIZE, { name: "" })],
  ["two names", 400, -32600, () => post(INITIALIZE, { name: "weather&name=other" })],
  ["an unknown server", 404, -32000, () => post(INITIALIZE, { name: "nobody" })],
  ["a name that none can have", 404, -32000, () => post(INITIALIZE, { name: "__proto__" })],
  ["no session id", 400, -32600, () => post(rpc("tools/list"), { session: null })],
  ["a session id with a blank", 400, -32600, () => post(INITIALIZE, { session: "a b" })],
  ["a long session id", 400, -32600, () => post(INITIALIZE, { session: "x".repeat(129) })],
  ["a bad token", 401, -32000, () => post(INITIALIZE, { token: "!" })],
  ["Accept of neither", 406, -32000, () => post(INITIALIZE, { headers: { accept: "text/html" } })],
  [
    "Accept with q=0",
    406,
    -32000,
    () => post(INITIALIZE, { headers: { accept: "application/json;q=0" } }),
  ],
  ["no content type", 415, -32000, () => post(INITIALIZE, { headers: { "content-type": "" } })],
  [
    "a form",
    415,
    -32000,
    () => post("a=1", { headers: { "content-type": "application/x-www-form-urlencoded" } }),
  ],
  [
    "a compressed body",
    415,
    -32000,
    () => post(INITIALIZE, { headers: { "content-encoding": "gzip" } }),
  ],
  ["a body over 4 MiB", 413, -32600, () => post(" ".repeat(4 * 1024 * 1024 + 1))],
  ["an empty body", 400, -32700, () => post("")],
  ["no JSON", 400, -32700, () => post("{")],
  ["no UTF-8", 400, -32700, () => post(new Uint8Array([0x22, 0xff, 0x22]))],
  ["deep JSON", 400, -32700, () => post("[".repeat(2_000_000))],
  [
    "deep params",
    400,
    -32700,
    () =>
      post(
        `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${"[".repeat(200)}${"]".repeat(200)}}}`,
      ),
  ],
  ["a number", 400, -32600, () => post("5")],
  ["null", 400, -32600, () => post("null")],
  ["an empty object", 400, -32600, () => post({})],
  ["an empty batch", 400, -32600, () => post([])],
  ["a batch of 10,000", 400, -32600, () => post(new Array(10_000).fill(rpc("ping")))],
  [
    "an unsupported revision",
    400,
    -32600,
    () => post(rpc("ping"), { headers: { "mcp-protocol-version": "2024-11-05" } }),
  ],
  ["GET without a session id", 400, -32600, () => get(null)],
  ["GET on a new id", 404, -32001, () => get("s1")],
  ["GET that takes JSON only", 406, -32000, () => get("s1", { accept: "application/json" })],
  ["GET of an unknown revision", 400, -32600, () => get("s1", { "mcp-protocol-version": "1" })],
  ["PUT", 405, -32000, () => new Request("http://localhost/mcp?name=weather", { method: "PUT" })],
  [
    "a notification on a new id",
    404,
    -32001,
    () => post({ jsonrpc: "2.0", method: "notifications/initialized" }),
  ],
  ["a response on a new id", 404, -32001, () => post({ jsonrpc: "2.0", id: 1, result: {} })],
  ["a batch on a new id", 404, -32001, () => post([rpc("ping")])],
  ["DELETE of an unknown id", 404, -32001, () => remove("nobody")],
  [
    "DELETE without an id",
    400,
    -32600,
    () => new Request("http://localhost/mcp?name=weather", { method: "DELETE" }),
  ],
  ["DELETE without a name", 400, -32600, () => remove("s1", { name: null })],
];

for (const [name, status, code, request] of REFUSED) {
  Deno.test(`transport answers ${status} to ${name}, with the envelope`, async () => {
    const { send, hosts, store } = await harness();
    const response = await send(request());
    assertEquals(response.headers.get("content-type"), "application/json");
    if (status === 405) assertEquals(response.headers.get("allow"), "GET, POST, DELETE");
    const body = await json(response, status);
    assertEquals(body.jsonrpc, "2.0");
    assertEquals(body.error.code, code);
    assert(body.error.message.length > 10);
    if (status === 401) assertEquals(body.error.data.success, false);
    else assertEquals(body.error.data.detail, body.error.message);
    assertEquals([hosts.sessions.length, store.rows.size], [0, 0]);
  });
}

const MALFORMED: [message: Record<string, unknown>, id: unknown, wanted: string][] = [
  [{ id: 1, method: "ping" }, 1, '"jsonrpc"'],
  [{ jsonrpc: "1.0", id: 1, method: "ping" }, 1, '"jsonrpc"'],
  [{ jsonrpc: "2.0", id: null, method: "ping" }, null, '"id"'],
  [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, null, '"id"'],
  [{ jsonrpc: "2.0", id: {}, method: "ping" }, null, '"id"'],
  [{ jsonrpc: "2.0", id: true, method: "ping" }, null, '"id"'],
  [{ jsonrpc: "2.0", id: "x".repeat(2000), method: "ping" }, null, '"id"'],
  [{ jsonrpc: "2.0", id: 1, method: 5 }, 1, '"method"'],
  [{ jsonrpc: "2.0", id: 1, method: "" }, 1, '"method"'],
  [{ jsonrpc: "2.0", id: 1, method: "ping", params: [1] }, 1, '"params"'],
  [{ jsonrpc: "2.0", id: 1, method: "ping", params: "x" }, 1, '"params"'],
  [{ jsonrpc: "2.0", id: 1 }, 1, '"method", "result" or "error"'],
  [{ jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } }, 1, "either"],
  [{ jsonrpc: "2.0", id: 1, error: { code: "x" } }, 1, '"error"'],
];

for (const [message, id, wanted] of MALFORMED) {
  Deno.test(`POST refuses ${JSON.stringify(message).slice(0, 70)}`, async () => {
    const { send } = await harness();
    const body = await json(await send(post(message)), 400);
    assertEquals([body.error.code, body.id], [-32600, id]);
    assertStringIncludes(body.error.message, wanted);
  });
}

Deno.test("POST echoes integer ids of any size, and refuses other numbers", async () => {
  const { send } = await harness();
  const message = (id: string) => post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
  for (const id of ["9007199254740993", "-9007199254740993", "123456789012345678901234567890"]) {
    const response = await send(message(id));
    assertEquals(await response.text(), `{"jsonrpc":"2.0","id":${id},"result":{}}`);
  }
  for (const id of ["1e400", "1.5", "1e30", `1${"0".repeat(2000)}`]) {
    const body = await json(await send(message(id)), 400);
    assertEquals([body.error.code, body.id], [-32600, null]);
  }
});

Deno.test("POST is not fooled by prototype keys", async () => {
  const { send, hosts } = await harness();
  const text = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",' +
    '"arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}},' +
    '"__proto__":{"polluted":1}}';
  await json(await send(post(text)), 200);
  assertEquals(({} as Body).polluted, undefined);
  const params = hosts.sessions[0]!.requests[0]!.params as Body;
  assert(Object.hasOwn(params.arguments, "__proto__"));
  const inherited = '{"jsonrpc":"2.0","__proto__":{"id":1,"method":"ping"}}';
  await json(await send(post(inherited)), 400);
});

Deno.test("failures carry the request's id where it is known", async () => {
  const { send } = await harness();
  const unknown = await json(await send(post(rpc("ping", {}, "abc"), { name: "nobody" })), 404);
  assertEquals(unknown.id, "abc");
  assertEquals(unknown.error.data.request_id, "request-1");
  const early = await json(await send(post(INITIALIZE, { headers: { accept: "a/b" } })), 406);
  assertEquals(early.id, null);
});

Deno.test("POST answers notifications and responses with 202 and no body", async () => {
  const { send } = await harness();
  await send(post(INITIALIZE));
  for (
    const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/unknown", params: { x: 1 } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
      { jsonrpc: "2.0", id: 7, result: {} },
      { jsonrpc: "2.0", id: 7, error: { code: -1, message: "no" } },
      { jsonrpc: "2.0", id: null, error: { code: -1, message: "no" } },
    ]
  ) {
    const response = await send(post(message));
    assertEquals(response.status, 202);
    assertEquals(await response.text(), "");
  }
});

Deno.test("POST takes batches in sessions of 2025-03-26 only", async () => {
  const { send } = await harness();
  await send(post(rpc("initialize", { protocolVersion: "2025-11-25" }), { session: "new" }));
  const refused = await json(await send(post([rpc("ping")], { session: "new" })), 400);
  assertStringIncludes(refused.error.message, "MCP 2025-11-25 has no batches");

  await send(post(rpc("initialize", { protocolVersion: "2025-03-26" })));
  const batch = [
    rpc("ping", {}, 1),
    rpc("ping", {}, 1),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    5,
    rpc("initialize", {}, "i"),
    rpc("nope", {}, 2),
  ];
  const answers = await json(await send(post(batch)), 200);
  assertEquals(
    answers.map((answer: Body) => [answer.id, answer.error?.code ?? "ok"]),
    [[1, "ok"], [1, "ok"], [null, -32600], ["i", -32600], [2, -32601]],
  );
  const quiet = await send(post([{ jsonrpc: "2.0", method: "notifications/initialized" }]));
  assertEquals(quiet.status, 202);
});

Deno.test("POST with a required token answers 401 without one and binds the session", async () => {
  const { send } = await harness({ authentication: "required" });
  const body = await json(await send(post(INITIALIZE)), 401);
  assertEquals(body.error.data.success, false);
  assertEquals((await send(post(INITIALIZE, { token: "ann" }))).status, 200);
  const other = await json(await send(post(rpc("ping"), { token: "bob" })), 404);
  assertEquals(other.error.code, -32001);
  assertEquals((await send(remove("s1"))).status, 401);
  assertEquals((await send(remove("s1", { token: "bob" }))).status, 404);
  assertEquals((await send(remove("s1", { token: "ann" }))).status, 204);
});

Deno.test("POST limits calls a minute of a client, batches by message", async () => {
  const { send, clock } = await harness({ callsPerMinute: 20 });
  await send(post(rpc("initialize", { protocolVersion: "2025-03-26" })));
  assertEquals((await send(post(new Array(15).fill(rpc("ping"))))).status, 200);
  const over = await send(post(new Array(15).fill(rpc("ping"))));
  assert(Number(over.headers.get("retry-after")) >= 1);
  assertStringIncludes((await json(over, 429)).error.message, "20 per minute (CALLS_PER_MINUTE)");
  // Another address, and a user at the same one, have allowances of their own.
  assertEquals((await send(post(rpc("ping")), "192.0.2.2")).status, 200);
  assertEquals((await send(post(rpc("ping"), { token: "ann", session: "hers" }))).status, 200);
  await clock.advance(120_000);
  assertEquals((await send(post(rpc("ping")))).status, 200);
});

Deno.test("POST counts requests with bad tokens against the address", async () => {
  const { send } = await harness({ callsPerMinute: 3 });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) {
    statuses.push((await send(post(INITIALIZE, { token: "!" }))).status);
  }
  assertEquals(statuses, [401, 401, 401, 429, 429]);
});

Deno.test("POST counts IPv6 clients by /64", async () => {
  const { send } = await harness({ callsPerMinute: 1 });
  const statuses: number[] = [];
  for (const address of ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.9"]) {
    statuses.push((await send(post(rpc("ping"), { session: "v6" }), address)).status);
  }
  assertEquals(statuses, [200, 429, 200, 200]);
});

Deno.test("POST replaces a result over 8 MiB by an error, and sends a deep one", async () => {
  let deep: unknown = {};
  for (let i = 0; i < 100_000; i++) deep = { deep };
  const results: Record<string, unknown> = { big: { text: "x".repeat(9 * 1024 * 1024) }, deep };
  const { send } = await harness({
    server: {
      answer: (_method, params) => ({ kind: "result", result: results[(params as Body).name] }),
    },
  });
  const big = await json(await send(post(rpc("tools/call", { name: "big" }))), 200);
  assertStringIncludes(big.error.message, "8388608 bytes");
  await json(await send(post(rpc("tools/call", { name: "deep" }))), 200);
});

Deno.test("transport hides what is not meant for callers", async () => {
  const { send, lines } = await harness({
    findRunnable: () => Promise.reject(new Error("password=hunter2")),
  });
  const body = await json(await send(post(INITIALIZE)), 500);
  assertEquals(body.error.code, -32603);
  assert(!JSON.stringify(body).includes("hunter2"));
  assert(lines.some((line) => line.event === "mcp.failed"));
});

Deno.test("transport answers 503 while the database cannot be reached", async () => {
  const { send } = await harness({
    findRunnable: () => Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" })),
  });
  const response = await send(post(INITIALIZE));
  assert(Number(response.headers.get("retry-after")) >= 1);
  assertEquals((await json(response, 503)).error.code, -32000);
});

Deno.test("POST counts large bodies as several calls", async () => {
  const { send } = await harness({ callsPerMinute: 20 });
  const large = rpc("tools/call", { text: "x".repeat(2 * 1024 * 1024) });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await send(post(large))).status);
  assertEquals(statuses, [200, 200, 429]);
});

Deno.test("POST gives the room of its body back, whatever the answer", async () => {
  const { send } = await harness({ room: 1000 });
  const padding = { text: "x".repeat(600) };
  for (
    const body of [rpc("ping", padding), { ...padding }, rpc("nope", padding), "x".repeat(600)]
  ) {
    const response = await send(post(body));
    assert([200, 400].includes(response.status), String(response.status));
  }
  assertEquals((await send(post(rpc("ping", { text: "x".repeat(2000) })))).status, 503);
});

Deno.test("POST reads hundreds of thousands of members without copying them", async () => {
  const { send } = await harness();
  const members = Array.from({ length: 250_000 }, (_, i) => `"k${i}":1`).join(",");
  const started = performance.now();
  await json(
    await send(post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{${members}}}`)),
    200,
  );
  assert(performance.now() - started < 120_000);
});
