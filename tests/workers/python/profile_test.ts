import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter, type Problem } from "./pyodide.ts";

const python = await Interpreter.boot();
const RESTRICTED = { profile: "restricted" } as const;

async function problems(files: Record<string, string>): Promise<Problem[]> {
  const load = await python.load(files, RESTRICTED);
  if (load.kind !== "refused") throw new Error(JSON.stringify(load));
  return load.problems;
}

const PLAIN = `
import json, math, os, re, requests, datetime, io, pathlib, sys
from typing import Annotated, Literal, Optional
from pydantic import Field
from mcp.server.fastmcp import FastMCP, Context
mcp = FastMCP("plain")
ROOT = pathlib.Path(__file__).parent
sys.path.insert(0, str(ROOT))
KEY = os.environ.get("KEY", "")
`;

Deno.test("the restricted profile refuses every unsupported construct by name and line", async () => {
  const cases: [string, string][] = [
    ["import httpx", "import of httpx"],
    ["import httpx._client as h", "import of httpx"],
    ["from aiohttp import ClientSession", "import of aiohttp"],
    ["import importlib; importlib.import_module('httpx')", "import of httpx"],
    ["__import__('aiohttp')", "import of aiohttp"],
    ["class A: pass", "class definition"],
    ["def f():\n  class A: pass", "class definition"],
    ["async def f(): pass", "async def"],
    ["import ctypes", "C extension (ctypes)"],
    ["import numpy as np", "binary wheel (numpy)"],
    ["from pandas import DataFrame", "binary wheel (pandas)"],
    ["open('x')", "file I/O (open)"],
    ["f = open", "file I/O (open)"],
    ["with open('x') as f: pass", "file I/O (open)"],
    ["import io\nio.open('x')", "file I/O (io.open)"],
    ["import io as i\ni.FileIO('x')", "file I/O (io.FileIO)"],
    ["from io import open as o", "file I/O (io.open)"],
    ["import os\nos.remove('x')", "file I/O (os.remove)"],
    ["import os\nos.listdir('.')", "file I/O (os.listdir)"],
    ["from os import makedirs", "file I/O (os.makedirs)"],
    ["import shutil\nshutil.copy('a', 'b')", "file I/O (shutil.copy)"],
    ["import tempfile\ntempfile.mkdtemp()", "file I/O (tempfile.mkdtemp)"],
    ["from tempfile import NamedTemporaryFile", "file I/O (tempfile.NamedTemporaryFile)"],
    ["from pathlib import Path\nPath('x').read_text()", "file I/O (Path.read_text)"],
    ["from pathlib import Path\n(Path('x') / 'y').open()", "file I/O (Path.open)"],
    ["from pathlib import Path\np = Path('x')\np.mkdir()", "file I/O (Path.mkdir)"],
    ["import pathlib\npathlib.Path.home().joinpath('x').unlink()", "file I/O (Path.unlink)"],
    ["import sqlite3\nsqlite3.connect('x.db')", "file I/O (sqlite3.connect)"],
    ["import logging\nlogging.FileHandler('x')", "file I/O (logging.FileHandler)"],
    ["import zipfile\nzipfile.ZipFile('x')", "file I/O (zipfile.ZipFile)"],
    ["import builtins\nbuiltins.open('x')", "file I/O (builtins.open)"],
    ["import pkgutil\npkgutil.get_data('a', 'x')", "file I/O (pkgutil.get_data)"],
    ["from importlib import resources\nresources.files()", "file I/O (importlib.resources.files)"],
    ["import logging\nlogging.basicConfig(filename='x')", "file I/O (logging.basicConfig)"],
    ["type('A', (), {})", "class definition (type)"],
    ["type(*('A', (), {}))", "class definition (type)"],
    ["import builtins as b\nb.type('A', (), {})", "class definition (type)"],
    ["A = type.__new__", "class definition (type.__new__)"],
    ["type.__call__(type, 'A', (), {})", "class definition (type.__call__)"],
    ["import types\ntypes.new_class('A')", "class definition (types.new_class)"],
    ["import types as t\nmake = t.new_class", "class definition (types.new_class)"],
    ["from types import new_class", "class definition (types.new_class)"],
    ["import abc\nabc.ABCMeta('A', (), {})", "class definition (type)"],
    ["from enum import EnumMeta\nEnumMeta('A', (), {})", "class definition (type)"],
    ["__build_class__(lambda: 1, 'A')", "class definition"],
  ];
  for (const [source, construct] of cases) {
    const found = await problems({ "server.py": source });
    assertEquals(found.map((problem) => problem.construct), [construct], source);
    assertEquals(found[0]!.file, "server.py");
    assertEquals(found[0]!.line, source.split("\n").length, source);
    assertEquals(found[0]!.hint.length > 5, true);
  }
});

