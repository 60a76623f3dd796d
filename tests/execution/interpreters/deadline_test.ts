import { assert, assertEquals, assertMatch } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const SPINNERS = server(`
import time
@tool
def quick() -> str:
    return "quick"
@tool
def loop() -> str:
    while True: pass
@tool
def regex() -> str:
    import re
    return str(re.match(r"(a+)+$", "a" * 40 + "b"))
`);

Deno.test("a Python loop is interrupted at the deadline and the session lives", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SPINNERS));
  for (const name of ["loop", "regex"]) {
    assertMatch(await callTool(session, name, {}, { deadlineMs: 500 }), /limit of 0.5 s/);
  }
  assertEquals(await callTool(session, "quick"), "quick");
});

Deno.test("calls of a session run in order; one that is cancelled while it waits never runs", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
seen = []
@tool
def note(name: str) -> str:
    seen.append(name)
    return ",".join(seen)
@tool
def loop() -> str:
    while True: pass
`)));
  const running = new AbortController();
  const waiting = new AbortController();
  const loop = callTool(session, "loop", {}, { signal: running.signal });
  const skipped = callTool(session, "note", { name: "skipped" }, { signal: waiting.signal });
  const last = callTool(session, "note", { name: "last" });
  waiting.abort();
  assertMatch(await skipped, /cancelled/);
  running.abort();
  assertMatch(await loop, /^\[error/);
  assertEquals(await last, "last");
});

Deno.test("a call that waits for an HTTP answer is given up at its deadline", async () => {
  let aborted = false;
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(
    server(`
import requests
@tool
def fetch() -> str:
    return str(requests.get("https://example.com/").status_code)
@tool
def quick() -> str:
    return "quick"
`),
    {
      http: (_request, signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted = true;
            resolve({ kind: "error", error: "read_timeout", message: "Given up" });
          })
        ),
    },
  ));
  let text = "";
  // On a busy machine the first deadlines may come before the request does.
  for (let deadlineMs = 500; deadlineMs < 60_000 && !aborted; deadlineMs *= 2) {
    text = await callTool(session, "fetch", {}, { deadlineMs });
  }
  assert(aborted);
  assertMatch(text, /limit of|Given up|Read timed out|interrupt/i);
  assertEquals(await callTool(session, "quick"), "quick");
});

Deno.test("what a call asks for after its interrupt is given up at once", async () => {
  function given(signal: AbortSignal) {
    return new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
    });
  }
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(
    server(`
import json, requests
from berth_runtime import state
from pyodide.ffi import run_sync
after = []
def spin():
    try:
        while True: pass
    except KeyboardInterrupt:
        pass
@tool
def fetch() -> str:
    spin()
    try: requests.get("https://example.com/")
    except requests.RequestException: after.append("fetch")
    return "over"
@tool
def ask() -> str:
    spin()
    request = state.current.get()
    question = {"method": "ping", "params": {}, "request_id": request.id}
    after.append(json.loads(run_sync(state.session.ask(json.dumps(question))))["kind"])
    return "over"
@tool
def seen() -> str:
    return ",".join(after)
`),
    {
      async http(_request, signal) {
        await given(signal);
        return { kind: "error", error: "read_timeout", message: "Given up" };
      },
      async ask(_question, signal) {
        await given(signal);
        return { kind: "error", code: -1, message: "Given up" };
      },
    },
  ));
  for (const [name, wanted] of [["fetch", "fetch"], ["ask", "error"]] as const) {
    let seen = "";
    // On a busy machine the first deadlines may come before the loop does.
    for (let deadlineMs = 300; deadlineMs < 60_000 && !seen.endsWith(wanted); deadlineMs *= 2) {
      assertMatch(await callTool(session, name, {}, { deadlineMs }), /limit of|^over$/, name);
      seen = await callTool(session, "seen");
    }
    assertMatch(seen, new RegExp(`${wanted}$`));
  }
});

Deno.test("code that waits is interrupted like code that computes", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
import asyncio, time
cleaned = []
@tool
def sleep() -> str:
    try:
        time.sleep(600)
    finally:
        cleaned.append("sleep")
    return ""
@tool
async def wait() -> str:
    try:
        await asyncio.Event().wait()
    finally:
        cleaned.append("wait")
    return ""
@tool
async def tasks() -> str:
    async def spin():
        await asyncio.sleep(0)
        while True: pass
    await asyncio.gather(spin(), asyncio.sleep(600))
    return ""
@tool
def cleanups() -> str:
    return ",".join(cleaned)
`)));
  for (const name of ["sleep", "wait"]) {
    // On a busy machine the first deadlines may come before the code does.
    let cleaned = "";
    for (let deadlineMs = 300; deadlineMs < 60_000 && !cleaned.endsWith(name); deadlineMs *= 2) {
      assertMatch(await callTool(session, name, {}, { deadlineMs }), /limit of/, name);
      cleaned = await callTool(session, "cleanups");
    }
    assertMatch(cleaned, new RegExp(`${name}$`));
  }
  assertMatch(await callTool(session, "tasks", {}, { deadlineMs: 300 }), /limit of 0.3 s/);
  assertEquals(await callTool(session, "cleanups"), "sleep,wait");
});

Deno.test("interrupts at any moment leave the session whole", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(
    server(`
import requests, time
@tool
def quick() -> str:
    return "quick"
@tool
def loop() -> str:
    while True: pass
@tool
def fetch() -> str:
    return str(requests.get("https://example.com/").status_code)
@tool
def sleep() -> str:
    time.sleep(0.01)
    return "slept"
`),
    {
      http: () =>
        new Promise((resolve) =>
          setTimeout(() =>
            resolve({
              kind: "response",
              status: 200,
              reason: "OK",
              headers: [],
              body: new Uint8Array(3),
            }), 3)
        ),
    },
  ));
  for (let round = 0; round < 120; round++) {
    const controller = new AbortController();
    const name = ["quick", "loop", "fetch", "sleep"][round % 4]!;
    const timer = setTimeout(() => controller.abort(), round % 12);
    await callTool(session, name, {}, { signal: controller.signal });
    clearTimeout(timer);
    assertEquals(await callTool(session, "quick"), "quick", `after ${name}`);
  }
});
