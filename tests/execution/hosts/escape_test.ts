import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  callTool,
  openTestHosts,
  processorSeconds,
  server,
  sessionInput,
  watchEnd,
} from "../../helpers/interpreter.ts";

const SERVER = server(`
import os, sys, json
@tool
def quick() -> str:
    return "quick"
@tool
def run(code: str) -> str:
    from pyodide.code import run_js
    try:
        return str(run_js(code))
    except Exception as error:
        return "raised " + str(error)
@tool
async def run_async(code: str) -> str:
    from pyodide.code import run_js
    try:
        return str(await run_js(code))
    except Exception as error:
        return "raised " + str(error)
@tool
def leave(how: str) -> str:
    if how == "sys.exit": sys.exit(3)
    if how == "os._exit": os._exit(3)
    if how == "os.abort": os.abort()
    if how == "os.system": return str(os.system("true"))
    if how == "subprocess":
        import subprocess
        return str(subprocess.run(["true"]).returncode)
    if how == "fork": return str(os.fork())
    if how == "thread":
        import threading
        threading.Thread(target=print).start()
        return "started"
    if how == "interrupt": raise KeyboardInterrupt
    if how == "recursion":
        def f(n): return f(n + 1) + 1
        return str(f(0))
    if how == "segfault":
        import ctypes
        return ctypes.string_at(0xFFFFFFF0).decode()
    return "?"
`);

Deno.test("no capability is in reach of the code's JavaScript", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER));
  const names = [
    "Deno",
    "process",
    "Buffer",
    "global",
    "require",
    "fetch",
    "Worker",
    "WebSocket",
    "EventSource",
    "importScripts",
    "postMessage",
    "close",
    "caches",
    "BroadcastChannel",
    "navigator",
    "localStorage",
    "onmessage",
  ];
  const code = `[${names.map((name) => `typeof ${name}`).join(",")}].join()`;
  assertEquals(await callTool(session, "run", { code }), names.map(() => "undefined").join());
  const constructed = "pyodide_js".replace(
    "pyodide_js",
    "(() => {}).constructor('return typeof Deno')()",
  );
  assertEquals(await callTool(session, "run", { code: constructed }), "undefined");
});

Deno.test("no module can be imported by the code's JavaScript", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER));
  const root = new URL("../../../", import.meta.url).href;
  const refused = [
    "node:net",
    "net",
    "node:fs",
    "node:module",
    "node:child_process",
    "node:worker_threads",
    "npm:zod",
    "jsr:@std/assert",
    "data:text/javascript,import 'node:net'",
    "data:text/javascript,import 'node:fs/promises'",
    "file:///etc/passwd",
    `${root}main.ts`,
    `${root}workers/session_host.ts`,
    "http://127.0.0.1:1/x.js",
    "https://deno.land/std/version.ts",
    "ext:core/ops",
    "ext:core/mod.js",
  ];
  for (const specifier of refused) {
    const code = `import(${JSON.stringify(specifier)}).then(() => "imported")`;
    const text = await callTool(session, "run_async", { code });
    assertMatch(text, /^raised /, `${specifier}: ${text}`);
  }
});

Deno.test("what the code can do to its own worker stays there", async () => {
  await using hosts = await openTestHosts();
  const own = await hosts.open(sessionInput(SERVER));
  const beside = await hosts.open(sessionInput(SERVER));
  const attempts = [
    // Forged commands to its own worker.
    "EventTarget.prototype.dispatchEvent.call(globalThis, new MessageEvent('message', {data: {type: 'end'}}))",
    // Errors that nobody catches.
    "setTimeout(() => { throw new Error('late') }, 0), 1",
    "Promise.reject(7), 1",
  ];
  for (const code of attempts) {
    await callTool(own, "run", { code });
    assertEquals(await callTool(beside, "quick"), "quick");
  }
});

Deno.test("ways out of the interpreter end at most the session, and say so", async () => {
  await using hosts = await openTestHosts();
  const beside = await hosts.open(sessionInput(SERVER));
  const ways = [
    "sys.exit",
    "os._exit",
    "os.abort",
    "os.system",
    "subprocess",
    "fork",
    "thread",
    "interrupt",
    "recursion",
    "segfault",
  ];
  for (const how of ways) {
    const { ended, onEnd } = watchEnd();
    const session = await hosts.open(sessionInput(SERVER, { onEnd }));
    const text = await callTool(session, "leave", { how });
    assert(text !== "", how);
    const after = await callTool(session, "quick");
    if (after !== "quick") {
      assertMatch(after, /^\[ended: crashed\] ./, `${how}: ${text}`);
      assertEquals(await ended, "crashed");
    }
    assertEquals(await callTool(beside, "quick"), "quick", how);
    await session.close();
  }
});

Deno.test("a session that overwrites the language's own functions harms itself only", async () => {
  await using hosts = await openTestHosts();
  const own = await hosts.open(sessionInput(SERVER));
  const beside = await hosts.open(sessionInput(SERVER));
  const code = `Object.prototype.type = 'ready'; Array.prototype.push = () => 0;
    Uint8Array.prototype.set = () => 0; JSON.parse = () => ({}); 1`;
  await callTool(own, "run", { code }, { deadlineMs: 1000 });
  await callTool(own, "quick", {}, { deadlineMs: 1000 });
  assertMatch(await callTool(beside, "quick"), /quick|^\[ended/);
  const other = await hosts.open(sessionInput(SERVER, { server: "other" }));
  assertEquals(await callTool(other, "quick"), "quick");
});

Deno.test("code that runs on after its call is ended with the session", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(SERVER));
  const beside = await hosts.open(sessionInput(SERVER));
  const pid = hosts.stats().pids[0]!;
  await callTool(session, "run", { code: "setTimeout(() => { for (;;) {} }, 0), 1" });
  await session.close();
  assertEquals(await processorSeconds(pid), null);
  assertMatch(await callTool(beside, "quick"), /^\[ended: crashed\]/);
});

Deno.test("the memory that sessions boot from is out of the code's reach", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
@tool
def steal() -> str:
    import pyodide_js
    from pyodide.code import run_js
    attempt = run_js("""(api, module) => {
      const seen = [];
      const set = (bytes) => seen.push(Object.prototype.toString.call(bytes?.buffer));
      const real = module.HEAPU8;
      module.HEAPU8 = { set };
      try { api.restoreSnapshot(); } catch (error) { seen.push("failed"); }
      module.HEAPU8 = real;
      return seen.join();
    }""")
    return "seen: " + str(attempt(pyodide_js._api, pyodide_js._module))
`)));
  const text = await callTool(session, "steal");
  assertMatch(text, /^seen: /);
  assert(!text.includes("SharedArrayBuffer"), text);
});
