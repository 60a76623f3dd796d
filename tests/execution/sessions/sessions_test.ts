import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import type { EndReason, LoadOutcome } from "../../../src/execution/interpreters/types.ts";
import type { PlainOutcome } from "../../helpers/plain_json.ts";
import { LOADED } from "../fake_hosts.ts";
import {
  type Body,
  harness,
  INITIALIZE,
  json,
  memoryStore,
  post,
  remove,
  rpc,
  settle,
} from "../harness.ts";

const MINUTE = 60_000;

Deno.test("state table: new id → active → same id → DELETE → ended", async () => {
  const { send, hosts, store, metrics } = await harness();
  assertEquals((await send(post(rpc("tools/list")))).status, 200);
  assertEquals((await send(post(rpc("tools/list")))).status, 200);
  assertEquals(hosts.sessions.length, 1);
  assertEquals(hosts.sessions[0]!.requests.length, 2);
  assertEquals(metrics.sessionsActive, 1);
  const response = await send(remove("s1"));
  assertEquals(response.status, 204);
  assertEquals(await response.text(), "");
  assert(hosts.sessions[0]!.closed);
  assertEquals(store.rows.get("s1")?.reason, "deleted");
  assertEquals(metrics.sessionsActive, 0);
  assertEquals(metrics.sessionsEnded, { deleted: 1 });
  const gone = await json(await send(post(rpc("tools/list"))), 404);
  assertEquals(gone.error.code, -32001);
  assertEquals((await send(remove("s1"))).status, 404);
});

Deno.test("state table: initialize after the end starts afresh, with another server too", async () => {
  const { send, hosts, store } = await harness({ servers: { weather: {}, maps: {} } });
  await send(post(INITIALIZE));
  await send(remove("s1"));
  assertEquals((await send(post(rpc("ping"), { name: "maps" }))).status, 404);
  assertEquals((await send(post(INITIALIZE, { name: "maps" }))).status, 200);
  assertEquals(hosts.sessions.length, 2);
  assertEquals(store.rows.get("s1")?.server, "maps");
  assertEquals((await send(post(rpc("ping"), { name: "maps" }))).status, 200);
});

Deno.test("state table: 30 minutes without activity evict, a request restarts the timer", async () => {
  const { send, hosts, store, clock } = await harness();
  await send(post(INITIALIZE));
  await clock.advance(29 * MINUTE);
  assertEquals((await send(post(rpc("ping")))).status, 200);
  await clock.advance(29 * MINUTE);
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  assertEquals((await send(post(notification))).status, 202);
  await clock.advance(30 * MINUTE - 1);
  assert(!hosts.sessions[0]!.closed);
  await clock.advance(1);
  assert(hosts.sessions[0]!.closed);
  assertEquals(store.rows.get("s1")?.reason, "idle");
  assertEquals((await json(await send(post(rpc("ping"))), 404)).error.code, -32001);
  assertEquals(clock.pending(), 0);
});

Deno.test("a call in flight counts as activity, a refused request does not", async () => {
  const gate = Promise.withResolvers<PlainOutcome>();
  const { send, hosts, clock } = await harness({ server: { answer: () => gate.promise } });
  await send(post(INITIALIZE, { token: "ann" }));
  const call = send(post(rpc("tools/call"), { token: "ann" }));
  await settle();
  await clock.advance(120 * MINUTE);
  assert(!hosts.sessions[0]!.closed);
  gate.resolve({ kind: "result", result: {} });
  assertEquals((await call).status, 200);
  await clock.advance(20 * MINUTE);
  assertEquals((await send(post(rpc("ping"), { token: "bob" }))).status, 404);
  assertEquals((await send(post(rpc("ping"), { token: "ann", name: "other" }))).status, 409);
  await clock.advance(10 * MINUTE);
  assert(hosts.sessions[0]!.closed);
});

Deno.test("two first requests at once make one session", async () => {
  const gate = Promise.withResolvers<LoadOutcome>();
  const { send, hosts, store } = await harness({ server: { load: () => gate.promise } });
  const pending = [
    send(post(INITIALIZE)),
    send(post(rpc("tools/list", {}, 2))),
    send(post(rpc("ping", {}, 3))),
  ];
  await settle();
  gate.resolve(LOADED);
  assertEquals((await Promise.all(pending)).map(({ status }) => status), [200, 200, 200]);
  assertEquals([hosts.sessions.length, store.rows.size], [1, 1]);
});

