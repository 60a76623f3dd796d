import { assertEquals, assertMatch } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const SOURCE = server(`
import asyncio, json
from berth_runtime import state
from mcp.server.fastmcp import Context
gate = asyncio.Event()
@tool
async def hold(word: str, ctx: Context) -> str:
    print(f"{word} begins", end=", ")
    await gate.wait()
    print(f"{word} ends")
    return f"{word} {ctx.request_id}"
@tool
async def release() -> str:
    print("released", end="")
    gate.set()
    return "released"
@tool
async def fetch() -> str:
    meta = {"method": "GET", "url": "https://example.com/", "headers": [],
            "connect_timeout_ms": None, "read_timeout_ms": None, "verify": True}
    outcome, _ = await state.session.http(json.dumps(meta), None)
    return json.loads(outcome)["kind"]
@tool
def spin() -> str:
    while True: pass
`);

Deno.test("calls that await overlap, each with its own context, output and deadline", async () => {
  const logs: [string | number | bigint | null, string][] = [];
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    onLog: ({ requestId, text }) => void logs.push([requestId, text]),
  }));
  const hold = (requestId: string, deadlineMs = 600_000) =>
    callTool(session, "hold", { word: requestId }, { requestId, deadlineMs });
  const [first, second] = [hold("a"), hold("b")];
  assertMatch(await hold("late", 300), /limit of 0.3 s/);
  assertMatch(await callTool(session, "spin", {}, { deadlineMs: 300 }), /limit of 0.3 s/);
  assertEquals(await callTool(session, "release", {}, { requestId: "c" }), "released");
  assertEquals(await Promise.all([first, second]), ["a a", "b b"]);
  assertEquals(logs.filter(([requestId]) => requestId !== "late"), [
    ["c", "released"],
    ["a", "a begins, a ends"],
    ["b", "b begins, b ends"],
  ]);
});

Deno.test("a call that is cancelled while others await ends with its HTTP request, and alone", async () => {
  const requested: { signal: AbortSignal; answer: () => void }[] = [];
  const both = Promise.withResolvers<void>();
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SOURCE, {
    http: (_request, signal) =>
      new Promise((resolve) => {
        const answer = () => resolve({ kind: "error", error: "dns", message: "Over" });
        signal.addEventListener("abort", answer);
        requested.push({ signal, answer });
        if (requested.length === 2) both.resolve();
      }),
  }));
  const controller = new AbortController();
  const cancelled = callTool(session, "fetch", {}, { requestId: 1, signal: controller.signal });
  const other = callTool(session, "fetch", {}, { requestId: 2 });
  await both.promise;
  controller.abort();
  assertMatch(await cancelled, /interrupted|error/);
  assertEquals(requested.map(({ signal }) => signal.aborted), [true, false]);
  requested[1]!.answer();
  assertEquals(await other, "error");
});