Deno.test("all problems of a module are reported at once and nothing of it runs", async () => {
  const found = await problems({
    "server.py": `
print("ran")
class A:
    async def f(self):
        async with x() as y, z():
            async for i in y:
                await i
        return [i async for i in x]
open("x")
`,
  });
  assertEquals(found.map(({ construct, line }) => [construct, line]), [
    ["class definition", 3],
    ["async def", 4],
    ["async with", 5],
    ["async for", 6],
    ["await", 7],
    ["async for", 8],
    ["file I/O (open)", 9],
  ]);
  assertEquals(python.events, []);
});

Deno.test("the restricted profile leaves ordinary code alone", async () => {
  const load = await python.load({
    "server.py": `${PLAIN}
import shutil, sqlite3, tempfile, asyncio, dataclasses, enum, collections
def open(x): return x
def kinds(*types): return [type(t) for t in types]
logging = None
@mcp.tool()
def work(text: Annotated[str, Field(description="d")], mode: Literal["a", "b"] = "a",
         ctx: Context = None) -> dict:
    """Work."""
    ctx.info("working")
    point = collections.namedtuple("point", "x y")(1, 2)
    buffer = io.StringIO()
    buffer.write(text)
    words = [w.title() for w in re.split(r"\\W+", text) if w]
    total = sum(i ** 2 for i in range(5))
    try:
        value = json.loads(text)
    except ValueError as error:
        value = str(error)
    finally:
        lambda: None
    with sqlite3.connect(":memory:") as db:
        one = db.execute("select 1").fetchone()[0]
    return {"words": words, "total": total, "value": value, "x": point.x, "opened": open("o"),
            "replaced": text.replace("a", "b"), "path": str(ROOT / "x"), "one": one,
            "evaluated": eval("1 + 1"), "which": shutil.which("ls") is None}
if __name__ == "__main__":
    asyncio.run(mcp.run_stdio_async())
`,
  }, RESTRICTED);
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  const result = await python.tool("work", { text: "a b" });
  assertEquals(JSON.parse(result.content[0].text), {
    words: ["A", "B"],
    total: 30,
    value: "Expecting value: line 1 column 1 (char 0)",
    x: 1,
    opened: "o",
    replaced: "b b",
    path: "/app/x",
    one: 1,
    evaluated: 2,
    which: true,
  });
  assertEquals(python.events[0]?.params, { level: "info", data: "working" });
});

Deno.test("modules that the entrypoint imports are checked before they run", async () => {
  const entry = `${PLAIN}\nprint("entry")\ntry:\n    import helper\nexcept Exception:\n    pass\n`;
  const found = await problems({
    "server.py": entry,
    "helper.py": "import deeper\nprint('helper')\n",
    "deeper.py": "print('deeper')\n\nclass A: pass\n",
    "unused.py": "class B: pass\n",
  });
  assertEquals(found, [{
    construct: "class definition",
    file: "deeper.py",
    line: 3,
    hint: "use functions, dictionaries, and lists",
  }]);
  assertEquals(python.events.map(({ text }) => text), ["entry"]);
});

Deno.test("a compiled module of the repository is refused", async () => {
  const [problem] = await problems({
    "server.py": "import fast\n",
    "fast.cpython-314-wasm32-emscripten.so": "\x7fELF",
  });
  assertEquals(problem!.construct, "C extension");
  assertEquals(problem!.file, "fast.cpython-314-wasm32-emscripten.so");
});

