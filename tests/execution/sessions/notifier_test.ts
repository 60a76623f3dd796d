import { assertEquals } from "@std/assert";
import type { PlainOutcome } from "../../helpers/plain_json.ts";
import { type Body, eventsOf, get, harness, json, post, rpc } from "../harness.ts";

const STREAM = { headers: { accept: "application/json, text/event-stream" } };

type Notification = [method: string, params: unknown, requestId?: string | number | null];

/** What a client hears of `said` while its call runs. */
async function heard(said: Notification[], params: Body = {}, before: Body[] = []) {
  const all = await harness({
    server: {
      answer(method, _params, { requestId }, session): PlainOutcome {
        if (method !== "tools/call") return { kind: "result", result: {} };
        for (const [name, given, id = requestId] of said) {
          session.input.onNotification({ method: name, params: given, requestId: id });
        }
        return { kind: "result", result: {} };
      },
    },
  });
  const capabilities = { elicitation: { url: {} } };
  await json(await all.send(post(rpc("initialize", { capabilities }))), 200);
  for (const message of before) await json(await all.send(post(message)), 200);
  const response = await all.send(post(rpc("tools/call", params, 7), STREAM));
  if (response.headers.get("content-type") === "application/json") {
    await response.body?.cancel();
    return { ...all, heard: [] };
  }
  const events = await eventsOf(response).rest();
  const messages = events.flatMap(({ message }) => message?.method ? [message] : []);
  return { ...all, heard: messages.map(({ method, params }) => [method, params]) };
}

const PROGRESS = "notifications/progress";
const MESSAGE = "notifications/message";

Deno.test("progress goes to the request of its token, forward only", async () => {
  const steps = [0, 0.5, 0.5, 0.2, 1].map((progress): Notification => [
    PROGRESS,
    { progressToken: "p", progress, total: 1 },
  ]);
  const other: Notification = [PROGRESS, { progressToken: "other", progress: 3 }];
  const { heard: got } = await heard([...steps, other], { _meta: { progressToken: "p" } });
  assertEquals(got.map(([, params]) => params.progress), [0, 0.5, 1]);
});

Deno.test("progress of a request that is over, or wants none, is dropped", async () => {
  const { heard: got, send, hosts } = await heard([[PROGRESS, { progressToken: 7, progress: 1 }]]);
  assertEquals(got, []);
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const { input } = hosts.sessions[0]!;
  const params = { progressToken: "p", progress: 2 };
  input.onNotification({ method: PROGRESS, params, requestId: null });
  input.onNotification({ method: MESSAGE, params: { level: "info", data: 1 }, requestId: null });
  assertEquals((await events.next())?.message.method, MESSAGE);
  await events.leave();
});

Deno.test("messages come from the level on that the client set", async () => {
  const said = ["debug", "info", "warning", "emergency"].map((level): Notification => [
    MESSAGE,
    { level, logger: "x", data: { level } },
  ]);
  const all = await heard(said);
  assertEquals(all.heard.length, 4);
  const some = await heard(said, {}, [rpc("logging/setLevel", { level: "warning" })]);
  assertEquals(some.heard.map(([, params]) => params.level), ["warning", "emergency"]);
  assertEquals(some.hosts.sessions[0]?.notes.map(({ method }) => method), ["berth/client"]);
});

Deno.test("resources are told of to who subscribed, and parts of them too", async () => {
  const said = ["a://x", "a://x/part", "b://y"].map((uri): Notification => [
    "notifications/resources/updated",
    { uri },
  ]);
  const { send, hosts, heard: got } = await heard(said, {}, [
    rpc("resources/subscribe", { uri: "a://x" }),
    rpc("resources/subscribe", { uri: "b://y" }),
    rpc("resources/unsubscribe", { uri: "b://y" }),
  ]);
  // They belong to no request.
  assertEquals(got, []);
  const events = eventsOf(await send(get("s1")));
  await events.next();
  assertEquals((await events.next())?.message.params, { uri: "a://x" });
  assertEquals((await events.next())?.message.params, { uri: "a://x/part" });
  await events.leave();
  assertEquals(hosts.sessions[0]?.requests.map(({ method }) => method), [
    "resources/subscribe",
    "resources/subscribe",
    "resources/unsubscribe",
    "tools/call",
  ]);
});

