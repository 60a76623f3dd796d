import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { LoadOutcome } from "../../../src/execution/interpreters/types.ts";
import type { TestHosts } from "../../helpers/interpreter.ts";
import type { PlainInput } from "../../helpers/plain_json.ts";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

type Files = Record<string, string | Uint8Array>;

function inputOf(
  profile: "restricted" | "full",
  files: Files,
  more: Partial<PlainInput> = {},
): PlainInput {
  const bytes = Object.entries(files).map(([path, content]) =>
    [path, typeof content === "string" ? new TextEncoder().encode(content) : content] as const
  );
  return sessionInput("", { profile, files: new Map(bytes), ...more });
}

/** Loads files in the restricted profile; the output is what ran. */
async function restricted(
  hosts: TestHosts,
  files: Files,
): Promise<{ load: LoadOutcome; output: string }> {
  let output = "";
  const session = await hosts.open(inputOf("restricted", files, {
    onLog: ({ text }) => output += text,
  }));
  await session.close();
  return { load: session.load, output };
}

/** Hosts with one session that keeps their process, so that the next ones boot quickly. */
async function warmHosts() {
  const hosts = await openTestHosts();
  await hosts.open(inputOf("restricted", { "main.py": server("") }));
  return hosts;
}

/** A server whose line `code` is what counts; that anything ran shows in the output. */
function around(code: string): string {
  return server(`print("it " + "ran")\n${code}`);
}

const REFUSED: [name: string, code: string, construct: string, hint: string][] = [
  ["httpx", "import httpx", "import of httpx", "use requests"],
  ["aiohttp", "from aiohttp import ClientSession", "import of aiohttp", "use requests"],
  ["async def", "async def f(): pass", "async def", "use def"],
  ["a C extension", "import ctypes", "C extension (ctypes)", "standard library"],
  ["a binary wheel", "import numpy.linalg", "binary wheel (numpy)", "standard library"],
  ["a class", "class A: pass", "class definition", "use functions"],
  ["a class without the word", "A = type('A', (), {})", "class definition (type)", "use functions"],
  [
    "a class by types",
    "import types; A = types.new_class('A')",
    "class definition (types.new_class)",
    "use functions",
  ],
  ["a file", "open('/etc/passwd')", "file I/O (open)", "in memory"],
  ["a file of os", "import os; os.open('x', 0)", "file I/O (os.open)", "in memory"],
  [
    "a file of pathlib",
    "from pathlib import Path; Path('x').write_text('')",
    "file I/O (Path.write_text)",
    "in memory",
  ],
];

Deno.test("hostile profiles: what the specification refuses never runs", async (t) => {
  await using hosts = await warmHosts();
  for (const [name, code, construct, hint] of REFUSED) {
    await t.step(name, async () => {
      const { load, output } = await restricted(hosts, { "main.py": around(code) });
      assert(load.kind === "refused", JSON.stringify(load));
      const [problem] = load.problems;
      assertEquals(problem?.construct, construct);
      assertEquals([problem?.file, problem?.line], ["main.py", 5]);
      assertStringIncludes(problem!.hint, hint);
      assertEquals(output, "");
    });
  }
});

Deno.test("hostile profiles: hiding from the check of the syntax tree", async (t) => {
  await using hosts = await warmHosts();
  const classLine = "class Hidden: pass\n";
  const cases: Record<string, Files> = {
    "after a byte order mark": { "main.py": `\ufeff${around(classLine)}` },
    "with other line ends": { "main.py": around(classLine).replaceAll("\n", "\r") },
    "after form feeds": { "main.py": around(`\f\f${classLine}`) },
    "in full-width letters": { "main.py": around("import ｈｔｔｐｘ") },
    "in a package's __init__": {
      "main.py": around("import inner"),
      "inner/__init__.py": classLine,
    },
    "in a package without __init__": {
      "main.py": around("import inner.deep"),
      "inner/deep.py": classLine,
    },
    "in a relative import": {
      "main.py": around("import inner"),
      "inner/__init__.py": "from . import deep\n",
      "inner/deep.py": classLine,
    },
    "in a module imported by name": {
      "main.py": around("import importlib; importlib.import_module('hel' + 'per')"),
      "helper.py": classLine,
    },
    "behind an except for everything": {
      "main.py": around("try:\n    import helper\nexcept BaseException:\n    pass"),
      "helper.py": classLine,
    },
    "in a module named like the SDK's": {
      "main.py": around("import mcp.own"),
      "mcp/own.py": classLine,
    },
    "in a module that hides one of the library": {
      "main.py": around("import antigravity"),
      "antigravity.py": classLine,
    },
    "in bytecode": { "main.py": around("import helper"), "helper.pyc": new Uint8Array(64) },
    "in a compiled module": {
      "main.py": around("import helper"),
      "helper.cpython-314-wasm32-emscripten.so": new Uint8Array(64),
    },
  };
  for (const [name, files] of Object.entries(cases)) {
    await t.step(name, async () => {
      const { load } = await restricted(hosts, files);
      assertEquals(load.kind, "refused", JSON.stringify(load));
    });
  }
});