Deno.test("two first requests at once to different servers: one session, the other 409", async () => {
  const { send, hosts } = await harness({ servers: { weather: {}, maps: {} } });
  const statuses = await Promise.all([
    send(post(INITIALIZE)),
    send(post(INITIALIZE, { name: "maps" })),
  ]);
  assertEquals(statuses.map(({ status }) => status).sort(), [200, 409]);
  assertEquals(hosts.sessions.length, 1);
});

Deno.test("a hundred ids at once make a hundred sessions and unpack one archive", async () => {
  const { send, hosts, unpacked } = await harness({ sessionsPerClient: 100 });
  const ids = Array.from({ length: 100 }, (_, i) => `many-${i}`);
  const all = await Promise.all(ids.map((session) => send(post(INITIALIZE, { session }))));
  assert(all.every(({ status }) => status === 200));
  assertEquals(hosts.sessions.length, 100);
  assertEquals(unpacked(), 1);
});

Deno.test("initialize on a live session is answered again, state kept", async () => {
  const { send, hosts } = await harness();
  await send(post(INITIALIZE));
  const again = await json(await send(post(INITIALIZE)), 200);
  assertEquals(again.result.serverInfo.name, "Weather");
  assertEquals(hosts.sessions.length, 1);
});

Deno.test("a live id with another name is 409, for POST and DELETE", async () => {
  const { send } = await harness({ servers: { weather: {}, maps: {} } });
  await send(post(INITIALIZE));
  const conflict = await json(await send(post(INITIALIZE, { name: "maps" })), 409);
  assertEquals(conflict.error.code, -32000);
  assertEquals((await send(remove("s1", { name: "maps" }))).status, 409);
  assertEquals((await send(post(rpc("ping")))).status, 200);
});

Deno.test("a session begun with a token answers 404 to everyone else, whatever they ask", async () => {
  const { send, hosts } = await harness({ servers: { weather: {}, maps: {} } });
  await send(post(INITIALIZE, { token: "ann" }));
  for (const options of [{}, { token: "bob" }, { token: "bob", name: "maps" }]) {
    for (const request of [post(rpc("ping"), options), post(INITIALIZE, options)]) {
      assertEquals((await json(await send(request), 404)).error.code, -32001);
    }
    assertEquals((await send(remove("s1", options))).status, 404);
  }
  assertEquals(hosts.sessions.length, 1);
  assertEquals((await send(post(rpc("ping"), { token: "ann" }))).status, 200);
});

Deno.test("a row of an earlier process answers 404 to all but initialize", async () => {
  const store = memoryStore();
  store.rows.set("s1", { id: "s1", instance: "i", server: "weather", userId: null, reason: null });
  const { send, hosts } = await harness({ store });
  assertEquals((await send(post(rpc("tools/list")))).status, 404);
  assertEquals((await send(remove("s1"))).status, 404);
  assertEquals(hosts.sessions.length, 0);
  assertEquals((await send(post(INITIALIZE))).status, 200);
});

const SCANS: [policy: "unless-failed" | "passed" | "any", scan: string, status: number][] = [
  ["unless-failed", "passed", 200],
  ["unless-failed", "error", 200],
  ["unless-failed", "failed", 403],
  ["passed", "passed", 200],
  ["passed", "error", 403],
  ["passed", "failed", 403],
  ["any", "failed", 200],
];

for (const [policy, scan, status] of SCANS) {
  Deno.test(`EXECUTION_POLICY=${policy} answers ${status} to a server whose scan is ${scan}`, async () => {
    const { send, refusals } = await harness({
      policy,
      servers: { weather: { scanStatus: scan as "passed" } },
    });
    const body = await json(await send(post(INITIALIZE)), status);
    if (status === 403) {
      assertEquals(body.error.data.success, false);
      assertEquals(body.error.data.error.details.current, `scan ${scan}`);
    }
    const details = { required: "passed scan", current: `scan ${scan}` };
    assertEquals(
      refusals,
      status === 200 ? [] : [{ server: "weather", userId: null, requestId: "request-1", details }],
    );
  });
}

