import { assertEquals, assertMatch } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const SERVER = server(`
import asyncio, threading, time
from concurrent.futures import ThreadPoolExecutor
ticks, gate = [], threading.Event()
def tick():
    while True:
        ticks.append(1)
        time.sleep(0.001)
@tool
def wait() -> str:
    threading.Thread(target=tick, daemon=True).start()
    threading.Event().wait()
    return "never"
@tool
def compute() -> str:
    def work():
        while True: pass
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return "ended"
@tool
def goes_on() -> str:
    before = len(ticks)
    while len(ticks) < before + 3: time.sleep(0.001)
    return "goes on"
@tool
async def gated() -> str:
    await asyncio.to_thread(gate.wait)
    return "gated"
@tool
def open_gate() -> str:
    gate.set()
    return "open"
@tool
def pooled() -> str:
    with ThreadPoolExecutor() as pool: return str(list(pool.map(abs, [-1, 2])))
`);

Deno.test("a call that waits for ever ends at its deadline, and its threads go on", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER));
  assertMatch(await callTool(session, "wait", {}, { deadlineMs: 500 }), /limit of 0.5 s/);
  assertEquals(await callTool(session, "goes_on"), "goes on");
});

Deno.test("a thread that computes without end is ended with its call", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER));
  assertEquals(await callTool(session, "compute", {}, { deadlineMs: 500 }), "ended");
  assertEquals(await callTool(session, "pooled"), "[1, 2]");
});

Deno.test("a call that awaits a thread lets others be answered", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER));
  const gated = callTool(session, "gated");
  assertEquals(await callTool(session, "open_gate"), "open");
  assertEquals(await gated, "gated");
});

Deno.test("a session is parked when its executors rest, and not while a thread waits", async () => {
  await using hosts = await openTestHosts({ warmSessions: 1 });
  const input = sessionInput(SERVER);
  const session = await hosts.open(input);
  const room = { soonMs: 1000, maxBytes: 64 * 1024 * 1024 };
  assertEquals(await callTool(session, "pooled"), "[1, 2]");
  const parked = await session.park(room);
  if (parked.kind !== "parked") throw new Error(JSON.stringify(parked));
  const woken = await hosts.open({ ...input, parked: parked.state });
  assertEquals(await callTool(woken, "pooled"), "[1, 2]");
  const gated = callTool(woken, "gated", {}, { deadlineMs: 200 });
  assertMatch(await gated, /limit of 0.2 s/);
  const stays = await woken.park(room);
  assertEquals(stays.kind === "stays" && stays.reason, "suspended");
});
