import { assertEquals, assertMatch } from "@std/assert";
import { callTool } from "../../helpers/interpreter.ts";
import { ANYTHING, openArena } from "./arena.ts";

/** Ways to start something beside the session. All are refused, and the session goes on. */
const SPAWN: [name: string, code: string][] = [
  ["os.fork", "import os; os.fork()"],
  ["os.system", "import os; assert os.system('true') == 0"],
  ["os.execv", "import os; os.execv('/bin/sh', ['sh'])"],
  ["what os.system was", "import posix; posix.system('true')"],
  ["os.popen", "import os; assert os.popen('id').read()"],
  ["os.posix_spawn", "import os; os.posix_spawn('/bin/true', ['true'], {})"],
  ["subprocess", "import subprocess; subprocess.run(['true'], check=True)"],
  ["a shell", "import subprocess; subprocess.check_output('id', shell=True)"],
  ["multiprocessing", "import multiprocessing as m; m.Process(target=print).start()"],
  [
    "a thread",
    // It runs in its starter, which is no thread.
    "import _thread, threading\nseen = []\n" +
    "threading.Thread(target=lambda: seen.append(_thread.get_ident())).start()\n" +
    "assert seen != [_thread.get_ident()]",
  ],
  ["a low-level thread", "import _thread; _thread.start_new_thread(print, ())"],
  [
    "a pool of processes",
    // Executors run inline, which is no process.
    "import os; from concurrent.futures import ProcessPoolExecutor as P\n" +
    "assert P(1).submit(os.getpid).result() != os.getpid()",
  ],
  ["a nested worker", "import js; js.Worker.new('data:text/javascript,for(;;){}')"],
];

/** Ways to end: each ends at most the session that goes that way, or is an error of the call. */
const EXITS: [name: string, tool: "py" | "js", code: string][] = [
  ["sys.exit", "py", "import sys; sys.exit(3)"],
  ["os._exit", "py", "import os; os._exit(3)"],
  ["os.abort", "py", "import os; os.abort()"],
  ["SIGKILL to itself", "py", "import os; os.kill(os.getpid(), 9)"],
  ["SIGTERM to itself", "py", "import os, signal; signal.raise_signal(15)"],
  ["raise KeyboardInterrupt", "py", "raise KeyboardInterrupt"],
  ["raise GeneratorExit", "py", "raise GeneratorExit"],
  ["an exception group of exits", "py", "raise BaseExceptionGroup('x', [SystemExit(1)])"],
  ["recursion without end", "py", "f = lambda n: f(n + 1) + 1\nf(0)"],
  [
    "a deeply nested literal",
    "py",
    "compile('(' * 100000 + ')' * 100000, 'x', 'eval')",
  ],
  ["a read outside of memory", "py", "import ctypes; ctypes.string_at(0xFFFFFFF0)"],
  ["a write over the interpreter", "py", "import ctypes; ctypes.memset(1024, 255, 50_000_000)"],
  [
    "freed objects",
    "py",
    "import ctypes; x = []; [ctypes.pythonapi.Py_DecRef(ctypes.py_object(x)) for _ in range(9)]; del x",
  ],
  ["recursion of JavaScript", "js", "const f = () => f() + 1; return f()"],
  ["an error that nobody catches", "js", "setTimeout(() => { throw new Error('late') }, 0)"],
  ["a rejection that nobody catches", "js", "Promise.reject(7)"],
  ["a rejection with something odd", "js", "Promise.reject({ get message() { throw 1 } })"],
  [
    "a command to its own worker",
    "js",
    "dispatchEvent.call(globalThis, new MessageEvent('message', { data: { type: 'end' } }))",
  ],
];

Deno.test("hostile: nothing is started beside the session", async (t) => {
  await using arena = await openArena();
  const { session } = await arena.open();
  for (const [name, code] of SPAWN) {
    await t.step(name, async () => {
      assertMatch(await callTool(session, "py", { code }), /^raised /);
    });
  }
  assertEquals(await callTool(session, "quick"), "quick");
  await arena.check("spawn");
});

Deno.test("hostile: a session that ends itself ends no other", async (t) => {
  await using arena = await openArena({ sessionsPerHost: 32, maxSessions: 64 });
  // Of the same server, in the same process: a neighbour that did nothing.
  const beside = await arena.open();
  for (const [name, tool, code] of EXITS) {
    await t.step(name, async () => {
      const { session, ended } = await arena.open();
      const text = await callTool(session, tool, { code });
      // Either the call tells what it raised, or the session is over and says so.
      if (text.startsWith("[ended")) {
        assertMatch(text, /^\[ended: crashed\] ./);
        assertEquals(await ended, "crashed");
      }
      assertEquals(await callTool(beside.session, "quick"), "quick");
      await session.close();
    });
  }
  await arena.check("exit");
});

Deno.test("hostile: a session that breaks the language's own functions harms its host at most", async () => {
  await using arena = await openArena({ interruptGraceMs: 300 });
  const { session } = await arena.open();
  const code = `Object.prototype.type = "ready"; Array.prototype.push = () => 0;
    Uint8Array.prototype.set = () => 0; JSON.parse = () => ({}); Map.prototype.get = () => null`;
  await callTool(session, "js", { code }, { deadlineMs: 500 });
  await callTool(session, "quick", {}, { deadlineMs: 500 });
  await arena.check("broken functions");
  await session.close();
  await arena.check("after the end");
});

Deno.test("hostile: an entrypoint that ends itself is told, or ends its session", async (t) => {
  await using arena = await openArena();
  const endings = [
    ["sys.exit", "import sys; sys.exit(0)"],
    ["os._exit", "import os; os._exit(0)"],
    ["KeyboardInterrupt", "raise KeyboardInterrupt"],
    ["a syntax error", "def ("],
    ["bytes that are no text", "\0\0"],
    ["a poisoned import", `${ANYTHING.split("if __name__")[0]}\nimport sys; sys.modules.clear()`],
  ];
  for (const [name, source] of endings) {
    await t.step(name!, async () => {
      const { session } = await arena.open(source, { server: `ends by ${name}` });
      const text = session.load.kind === "raised"
        ? session.load.message
        : await callTool(session, "quick");
      assertMatch(text, /./);
      await session.close();
    });
  }
  await arena.check("entrypoint");
});