Deno.test("a server in another language is 400", async () => {
  const { send } = await harness({ servers: { weather: { lang: "go" } } });
  const body = await json(await send(post(INITIALIZE)), 400);
  assertStringIncludes(body.error.message, "Berth runs Python servers only");
});

Deno.test("a paid server asks the payment check, and its refusal is the answer", async () => {
  const { send } = await harness({
    servers: { weather: { pricing: { currency: "USD", amount: 5 } } },
    checkPayment(server, { userId }) {
      if (userId === "ann" || server.pricing.amount === 0) return Promise.resolve();
      return Promise.reject(
        userId === null
          ? new AppError("missing_token", "Sign in to run a paid server")
          : new AppError("payment_required", "Running this server costs 5 USD"),
      );
    },
  });
  assertEquals((await send(post(INITIALIZE))).status, 401);
  assertEquals((await send(post(INITIALIZE, { token: "bob" }))).status, 402);
  assertEquals((await send(post(INITIALIZE, { token: "ann" }))).status, 200);
});

Deno.test("a paid session is asked about again after a minute, and ends when it is not paid", async () => {
  let asked = 0;
  let failure: AppError | null = null;
  const { send, clock, hosts } = await harness({
    servers: { weather: { pricing: { currency: "USD", amount: 5 } } },
    checkPayment() {
      asked += 1;
      return failure === null ? Promise.resolve() : Promise.reject(failure);
    },
  });
  const ping = async () => (await send(post(rpc("ping"), { token: "ann" }))).status;
  assertEquals((await send(post(INITIALIZE, { token: "ann" }))).status, 200);
  for (let i = 0; i < 5; i++) assertEquals(await ping(), 200);
  assertEquals(asked, 1);
  await clock.advance(60_000);
  for (let i = 0; i < 5; i++) assertEquals(await ping(), 200);
  assertEquals(asked, 2);
  await clock.advance(60_000);
  failure = new AppError("unavailable", "The database is unavailable");
  assertEquals(await ping(), 503);
  failure = null;
  assertEquals(await ping(), 200);
  failure = new AppError("payment_required", "Refunded");
  assertEquals(await ping(), 200);
  await clock.advance(60_000);
  assertEquals(await ping(), 402);
  assertEquals(hosts.sessions[0]!.closed, true);
  assertEquals(await ping(), 404);
});

Deno.test("recheckPayment() ends the sessions of that user and server that are not paid", async () => {
  const unpaid = new Set<string>();
  const { send, sessions } = await harness({
    servers: { weather: {}, other: {} },
    checkPayment(server, { userId }) {
      return unpaid.has(`${server.name} ${userId}`)
        ? Promise.reject(new AppError("payment_required", "Refunded"))
        : Promise.resolve();
    },
  });
  const all = [["weather", "ann"], ["other", "ann"], ["weather", "bob"]] as const;
  const options = all.map(([name, token], i) => ({ name, token, session: `s${i}` }));
  for (const one of options) await send(post(INITIALIZE, one));
  await sessions.recheckPayment("weather", "ann");
  for (const { name, token } of options) unpaid.add(`${name} ${token}`);
  await sessions.recheckPayment("weather", "ann");
  const statuses = await Promise.all(
    options.map(async (one) => (await send(post(rpc("ping"), one))).status),
  );
  assertEquals(statuses, [404, 200, 200]);
});

Deno.test("an initialize without an id gets a new one, of which the database is not asked", async () => {
  const store = memoryStore();
  const asked: string[] = [];
  const { send } = await harness({
    store: { ...store, find: (id) => (asked.push(id), Promise.resolve(null)) },
  });
  const ids = [];
  for (let n = 0; n < 2; n++) {
    const response = await send(post(INITIALIZE, { session: null }));
    await json(response, 200);
    ids.push(response.headers.get("mcp-session-id")!);
  }
  assertEquals([asked, [...store.rows.keys()]], [[], ids]);
  await json(await send(post(rpc("ping"), { session: "chosen" })), 200);
  assertEquals(asked, ["chosen"]);
});