Deno.test("a module imported by a call is refused there and from then on", async () => {
  await python.load({
    "server.py": `${PLAIN}
@mcp.tool()
def late() -> str:
    try:
        import helper
    except Exception:
        return "hidden"
    return "ran"
@mcp.tool()
def fine() -> str: return "fine"
`,
    "helper.py": "class A: pass\n",
  }, RESTRICTED);
  assertEquals(await python.text("fine"), "fine");
  for (const name of ["late", "fine"]) {
    const outcome = await python.request("tools/call", { name, arguments: {} });
    if (outcome.kind !== "error") throw new Error(JSON.stringify(outcome));
    assertStringIncludes(outcome.message, "helper.py:1: class definition");
    assertEquals(outcome.data.problems.length, 1);
  }
});

Deno.test("files stay closed to code that hides what it does", async () => {
  const tricks: Record<string, string> = {
    getattr_open: `getattr(io, "op" + "en")("/app/server.py").read()`,
    getattr_path: `getattr(ROOT / "server.py", "read" + "_text")()`,
    builtins: `__builtins__["op" + "en"]("/app/server.py")`,
    builtins_module: `getattr(__import__("builtins"), "op" + "en")("/app/server.py")`,
    os_open: `getattr(os, "op" + "en")("/app/server.py", 0)`,
    listdir: `getattr(os, "list" + "dir")("/")`,
    loader: `__loader__.get_data("/app/server.py") if __loader__ else io.__dict__["open"]("/x")`,
    evaluated: `eval("op" + "en('/app/server.py')")`,
    executed: `exec("class A: pass")`,
    compiled: `exec(compile("async def f(): pass", "x", "exec"))`,
    executed_tree: `exec(compile(__import__("ast").parse("class A: pass"), "x", "exec"))`,
    executed_twice: `exec("exec('class ' + 'A: pass')", {})`,
    evaluated_type: `eval("type('A', (), {})")`,
    imported: `__import__("ht" + "tpx")`,
    imported_later: `__import__("importlib").import_module("aio" + "http")`,
    imported_native: `__import__("num" + "py")`,
    opened_inside: `eval("__import__('io').__dict__['open']('/app/server.py').read()")`,
    build_class: `__builtins__["__build_" + "class__"](lambda: None, "A")`,
    written: `getattr(pathlib.Path("/tmp/x"), "write" + "_bytes")(b"x")`,
    temporary: `__import__("temp" + "file").mkstemp()`,
    database: `getattr(__import__("sqlite3"), "conn" + "ect")("/tmp/x.db")`,
    archive: `__import__("zip" + "file").ZipFile(io.BytesIO()).extract("x")`,
  };
  const tools = Object.entries(toolsOf(tricks)).map(([, source]) => source).join("");
  const load = await python.load({ "server.py": PLAIN + tools }, RESTRICTED);
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  for (const name of Object.keys(tricks)) {
    const result = await python.tool(name);
    assertEquals(result.isError, true, `${name}: ${JSON.stringify(result)}`);
  }
  const text = await python.text("getattr_open");
  const line = (PLAIN + tools).split("\n").findIndex((each) => each.includes('getattr(io, "op"'));
  assertStringIncludes(text, `server.py:${line + 1}: file I/O (open): keep data in memory`);
});

function toolsOf(tricks: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tricks).map(([name, code]) => [
      name,
      `\n@mcp.tool()\ndef ${name}():\n    return ${
        code.startsWith("exec") ? `(${code}, "ran")[1]` : code
      }\n`,
    ]),
  );
}

Deno.test("the full profile has classes, asynchronous code and files in memory", async () => {
  await python.load({
    "server.py": `
import asyncio, pathlib, tempfile
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("full")
class Counter:
    def __init__(self): self.count = 0
counter = Counter()
@mcp.tool()
async def count() -> int:
    await asyncio.sleep(0)
    counter.count += 1
    return counter.count
@mcp.tool()
def files() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.txt"
        path.write_text("kept in memory")
        return open(path).read() + open("data.txt").read()
`,
    "data.txt": " data",
  }, { profile: "full" });
  await python.text("count");
  assertEquals(await python.text("count"), "2");
  assertEquals(await python.text("files"), "kept in memory data");
});
