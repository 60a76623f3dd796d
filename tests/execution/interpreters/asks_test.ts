import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { PlainNotification, PlainQuestion } from "../../helpers/plain_json.ts";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const SOURCE = server(`
import json, asyncio
from berth_runtime import state
async def ask(**question):
    return json.loads(await state.session.ask(json.dumps(question)))
def request_id():
    request = state.current.get()
    return request and request.id
@tool
async def question(method: str = "ping", params: dict = {}) -> str:
    answer = await ask(method=method, params=params, request_id=request_id())
    return json.dumps([answer, request_id()])
@tool
async def stranger() -> str:
    return json.dumps(await ask(method="ping", params={}, request_id="of nobody"))
@tool
async def many(count: int) -> str:
    question = json.dumps({"method": "ping", "params": {}})
    # All before the first answer.
    asked = [state.session.ask(question) for _ in range(count)]
    async def kind(answer): return json.loads(await answer)["kind"]
    return json.dumps(await asyncio.gather(*[kind(answer) for answer in asked]))
@tool
def number() -> str:
    return str(request_id())
@tool
def spin() -> str:
    while True: pass
@tool
async def tell() -> str:
    state.session.notify("notifications/tools/list_changed", {})
    state.session.emit(json.dumps({"type": "close_stream", "request_id": request_id(), "retry_ms": 5}))
    state.session.emit(json.dumps({"type": "close_stream", "request_id": "of nobody"}))
    print("said")
    return "told"
`);

Deno.test("a question goes to the client and its answer comes back", async () => {
  const questions: PlainQuestion[] = [];
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    ask(question) {
      questions.push(question);
      return Promise.resolve({ kind: "result", result: { text: "\ud83d\ude00" } });
    },
  }));
  const params = { messages: [] };
  const text = await callTool(session, "question", { method: "sampling/createMessage", params }, {
    requestId: "r-1",
  });
  assertEquals(JSON.parse(text), [
    { kind: "result", result: { text: "\ud83d\ude00" } },
    "r-1",
  ]);
  assertEquals(questions, [
    { method: "sampling/createMessage", params, requestId: "r-1", timeoutMs: null },
  ]);
  // An id that is not of a running request counts for nothing.
  await callTool(session, "stranger");
  assertEquals(questions[1]?.requestId, null);
  assertStringIncludes(await callTool(session, "question", { method: "tools/call" }), "-32602");
  assertEquals(questions.length, 2);
});

Deno.test("a session has eight questions open at most", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    ask: () => Promise.resolve({ kind: "result", result: {} }),
  }));
  const kinds = JSON.parse(await callTool(session, "many", { count: 10 })) as string[];
  assertEquals(kinds.filter((kind) => kind === "error").length, 2);
});

Deno.test("while a call waits for the client the next one is answered, under its own id", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    async ask() {
      asked.resolve();
      await answer.promise;
      return { kind: "result", result: {} };
    },
  }));
  const waiting = callTool(session, "question", {}, { requestId: "first" });
  await asked.promise;
  assertEquals(await callTool(session, "number", {}, { requestId: "second" }), "second");
  // Its own deadline ends what runs beside it, and nothing else.
  assertMatch(
    await callTool(session, "spin", {}, { requestId: "third", deadlineMs: 300 }),
    /longer than the limit/,
  );
  answer.resolve();
  assertEquals(JSON.parse(await waiting), [{ kind: "result", result: {} }, "first"]);
});

Deno.test("a call that is cancelled while it waits for the client ends, and its question with it", async () => {
  const asked = Promise.withResolvers<void>();
  const dropped = Promise.withResolvers<void>();
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    ask(_question, signal) {
      asked.resolve();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          dropped.resolve();
          resolve({ kind: "error", code: -1, message: "Nobody waits" });
        });
      });
    },
  }));
  const controller = new AbortController();
  const call = callTool(session, "question", {}, { signal: controller.signal });
  await asked.promise;
  controller.abort();
  assertMatch(await call, /error -32603/);
  await dropped.promise;
  assertEquals(await callTool(session, "number", {}, { requestId: 7 }), "7");
});

Deno.test("events name the request in flight that they belong to", async () => {
  const notifications: PlainNotification[] = [];
  const closed: unknown[] = [];
  const logs: unknown[] = [];
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    onNotification: (notification) => notifications.push(notification),
    onCloseStream: (...given) => closed.push(given),
    onLog: ({ text, requestId }) => logs.push([text, requestId]),
  }));
  assertEquals(await callTool(session, "tell", {}, { requestId: 5 }), "told");
  assertEquals(notifications, [
    { method: "notifications/tools/list_changed", params: {}, requestId: 5 },
  ]);
  assertEquals(closed, [[5, 5]]);
  assertEquals(logs, [["said", 5]]);
});