Deno.test("MAX_SESSIONS: a full node is 503 with Retry-After until one ends", async () => {
  const { send } = await harness({ maxSessions: 2 });
  await send(post(INITIALIZE, { session: "a" }));
  await send(post(INITIALIZE, { session: "b" }));
  const full = await send(post(INITIALIZE, { session: "c" }));
  assert(Number(full.headers.get("retry-after")) >= 1);
  assertStringIncludes((await json(full, 503)).error.message, "MAX_SESSIONS");
  assertEquals((await send(post(rpc("ping"), { session: "a" }))).status, 200);
  await send(remove("a"));
  assertEquals((await send(post(INITIALIZE, { session: "c" }))).status, 200);
});

Deno.test("SESSIONS_PER_CLIENT: 429 with Retry-After for that client alone", async () => {
  const { send } = await harness({ sessionsPerClient: 1 });
  await send(post(INITIALIZE, { session: "a" }));
  const over = await send(post(INITIALIZE, { session: "b" }));
  assert(Number(over.headers.get("retry-after")) >= 1);
  assertStringIncludes((await json(over, 429)).error.message, "SESSIONS_PER_CLIENT");
  assertEquals((await send(post(INITIALIZE, { session: "c", token: "ann" }))).status, 200);
  assertEquals((await send(post(INITIALIZE, { session: "d" }), "192.0.2.9")).status, 200);
});

Deno.test("requests for unknown servers take no session's place", async () => {
  const { send } = await harness({ maxSessions: 1 });
  const ids = Array.from({ length: 20 }, (_, i) => `x${i}`);
  const all = await Promise.all([
    ...ids.map((session) => send(post(INITIALIZE, { session, name: "nobody" }))),
    send(post(INITIALIZE)),
  ]);
  assertEquals(all.at(-1)!.status, 200);
  assert(all.slice(0, -1).every(({ status }) => status === 404));
});

Deno.test("a construct the profile refuses is reported with 200, first and every time", async () => {
  const problem = { construct: "class", file: "server.py", line: 7, hint: "use functions" };
  const { send, hosts, sessions, clock } = await harness({
    server: { load: { kind: "refused", problems: [problem] } },
  });
  for (const request of [rpc("tools/list"), INITIALIZE, rpc("ping"), rpc("nope")]) {
    const body = await json(await send(post(request)), 200);
    assertEquals(body.error.code, -32000);
    assertStringIncludes(body.error.message, "server.py:7: class: use functions");
    assertEquals(body.error.data.problems, [problem]);
  }
  assertEquals(hosts.sessions.length, 1);
  assert(hosts.sessions[0]!.closed);
  assertEquals((await send(post({ jsonrpc: "2.0", method: "notifications/x" }))).status, 202);
  const [listed] = sessions.list();
  assertEquals([listed?.state, listed?.pid], ["failed", null]);
  assertEquals(listed?.lastActive, clock.date());
  assertEquals((await send(remove("s1"))).status, 204);
  assertEquals(sessions.list(), []);
});

Deno.test("list() tells when sessions were used by the time of day, however long ago", async () => {
  const { send, sessions, clock } = await harness();
  await json(await send(post(INITIALIZE)), 200);
  const used = clock.date();
  await clock.advance(90_000);
  const [listed] = sessions.list();
  assertEquals([listed?.state, listed?.lastActive], ["idle", used]);
});

Deno.test("a thousand refused constructs are cut to what a message can hold", async () => {
  const problems = Array.from({ length: 1000 }, (_, line) => ({
    construct: "class",
    file: "server.py",
    line,
    hint: "use functions",
  }));
  const { send } = await harness({ server: { load: { kind: "refused", problems } } });
  const { error } = await json(await send(post(INITIALIZE)), 200);
  assertStringIncludes(error.message, "and 980 more");
  assertEquals([error.data.problems.length, error.data.total], [20, 1000]);
});

Deno.test("an entrypoint that raises is reported at once, and tried again next time", async () => {
  let raises = true;
  const { send, hosts, store } = await harness({
    server: {
      load: () =>
        raises
          ? { kind: "raised", message: "KeyError: 'KEY'", traceback: "x".repeat(9000) }
          : LOADED,
    },
  });
  const response = await send(post(INITIALIZE));
  assertEquals(response.headers.get("mcp-session-id"), null);
  const body = await json(response, 200);
  assertStringIncludes(body.error.message, "KeyError: 'KEY'");
  assertEquals(body.error.data.traceback.length, 4000);
  assertEquals([store.rows.size, hosts.sessions[0]!.closed], [0, true]);
  raises = false;
  assertEquals((await json(await send(post(rpc("tools/list"))), 200)).result, { tools: [] });
});

