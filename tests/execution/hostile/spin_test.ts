import { assert, assertEquals, assertMatch } from "@std/assert";
import { callTool, processorSeconds, until } from "../../helpers/interpreter.ts";
import type { PlainSession } from "../../helpers/plain_json.ts";
import { insideOf } from "../../helpers/processes.ts";
import { ANYTHING, openArena } from "./arena.ts";

/** What the interrupt stops: the session goes on. */
const STOPPED: [name: string, code: string][] = [
  ["a loop", "while True: pass"],
  ["a regular expression that backtracks", "import re; re.match(r'(a+)+$', 'a' * 40 + 'b')"],
  ["a power that never ends", "x = 9 ** 9 ** 9"],
  ["digits of a huge number", "import sys; sys.set_int_max_str_digits(0); str(7 ** 9_000_000)"],
  ["a sleep", "import time; time.sleep(1e9)"],
  [
    "a handler of one exception",
    "while True:\n  try:\n    while True: pass\n  except Exception: pass",
  ],
  [
    "keys that all hash alike",
    "d = {}\nfor i in range(10 ** 9): d[i * (2 ** 31 - 1)] = i",
  ],
  [
    "strings that all hash alike in a set of their own",
    "class K:\n  def __hash__(self): return 1\n  def __eq__(self, other): return False\n" +
    "s = set()\nwhile True: s.add(K())",
  ],
  ["a hook on every line", "import sys\nsys.settrace(lambda *a: None)\nwhile True: pass"],
];

/** What no interrupt stops: the process is killed. */
const KILLED: [name: string, tool: "py" | "js", code: string][] = [
  [
    "a loop that swallows everything",
    "py",
    "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
  ],
  [
    "a generator that swallows its end",
    "py",
    "def g():\n  while True:\n    try:\n      while True: pass\n    except BaseException: yield\n" +
    "for _ in g(): pass",
  ],
  [
    "a handler of the interrupt",
    "py",
    "import signal\nsignal.signal(signal.SIGINT, lambda *a: None)\nwhile True: pass",
  ],
  [
    "an ignored interrupt",
    "py",
    "import signal\nsignal.signal(2, signal.SIG_IGN)\nwhile True: pass",
  ],
  ["a sum over a long range", "py", "sum(range(10 ** 14))"],
  ["a loop in C", "py", "import itertools, collections\ncollections.deque(itertools.repeat(0), 0)"],
  ["a search in C", "py", "import itertools\n0 in itertools.count(1, 0)"],
  [
    "a finally that loops",
    "py",
    "try:\n  while True: pass\nfinally:\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass",
  ],
  ["a loop in JavaScript", "js", "for (;;) {}"],
  [
    "a wait that blocks the thread",
    "js",
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
  ],
  ["promises that never let go", "js", "const f = () => Promise.resolve().then(f); await f()"],
  ["a regular expression of JavaScript", "js", "return /(a+)+$/.test('a'.repeat(60) + 'b')"],
  [
    "a loop in WebAssembly",
    "js",
    // (module (func (export "f") (loop br 0)))
    `const bytes = Uint8Array.of(0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,
      7,0,3,64,12,0,11,11);
     (await WebAssembly.instantiate(bytes)).instance.exports.f()`,
  ],
  [
    "a runtime that was told to ignore the deadline",
    "py",
    "import sys\nfor name, module in list(sys.modules.items()):\n" +
    "  if name.startswith('berth'):\n    for key in list(vars(module)):\n" +
    "      if callable(getattr(module, key)) and 'interrupt' in key or key == 'cancel':\n" +
    "        setattr(module, key, lambda *a: None)\n" +
    "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
  ],
];

/**
 * Runs code that cannot be interrupted until it is killed. On a busy machine the deadline may come
 * before the code has begun: then the call is interrupted like any other, and gets more time.
 */
async function runUntilKilled(session: PlainSession, tool: string, code: string) {
  let text = "";
  for (let deadlineMs = 150; deadlineMs < 60_000 && !text.startsWith("[ended"); deadlineMs *= 2) {
    text = await callTool(session, tool, { code }, { deadlineMs });
  }
  return text;
}

Deno.test("hostile: what computes without end is stopped at its deadline, and the session lives", async (t) => {
  await using arena = await openArena();
  const { session } = await arena.open();
  for (const [name, code] of STOPPED) {
    await t.step(name, async () => {
      assertMatch(await callTool(session, "py", { code }, { deadlineMs: 150 }), /limit of 0.15 s/);
      assertEquals(await callTool(session, "quick"), "quick");
    });
  }
  await arena.check("stopped");
});

