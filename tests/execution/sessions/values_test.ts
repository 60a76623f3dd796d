import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { KeptValue } from "../../../src/keys/session_values.ts";
import { type Configuration, variablesOf } from "../../../src/keys/variables.ts";
import { harness, INITIALIZE, json, post, rpc } from "../harness.ts";

const SECRET = "sk-live-9d8c7b6a5f4e3d2c1b0a";

function server(configuration: Configuration | null, neededToStart: string[] = []) {
  const found = neededToStart.map((name) => ({ name, required: true }));
  return { weather: { variables: variablesOf(configuration, found), neededToStart } };
}

function withValues(environment: Record<string, string>, session = "s1", token?: string): Request {
  const headers = {
    "Mcp-Server-Environment": new TextEncoder().encode(JSON.stringify(environment)).toBase64(),
  };
  return post(INITIALIZE, { session, headers, ...(token === undefined ? {} : { token }) });
}

Deno.test("a session that lacks a required variable hears which and where, before code runs", async () => {
  const { send, hosts } = await harness({
    servers: server([
      { name: "API_KEY", required: true, description: "From the account page" },
      { name: "REGION", required: true },
      { name: "MODE", required: false },
    ]),
  });
  const { error } = await json(await send(withValues({ REGION: "eu" })), 200);
  assertEquals(error.data.reason, "variables_missing");
  assertEquals(error.data.missing_environment, ["API_KEY"]);
  assertStringIncludes(error.message, "API_KEY is not set (From the account page)");
  assertStringIncludes(error.message, "http://registry.test/servers/weather/keys");
  assertEquals(hosts.sessions.length, 0);
  await json(await send(withValues({ REGION: "eu", API_KEY: SECRET })), 200);
  assertEquals(hosts.sessions.length, 1);
});

Deno.test("where nothing is kept, a session that lacks a variable is not sent to enter it", async () => {
  const { send } = await harness({
    servers: server([{ name: "API_KEY", required: true }]),
    keepsValues: false,
  });
  const { error } = await json(await send(post(INITIALIZE)), 200);
  assertStringIncludes(error.message, "This service keeps no values. Pass it for one session");
  assert(!error.message.includes("registry.test"), error.message);
});

Deno.test("what a build could not start without is asked for, unless some of it is given", async () => {
  const { send, hosts } = await harness({ servers: server(null, ["A_TOKEN", "B_TOKEN"]) });
  const { error } = await json(await send(post(INITIALIZE)), 200);
  assertEquals(error.data.missing_environment, ["A_TOKEN", "B_TOKEN"]);
  await json(await send(withValues({ B_TOKEN: SECRET })), 200);
  assertEquals(hosts.sessions.length, 1);
});

Deno.test("a default is given, and a value that does not fit is named without being shown", async () => {
  const { send, hosts } = await harness({
    servers: server([{ name: "MODE", choices: ["fast", "exact"], default: "fast" }]),
  });
  const { error } = await json(await send(withValues({ MODE: SECRET })), 200);
  assertStringIncludes(error.message, "MODE must be fast or exact");
  assert(!JSON.stringify(error).includes(SECRET));
  await json(await send(post(INITIALIZE)), 200);
  assertEquals(hosts.sessions[0]!.input.environment, { MODE: "fast" });
});

Deno.test("a secret with hosts reaches the code as a placeholder, another one as it is", async () => {
  const { send, hosts } = await harness({
    servers: server([
      { name: "API_KEY", hosts: ["api.example.com"] },
      { name: "SIGNING_KEY", hosts: ["api.example.com"], exposed: true },
    ]),
  });
  await json(await send(withValues({ API_KEY: SECRET, SIGNING_KEY: `${SECRET}-2` })), 200);
  const { environment } = hosts.sessions[0]!.input;
  assert(environment["API_KEY"] !== SECRET);
  assertEquals(environment["API_KEY"]!.length, SECRET.length);
  assertEquals(environment["SIGNING_KEY"], `${SECRET}-2`);
});

const KEPT: KeptValue[] = [
  { state: "ready", name: "API_KEY", value: SECRET, hosts: null, origin: "me API_KEY 1" },
  { state: "changed", name: "OTHER_KEY" },
];

Deno.test("a user's session gets what is kept, and what the client gives comes before it", async () => {
  const asked: string[] = [];
  const { send, hosts } = await harness({
    servers: server([{ name: "API_KEY", required: true }, { name: "OTHER_KEY" }]),
    keptValues(name, userId) {
      asked.push(`${name} ${userId}`);
      return Promise.resolve(KEPT);
    },
  });
  await json(await send(post(INITIALIZE, { session: "s1", token: "jane" })), 200);
  assertEquals(hosts.sessions[0]!.input.environment, { API_KEY: SECRET });
  await json(await send(withValues({ API_KEY: "another-value" }, "s2", "jane")), 200);
  assertEquals(hosts.sessions[1]!.input.environment, { API_KEY: "another-value" });
  // Nobody's session gets nothing of it.
  const { error } = await json(await send(post(INITIALIZE, { session: "s3" })), 200);
  assertStringIncludes(error.message, "Sign in");
  assertEquals(asked, ["weather jane", "weather jane"]);
});

Deno.test("a value that waits for consent is as good as missing, and the error says why", async () => {
  const { send } = await harness({
    servers: server([{ name: "OTHER_KEY", required: true }]),
    keptValues: () => Promise.resolve(KEPT),
  });
  const { error } = await json(await send(post(INITIALIZE, { token: "jane" })), 200);
  assertStringIncludes(
    error.message,
    "OTHER_KEY is kept, but the server now uses it in another way",
  );
  assertStringIncludes(error.message, 'or with "berth keys agree weather"');
});

Deno.test("a kept value goes by what its user agreed to, whatever the record said before", async () => {
  // The author goes back to hosts while the session is under way: what it began with says otherwise.
  const before: Configuration[] = [
    [{ name: "API_KEY", required: true }],
    [{ name: "API_KEY", required: true, hosts: ["evil.example.net"], exposed: true }],
    [{ name: "API_KEY", required: true, secret: false }],
    [],
  ];
  for (const configuration of before) {
    const { send, hosts } = await harness({
      servers: server(configuration),
      keptValues: () => Promise.resolve([{ ...KEPT[0]!, hosts: ["api.example.com"] } as KeptValue]),
    });
    const result = await json(await send(post(INITIALIZE, { token: "jane" })), 200);
    assertEquals(result.error, undefined);
    const given = hosts.sessions[0]!.input.environment["API_KEY"];
    assertEquals(given?.length, SECRET.length);
    assert(given !== SECRET);
  }
});

Deno.test("results, errors and logs of a server show the name in the place of its secret", async () => {
  const { send, hosts, lines } = await harness({
    servers: server([{ name: "API_KEY" }, { name: "PIN_CODE", secret: true }]),
    server: {
      answer: () => ({
        kind: "result",
        result: { text: `key ${SECRET} and "${SECRET}"`, pin: 12345678, list: ["12345678"] },
      }),
    },
  });
  await json(await send(withValues({ API_KEY: SECRET, PIN_CODE: "12345678" })), 200);
  const answer = await json(await send(post(rpc("tools/call", { name: "hello" }))), 200);
  assertEquals(answer.result, {
    text: 'key [API_KEY] and "[API_KEY]"',
    pin: 12345678,
    list: ["[PIN_CODE]"],
  });
  const log = { level: "info", logger: "x", text: `it is ${SECRET}`, requestId: null };
  hosts.sessions[0]!.input.onLog(log);
  assert(!JSON.stringify(lines).includes(SECRET));
});