Deno.test("hosts that cannot start a session are passed on", async () => {
  const { send, store } = await harness({
    server: {
      load: () => {
        throw new AppError("unavailable", "No interpreter", { headers: { "Retry-After": "5" } });
      },
    },
  });
  const response = await send(post(INITIALIZE));
  assertEquals(response.headers.get("retry-after"), "5");
  await json(response, 503);
  assertEquals(store.rows.size, 0);
});

const REASONS: EndReason[] = ["timeout", "memory", "crashed", "protocol", "shutdown", "closed"];

for (const reason of REASONS) {
  Deno.test(`a session lost to "${reason}" answers the call with an error and 404 next`, async () => {
    const { send, store } = await harness({
      server: {
        answer(_method, _params, _options, session) {
          session.lose(reason);
          return { kind: "ended", reason, message: "" };
        },
      },
    });
    await send(post(INITIALIZE));
    const body = await json(await send(post(rpc("tools/call", { name: "x" }))), 200);
    assertEquals(body.error.data.ended, reason);
    assert(body.error.message.length > 20);
    await settle();
    assertEquals(store.rows.get("s1")?.reason, reason);
    assertEquals((await json(await send(post(rpc("ping"))), 404)).error.code, -32001);
    assertEquals((await send(post(INITIALIZE))).status, 200);
  });
}

Deno.test("a session lost while it starts is 503, and nothing is left", async () => {
  const { send, hosts, store } = await harness({
    server: {
      load() {
        hosts.sessions.at(-1)!.lose("memory");
        return LOADED;
      },
    },
  });
  assertEquals((await send(post(INITIALIZE))).status, 503);
  assertEquals(store.rows.size, 0);
});

Deno.test("notifications/cancelled interrupts the call with that id in that session only", async () => {
  const started: AbortSignal[] = [];
  const { send } = await harness({
    server: {
      answer(_method, _params, { signal }) {
        started.push(signal!);
        return new Promise((resolve) => {
          signal!.addEventListener(
            "abort",
            () => resolve({ kind: "error", code: -32603, message: "The call was interrupted" }),
          );
        });
      },
    },
  });
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
  await send(post(INITIALIZE));
  await send(post(INITIALIZE, { session: "s2" }));
  const call = send(post(rpc("tools/call", {}, 5)));
  await settle();
  await settle();
  await send(post(cancel, { session: "s2" }));
  await send(post({ ...cancel, params: { requestId: "5" } }));
  assert(!started[0]!.aborted);
  assertEquals((await send(post(cancel))).status, 202);
  assertStringIncludes((await json(await call, 200)).error.message, "interrupted");
  assertEquals((await send(post(cancel))).status, 202);
});

Deno.test("requests pass method, params, id and deadline on, and errors come back", async () => {
  const { send, hosts } = await harness({
    server: {
      answer: (method) =>
        method === "prompts/get"
          ? { kind: "error", code: -32602, message: "Unknown prompt", data: { name: "x" } }
          : { kind: "result", result: method === "resources/read" ? [1] : { ok: true } },
    },
  });
  const call = await send(post(rpc("tools/call", { name: "t", arguments: { a: 1 } }, "x")));
  assertEquals(await json(call, 200), { jsonrpc: "2.0", id: "x", result: { ok: true } });
  const { method, params, options } = hosts.sessions[0]!.requests[0]!;
  assertEquals([method, params], ["tools/call", { name: "t", arguments: { a: 1 } }]);
  assertEquals([options.deadlineMs, options.requestId], [60_000, "x"]);
  assertEquals((await json(await send(post(rpc("prompts/get"))), 200)).error, {
    code: -32602,
    message: "Unknown prompt",
    data: { name: "x" },
  });
  assertEquals((await json(await send(post(rpc("resources/read"))), 200)).error.code, -32603);
  const unknown = await json(await send(post(rpc("tasks/list"))), 200);
  assertEquals(unknown.error.code, -32601);
  assertEquals(hosts.sessions[0]!.requests.length, 3);
});