Deno.test("hostile: destructors that nest without end are stopped, or end their own session", async () => {
  await using arena = await openArena();
  const { session } = await arena.open();
  const code = "class D:\n  def __del__(self): D()\nD()\nwhile True: pass";
  const text = await callTool(session, "py", { code }, { deadlineMs: 150 });
  // The stack may be used up before the deadline.
  assertMatch(text, /limit of 0.15 s|^\[ended: crashed\]/);
  arena.kills.splice(0);
  await arena.check("destructors");
});

Deno.test("hostile: what cannot be interrupted is killed, and uses no processor after", async (t) => {
  await using arena = await openArena({ interruptGraceMs: 150, warmSessions: 1 });
  for (const [name, tool, code] of KILLED) {
    await t.step(name, async () => {
      const { session, ended } = await arena.open(ANYTHING, { server: name });
      const text = await runUntilKilled(session, tool, code);
      assertMatch(text, /^\[ended: timeout\].*longer than the limit of/);
      assertEquals(await ended, "timeout");
      assertEquals(arena.kills.splice(0).map(({ reason }) => reason), ["timeout"]);
      await arena.check(name);
    });
  }
});

Deno.test("hostile: an entrypoint that never ends is stopped", async () => {
  await using arena = await openArena({ loadDeadlineMs: 3000 });
  const { session } = await arena.open("while True: pass");
  assert(session.load.kind === "raised");
  assertMatch(session.load.message, /limit of \d+ s/);
  await arena.check("entrypoint");
});

Deno.test("hostile: an entrypoint that cannot be stopped is killed", async () => {
  await using arena = await openArena({ loadDeadlineMs: 3000, interruptGraceMs: 300 });
  const source = "from pyodide.code import run_js\nrun_js('for (;;) {}')";
  const { session } = await arena.open(source);
  assertEquals(session.load.kind, "raised");
  // Killed, or on a busy machine stopped before the loop began.
  assertMatch(await callTool(session, "quick"), /^\[(ended: timeout|error)/);
  await session.close();
  await arena.check("entrypoint");
});

Deno.test("hostile: whatever a session does, its end is the end of it", async (t) => {
  await using arena = await openArena({ interruptGraceMs: 300 });
  await t.step("a neighbour of what was killed is told so", async () => {
    const { session } = await arena.open();
    const beside = await arena.open();
    await runUntilKilled(session, "js", "for (;;) {}");
    assertEquals(await beside.ended, "crashed");
    assertMatch(await callTool(beside.session, "quick"), /^\[ended: crashed\].*another session/);
    await arena.check("neighbour");
  });
  await t.step("code that goes on after its call", async () => {
    const { session } = await arena.open();
    const pid = await insideOf(arena.hosts.stats().pids[1]!);
    const code = "setTimeout(() => { for (;;) {} }, 50)";
    // On a busy machine the loop may begin before the answer goes out.
    await callTool(session, "js", { code }, { deadlineMs: 2000 });
    const used = await processorSeconds(pid) ?? 0;
    await until(async () => (await processorSeconds(pid) ?? Infinity) > used + 0.1);
    await session.close();
    await until(async () => await processorSeconds(pid) === null);
    await arena.check("closed");
  });
});

Deno.test("hostile: code that keeps computing between calls is ended", async () => {
  const used = new Map<number, number>();
  let attackerPid = 0;
  await using arena = await openArena({
    // What the system would say of a host that uses twenty processors; nobody waits half a minute.
    readUsage(pids) {
      if (attackerPid !== 0) used.set(attackerPid, (used.get(attackerPid) ?? 0) + 20_000);
      const entries = pids.map((pid) => {
        return [pid, { memory: 0, processorMs: used.get(pid) ?? 0 }] as const;
      });
      return Promise.resolve(new Map(entries));
    },
  });
  const { session, ended } = await arena.open();
  attackerPid = arena.hosts.stats().pids[1]!;
  assertEquals(await ended, "processor");
  assertMatch(await callTool(session, "quick"), /^\[ended: processor\] .*between calls/);
  assertEquals(arena.kills.map(({ server, reason }) => [server, reason]), [
    ["attacker", "processor"],
  ]);
  await arena.check("processor");
});