Deno.test("hostile profiles: source that breaks what reads it", async (t) => {
  await using hosts = await warmHosts();
  const cases: Record<string, string> = {
    "a hundred thousand brackets": around(`x = ${"(".repeat(100_000)}1${")".repeat(100_000)}`),
    "a sum of fifty thousand": around(`x = ${"1+".repeat(50_000)}1`),
    "an attribute chain": around(`x = a${".b".repeat(50_000)}`),
    "blocks in blocks": around(
      Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}if 1:`).join("\n"),
    ),
    "a NUL": around("x = 1\0"),
    "an encoding that hides code": `# -*- coding: utf-7 -*-\n${
      around("+AGMAbABhAHMAcw- Hidden: pass")
    }`,
    "an unknown encoding": `# -*- coding: latin-99 -*-\n${around("x = 1")}`,
    "no UTF-8": around("x = 1"),
    "half a string": around("x = '''"),
    "an f-string in f-strings": around(`x = ${'f"{'.repeat(200)}1${'}"'.repeat(200)}`),
  };
  for (const [name, source] of Object.entries(cases)) {
    await t.step(name, async () => {
      const bytes = new TextEncoder().encode(source);
      if (name === "no UTF-8") bytes.set([0xff, 0xfe], bytes.length - 40);
      const { load } = await restricted(hosts, { "main.py": bytes });
      assertEquals(load.kind, "raised", JSON.stringify(load).slice(0, 500));
    });
  }
  const next = await restricted(hosts, { "main.py": server("") });
  assertEquals(next.load.kind, "loaded");
});

Deno.test("hostile profiles: what shows at run time only, in the restricted profile", async (t) => {
  await using hosts = await openTestHosts();
  const tricks: Record<string, [code: string, text: RegExp]> = {
    "open by another name": [`getattr(io, "op" + "en")("/etc/passwd")`, /file I\/O \(open\)/],
    "open of the built-ins": [
      `vars(__import__("builtins"))["op" + "en"]("main.py")`,
      /file I\/O \(open\)/,
    ],
    "os.open": [`getattr(os, "op" + "en")("main.py", 0)`, /file I\/O \(open\)/],
    "a path": [`getattr(pathlib.Path("x"), "write" + "_text")("")`, /file I\/O \(open\)/],
    "a folder": [`getattr(os, "list" + "dir")("/")`, /file I\/O \(os\.listdir\)/],
    "text that is run": [
      `exec("cla" + "ss A: pass")`,
      /class definition in line 1 of the code given to exec/,
    ],
    "text that is evaluated": [
      `eval("op" + "en('x')")`,
      /file I\/O \(open\) in line 1 of the code/,
    ],
    "a syntax tree": [`compile(ast.parse("class A: pass"), "x", "exec")`, /class definition in/],
    "an import by call": [`__import__("ht" + "tpx")`, /import of httpx: use requests/],
    "an import through importlib": [
      `importlib.import_module("ht" + "tpx")`,
      /No module named 'httpx'/,
    ],
    "a wheel by call": [`__import__("num" + "py")`, /binary wheel \(numpy\)/],
    "__build_class__": [`vars()["b"]["__build_" + "class__"](print, "A")`, /class definition/],
    "a thread": [`_thread.start_new_thread(print, ())`, /Threads are not available/],
    "a process": [`posix.system("id")`, /Processes are not available/],
    "a shell": [`subprocess.check_output("id", shell=True)`, /exit status 127/],
    "a fork": [`os.fork()`, /Error/],
    "a subprocess": [`subprocess.run(["id"])`, /processes/i],
  };
  const tools = Object.values(tricks).map(([code], i) =>
    `@tool\ndef trick_${i}() -> str:\n    b = __builtins__\n    return str(${
      code.startsWith("exec") ? `[${code}]` : code
    })\n`
  );
  const imports = "import _thread, ast, importlib, io, os, pathlib, posix, subprocess\n";
  const session = await hosts.open(inputOf("restricted", {
    "main.py": server(imports + tools.join("")),
  }));
  assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
  for (const [i, [name, [, text]]] of Object.entries(tricks).entries()) {
    await t.step(name, async () => {
      const said = await callTool(session, `trick_${i}`);
      assertMatch(said, text);
      assertMatch(said, /^Error executing tool|\[error/);
    });
  }
});

Deno.test("hostile profiles: a server that is refused stays refused", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(inputOf("restricted", {
    "main.py": server(`
@tool
def late() -> str:
    try:
        import helper
    except BaseException:
        pass
    return "as if nothing had been"
@tool
def other() -> str: return "fine"
`),
    "helper.py": "class A: pass\n",
  }));
  assertEquals(await callTool(session, "other"), "fine");
  assertStringIncludes(await callTool(session, "late"), "helper.py:1: class definition");
  assertStringIncludes(await callTool(session, "other"), "helper.py:1: class definition");
});