Deno.test("a subscription that the server refuses, or that is malformed, does not exist", async () => {
  const { send, hosts } = await harness({
    server: { answer: () => ({ kind: "error", code: -32002, message: "No such resource" }) },
  });
  await json(await send(post(rpc("initialize", {}))), 200);
  const refused = await json(await send(post(rpc("resources/subscribe", { uri: "a://x" }))), 200);
  assertEquals(refused.error.code, -32002);
  for (const uri of [5, undefined, "x".repeat(10_000)]) {
    const bad = await json(await send(post(rpc("resources/subscribe", { uri }))), 200);
    assertEquals(bad.error.code, -32602);
  }
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const { input } = hosts.sessions[0]!;
  const method = "notifications/resources/updated";
  input.onNotification({ method, params: { uri: "a://x" }, requestId: null });
  input.onNotification({ method: MESSAGE, params: { level: "info", data: 1 }, requestId: null });
  assertEquals((await events.next())?.message.method, MESSAGE);
  await events.leave();
});

Deno.test("list changes and completed elicitations arrive; what no server may send does not", async () => {
  const { heard: got } = await heard([
    ["notifications/tools/list_changed", {}],
    ["notifications/elicitation/complete", { elicitationId: "e" }],
    ["notifications/cancelled", { requestId: 7 }],
    ["notifications/initialized", {}],
    ["tools/list", {}],
    ["notifications/message", { level: "info" }],
    ["notifications/message", "text"],
  ]);
  assertEquals(got.map(([method]) => method), [
    "notifications/tools/list_changed",
    "notifications/elicitation/complete",
  ]);
});

Deno.test("roots that changed are told to the server's code when the client has roots", async () => {
  const { send, hosts } = await harness();
  const changed = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };
  await json(await send(post(rpc("initialize", {}))), 200);
  assertEquals((await send(post(changed))).status, 202);
  await json(await send(post(rpc("initialize", { capabilities: { roots: {} } }))), 200);
  assertEquals((await send(post(changed))).status, 202);
  assertEquals(hosts.sessions[0]?.notes.map(({ method }) => method), [
    "berth/client",
    "berth/client",
    "notifications/roots/list_changed",
  ]);
});

Deno.test("the server's code learns who the client is", async () => {
  const { send, hosts } = await harness();
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: { sampling: {} },
    clientInfo: { name: "c", version: "1", title: "C" },
  };
  await json(await send(post(rpc("initialize", params))), 200);
  assertEquals(hosts.sessions[0]?.notes, [{
    method: "berth/client",
    params: {
      protocol_version: "2025-06-18",
      capabilities: { sampling: {} },
      client_info: { name: "c", version: "1", title: "C" },
    },
  }]);
});

Deno.test("long lists come in pages; servers with cursors of their own keep them", async () => {
  const tools = ["a", "b", "c"].map((name) => ({ name }));
  const own: Body = { resources: [{ uri: "x://1" }], nextCursor: "page-2" };
  const { send, hosts } = await harness({
    pageSize: 2,
    servers: { weather: { scannedTools: { names: ["a", "b", "c"], atRunTime: false } } },
    server: {
      answer(method, params) {
        if (method === "tools/list") return { kind: "result", result: { tools } };
        const { cursor } = params as { cursor?: string };
        return { kind: "result", result: cursor === undefined ? own : { resources: [] } };
      },
    },
  });
  await json(await send(post(rpc("initialize", {}))), 200);
  const list = async (method: string, params: Body) =>
    await json(await send(post(rpc(method, params))), 200);
  const first = (await list("tools/list", {})).result;
  assertEquals(first.tools, tools.slice(0, 2));
  const second = (await list("tools/list", { cursor: first.nextCursor })).result;
  assertEquals(second, { tools: tools.slice(2) });
  for (const cursor of ["page-2", "berth.nonsense", 5, "x".repeat(100_000)]) {
    assertEquals((await list("tools/list", { cursor })).error.code, -32602);
  }
  assertEquals((await list("resources/list", { cursor: "page-2" })).error.code, -32602);
  assertEquals((await list("resources/list", {})).result, own);
  assertEquals((await list("resources/list", { cursor: "page-2" })).result, { resources: [] });
  const asked = hosts.sessions[0]!.requests.map(({ params }) => params);
  assertEquals(asked, [{}, {}, {}, { cursor: "page-2" }]);
});

Deno.test("a completion has a hundred values at most", async () => {
  const values = Array.from({ length: 150 }, (_, i) => String(i));
  const { send } = await harness({
    server: { answer: () => ({ kind: "result", result: { completion: { values, total: 150 } } }) },
  });
  const { result } = await json(await send(post(rpc("completion/complete", {}))), 200);
  assertEquals([result.completion.values.length, result.completion.hasMore], [100, true]);
  assertEquals(result.completion.total, 150);
});