Deno.test("ping, logging/setLevel and bad parameters are answered without the sandbox", async () => {
  const { send, hosts } = await harness();
  const cases: [Body, Body][] = [
    [rpc("ping"), {}],
    [rpc("logging/setLevel", { level: "debug" }), {}],
    [rpc("logging/setLevel", { level: "loud" }), -32602],
    [rpc("logging/setLevel"), -32602],
    [rpc("initialize", { protocolVersion: 5 }), -32602],
    [rpc("initialize", { capabilities: [] }), -32602],
  ];
  for (const [request, expected] of cases) {
    const body = await json(await send(post(request)), 200);
    assertEquals(body.error?.code ?? body.result, expected);
  }
  assertEquals(hosts.sessions[0]!.requests, []);
});

Deno.test("endServer() ends the sessions of that server, starting ones too", async () => {
  const gate = Promise.withResolvers<LoadOutcome>();
  const { send, hosts, sessions, store } = await harness({
    servers: { weather: {}, maps: {} },
    server: { load: () => hosts.sessions.length === 3 ? gate.promise : LOADED },
  });
  await send(post(INITIALIZE));
  await send(post(INITIALIZE, { session: "s2", name: "maps" }));
  const starting = send(post(INITIALIZE, { session: "s3" }));
  await settle();
  await sessions.endAll(({ server }) => server === "weather", "server_removed");
  gate.resolve(LOADED);
  assertEquals((await starting).status, 404);
  assertEquals(hosts.sessions.map(({ closed }) => closed), [true, false, true]);
  assertEquals(store.rows.get("s1")?.reason, "server_removed");
  assertEquals((await send(post(rpc("ping"), { session: "s2", name: "maps" }))).status, 200);
});

Deno.test("close() ends every session and leaves no timer", async () => {
  const { send, hosts, sessions, store, clock, metrics } = await harness();
  await send(post(INITIALIZE));
  await send(post(INITIALIZE, { session: "s2" }));
  await sessions.close();
  assert(hosts.sessions.every(({ closed }) => closed));
  assertEquals([...store.rows.values()].map(({ reason }) => reason), ["shutdown", "shutdown"]);
  assertEquals([clock.pending(), metrics.sessionsActive], [0, 0]);
});

Deno.test("the host never learns the client's session id", async () => {
  const { send, hosts, lines } = await harness();
  await send(post(INITIALIZE, { session: "my-secret-session" }));
  const { files: _, ...given } = hosts.sessions[0]!.input;
  assert(!JSON.stringify(given).includes("my-secret-session"));
  assert(!JSON.stringify(lines).includes("my-secret-session"));
});

Deno.test("output of a server goes to the operator's log, bounded a call", async () => {
  const { send, hosts, lines } = await harness();
  await send(post(INITIALIZE));
  const { input } = hosts.sessions[0]!;
  for (let i = 0; i < 1000; i++) {
    input.onLog({ level: "info", logger: "stdout", text: "x".repeat(1024), requestId: null });
  }
  const count = (event: string) => lines.filter((line) => line.event === event).length;
  assertEquals([count("server.output"), count("server.output_cut")], [255, 1]);
  await send(post(rpc("tools/list")));
  input.onLog({ level: "error", logger: "stderr", text: "again", requestId: null });
  assertEquals(count("server.output"), 256);
});

Deno.test("calls of tools are told by their server, other requests and refused calls are not", async () => {
  const { send, toolCalls } = await harness({ servers: { weather: {}, maps: {} } });
  await send(post(INITIALIZE));
  await send(post(rpc("tools/list")));
  await send(post(rpc("tools/call", { name: "get" })));
  await send(post(rpc("tools/call", { name: "get" }), { session: "s2", name: "maps" }));
  assertEquals(toolCalls.map(({ server }) => server), ["weather", "maps"]);
});

Deno.test("a node that drains begins no session, and those that there are go on", async () => {
  const { send, sessions, hosts } = await harness();
  assertEquals((await send(post(INITIALIZE))).status, 200);
  sessions.isDraining = true;
  const refused = await send(post(INITIALIZE, { session: "s2" }));
  assertEquals(refused.headers.get("retry-after"), "1");
  assertStringIncludes((await json(refused, 503)).error.message, "about to restart");
  assertEquals((await send(post(rpc("tools/list")))).status, 200);
  assertEquals(hosts.sessions.length, 1);
});