Deno.test("hostile profiles: the full profile leaves nothing to the next session", async (t) => {
  await using hosts = await openTestHosts();
  const source = server(`
import asyncio, os, pathlib, sys, tempfile
import requests
@tool
async def leave() -> str:
    class Kept:
        value = "a secret"
    sys.modules["left_behind"] = Kept
    os.environ["LEFT"] = "a secret"
    for place in ("left.txt", "/tmp/left.txt", "/lib/left.txt"):
        try: pathlib.Path(place).write_text("a secret")
        except OSError: pass
    requests.Session.left = requests.get.left = "a secret"
    type(mcp).left = "a secret"
    await asyncio.sleep(0)
    return open("left.txt").read() + os.environ["KEY"]
@tool
def look() -> str:
    found = [name for name in ("left.txt", "/tmp/left.txt", "/lib/left.txt") if os.path.exists(name)]
    found += [n for n in ("LEFT",) if n in os.environ] + [n for n in sys.modules if "left" in n]
    found += [str(o) for o in (requests.Session, requests.get, type(mcp)) if hasattr(o, "left")]
    return str(found) + os.environ.get("KEY", "no key") + str(len(dict(os.environ)) < 30)
`);
  const first = await hosts.open(inputOf("full", { "main.py": source }, {
    environment: { KEY: "sk-first" },
  }));
  assertEquals(await callTool(first, "leave"), "a secretsk-first");
  const [pid] = hosts.stats().pids;
  const second = await hosts.open(inputOf("full", { "main.py": source }));
  await t.step("which runs beside it in the same process", async () => {
    assertEquals(hosts.stats().pids, [pid]);
    assertEquals(await callTool(second, "look"), "[]no keyTrue");
  });
  await first.close();
  const third = await hosts.open(inputOf("full", { "main.py": source }));
  await t.step("which comes after it in the same process", async () => {
    assertEquals(hosts.stats().pids, [pid]);
    assertEquals(await callTool(third, "look"), "[]no keyTrue");
  });
  await t.step("nor is anything of Berth's own environment there", async () => {
    Deno.env.set("BERTH_TEST_SECRET", "of the operator");
    try {
      const fourth = await hosts.open(inputOf("full", {
        "main.py": server(`
import os
@tool
def all() -> str:
    from pyodide.code import run_js
    seen = str(dict(os.environ))
    for code in ("Deno.env.toObject()", "process.env", "globalThis.process?.env"):
        try: seen += str(run_js("JSON.stringify(" + code + ")"))
        except Exception: pass
    for path in ("/proc/self/environ", "/proc/1/environ"):
        try: seen += open(path).read()
        except OSError: pass
    return seen
`),
      }));
      const seen = await callTool(fourth, "all");
      assert(!seen.includes("BERTH_TEST_SECRET") && !seen.includes("of the operator"), seen);
    } finally {
      Deno.env.delete("BERTH_TEST_SECRET");
    }
  });
});
