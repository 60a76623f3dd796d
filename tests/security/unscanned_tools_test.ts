/** Attacks: tools that no scan saw are brought in while a server runs. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { ScannedTools } from "../../src/execution/types.ts";
import { harness, json, type Options, post, rpc } from "../execution/harness.ts";

const SCANNED: ScannedTools = { names: ["read"], atRunTime: false };
const READ = { name: "read", inputSchema: { type: "object" } };
const HIDDEN = { name: "send_mail", inputSchema: { type: "object" } };

/** A server that lists these tools, of which the scan saw some. */
function serving(
  tools: unknown,
  scannedTools: ScannedTools | null = SCANNED,
  options: Options = {},
) {
  return harness({
    servers: { weather: { scannedTools } },
    server: {
      answer: (method) => ({
        kind: "result",
        result: method === "tools/list"
          ? (typeof tools === "function" ? tools() : { tools })
          : { content: [{ type: "text", text: "called" }] },
      }),
    },
    ...options,
  });
}

type Serving = Awaited<ReturnType<typeof serving>>;

async function listed({ send }: Serving, params = {}) {
  return (await json(await send(post(rpc("tools/list", params))), 200)).result;
}

async function called({ send, hosts }: Serving, params: unknown) {
  const body = await json(await send(post(rpc("tools/call", params))), 200);
  const ran = hosts.sessions[0]!.requests.filter(({ method }) => method === "tools/call").length;
  return { error: body.error, result: body.result, ran };
}

Deno.test("a tool that the scan did not see is not listed, and the operator is told once", async () => {
  const server = await serving([READ, HIDDEN]);
  for (let i = 0; i < 3; i++) assertEquals(await listed(server), { tools: [READ] });
  assertEquals(server.refusedTools, [{ server: "weather", tool: "send_mail" }]);
  const lines = server.lines.filter(({ event }) => event === "session.tool_refused");
  assertEquals(lines.map(({ tool }) => tool), ["send_mail"]);
});

Deno.test("a tool that only the build listed is served with a mark, and another one is not", async () => {
  const built = { ...SCANNED, built: ["made"] };
  const MADE = { name: "made", inputSchema: { type: "object" } };
  const server = await serving([READ, MADE, HIDDEN], built);
  const mark = { "berth/unscanned": true };
  assertEquals(await listed(server), { tools: [READ, { ...MADE, _meta: mark }] });
  assertEquals((await called(server, { name: "made", arguments: {} })).ran, 1);
  assertEquals((await called(server, { name: "send_mail", arguments: {} })).ran, 1);
});

Deno.test("a tool that the scan did not see is not called, listed before or not", async () => {
  const server = await serving([READ, HIDDEN]);
  for (const name of ["send_mail", "read ", "Read", "", "re\u200bad"]) {
    const { error, ran } = await called(server, { name, arguments: {} });
    assertEquals([error.code, error.data.reason, ran], [-32602, "tool_not_scanned", 0], name);
    assertStringIncludes(error.message, "The scan of this server did not find it");
    assertStringIncludes(error.message, "See tools/list for the available tools");
  }
  for (const params of [{}, { name: 5 }, { name: ["read"] }, { name: { read: 1 } }]) {
    const { error, ran } = await called(server, params);
    assertEquals(ran, 0);
    assertStringIncludes(error.message, "requires the tool's name");
  }
  assertEquals((await called(server, { name: "read" })).result.content[0].text, "called");
});

Deno.test("a call that names two tools is judged by the name that Python takes", async () => {
  const server = await serving([READ, HIDDEN]);
  for (
    const [first, second, ran] of [["read", "send_mail", 0], ["send_mail", "read", 1]] as const
  ) {
    const params = `{"name":"${first}","n\\u0061me":"${second}"}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    await json(await server.send(post(body)), 200);
    const { requests } = server.hosts.sessions[0] ?? { requests: [] };
    assertEquals(requests.filter(({ method }) => method === "tools/call").length, ran);
  }
});

Deno.test("an entry with two names, or none, is not one that the scan saw", async () => {
  for (const odd of [{ inputSchema: {} }, { name: null }, "read", ["read"], null, 5]) {
    assertEquals(await listed(await serving([odd, READ])), { tools: [READ] });
  }
});

Deno.test("tools that come later, page by page or after list_changed, are held to the same", async () => {
  let round = 0;
  const rounds = [
    { tools: [READ], nextCursor: "own-1" },
    { tools: [HIDDEN], nextCursor: "own-2" },
    { tools: [HIDDEN, READ] },
  ];
  const server = await serving(() => rounds[round++]);
  assertEquals(await listed(server), rounds[0]);
  assertEquals(await listed(server, { cursor: "own-1" }), { tools: [], nextCursor: "own-2" });
  assertEquals(await listed(server, { cursor: "own-2" }), { tools: [READ] });
});

Deno.test("pages that Berth cuts have no gaps where tools are left out", async () => {
  const names = Array.from({ length: 10 }, (_, at) => `tool-${at}`);
  const scanned = { names: names.filter((_, at) => at % 2 === 0), atRunTime: false };
  const server = await serving(names.map((name) => ({ name })), scanned, { pageSize: 3 });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listed(server, cursor === undefined ? {} : { cursor });
    seen.push(...page.tools.map(({ name }: { name: string }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assertEquals(seen, scanned.names);
});

Deno.test("a session that lists thousands of names fills no log with them", async () => {
  let round = 0;
  const server = await serving(() => ({
    tools: Array.from({ length: 900 }, (_, at) => ({ name: `${round}-${at}` })),
    round: round++,
  }));
  for (let i = 0; i < 3; i++) assertEquals((await listed(server)).tools, []);
  assertEquals(server.refusedTools.length, 20);
});

Deno.test("the name of a refused tool tells the operator no key of the session", async () => {
  const server = await serving([{ name: "key-of-a-user" }]);
  const params = { _meta: { "berth/environment": { API_KEY: "key-of-a-user" } } };
  await json(await server.send(post(rpc("initialize", params))), 200);
  await listed(server);
  assertEquals(server.refusedTools, [{ server: "weather", tool: "[API_KEY]" }]);
});

Deno.test("callers cannot make a server look as if it had tools that were not scanned", async () => {
  const server = await serving([READ]);
  await called(server, { name: "made_up" });
  assertEquals(server.refusedTools, []);
});

for (
  const [what, scanned, options] of [
    ["a server that makes tools while it runs", { ...SCANNED, atRunTime: true }, {}],
    ["TOOLS_POLICY=marked", SCANNED, { toolsPolicy: "marked" }],
    ["EXECUTION_POLICY=any and a scan that could not tell", null, { policy: "any" }],
  ] as [string, ScannedTools | null, Options][]
) {
  Deno.test(`${what}: what the scan did not see is served with a mark`, async () => {
    const noted = { ...HIDDEN, _meta: { kept: 2, "berth/unscanned": false } };
    const server = await serving([READ, noted], scanned, options);
    const { tools } = await listed(server);
    assertEquals(tools[1], { ...HIDDEN, _meta: { kept: 2, "berth/unscanned": true } });
    assertEquals(tools[0]._meta, scanned === null ? { "berth/unscanned": true } : undefined);
    assertEquals((await called(server, { name: "send_mail" })).ran, 1);
    assertEquals(server.refusedTools, []);
  });
}
