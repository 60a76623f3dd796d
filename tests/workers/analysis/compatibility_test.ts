/** What a report says of the restricted profile, against what the interpreter's own check says. */
import { assert, assertEquals } from "@std/assert";
import { refusedIn } from "../../../workers/analysis/audit/compatibility/compatibility.ts";
import * as table from "../../../workers/analysis/audit/compatibility/table.ts";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import { readNames } from "../../../workers/analysis/python/names.ts";
import { treeOf } from "../../../workers/analysis/syntax/source_tree.ts";
import { analyseHere } from "../../helpers/analysis.ts";
import { Interpreter } from "../python/pyodide.ts";

const python = await Interpreter.boot();

/** What the interpreter's check finds; null for what is no Python. */
function checked(sources: string[]): (string[] | null)[] {
  python.pyodide.globals.set("sources_json", JSON.stringify(sources));
  return JSON.parse(python.pyodide.runPython(`
import ast, json
from berth_runtime import profile
def is_python(text):
    try:
        return bool(ast.parse(text))
    except SyntaxError:
        return False
json.dumps([
    None if not is_python(text) else sorted({f"{p['line']} {p['construct']}: {p['hint']}" for p in profile.problems_of(text, "server.py")})
    for text in json.loads(sources_json)
])`));
}

async function reported(source: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(source);
  const tree = await treeOf({ path: "server.py", grammar: "python", role: "source", bytes });
  if (typeof tree === "string") throw new Error(tree);
  const names = readNames(tree);
  const found = [...refusedIn(names)].map(({ line, construct, hint }) =>
    `${line} ${construct}: ${hint}`
  );
  return [...new Set(found)].sort();
}

/** Fails where the two say different things; returns what they say. */
async function compare(sources: string[]): Promise<string[][]> {
  const there = checked(sources);
  for (const [index, source] of sources.entries()) {
    if (there[index] !== null) assertEquals(await reported(source), there[index], source);
  }
  assert(there.filter((one) => one === null).length < sources.length / 2);
  return there.map((one) => one ?? []);
}

/** Ways to come by a member of a module; `M` is the module, `N` the member. */
const FORMS = [
  "import M\nM.N('x')",
  "import M\nf = M.N",
  "import M as m\nm.N",
  "import M\nm = M\nm.N('x')",
  "import M\nm = M\nn = m\nn.N",
  "from M import N",
  "from M import N as n\nn('x')",
  "import M\ngetattr(M, 'N')('x')",
  "import M\ng = getattr\ng(M, 'N', None)",
  "import M\n(M).N",
  "import M\nTABLE = {'a': [M.N]}",
  "import M\ndef f(x=M.N): return x",
  "import M\nlambda: M.N",
  "import M\nprint(f'{M.N}')",
  "import importlib\nimportlib.import_module('M').N",
  "import sys\nsys.modules['M'].N",
  "def f():\n    import M\n    return M.N",
  "M.N('x')",
  "def f(M): return M.N",
  "from M import *\nN('x')",
  "import M\nx.M.N",
];

const MEMBERS = Object.entries(table.FILE_FUNCTIONS)
  .flatMap(([module, functions]) => [...functions].map((name) => [module, name]));

Deno.test("reports and sessions agree on every way to every function that touches files", async () => {
  const modules = [...table.FILE_MODULES].map((module) => [module, "anything"]);
  const others = [["shutil", "which"], ["os", "environ"], ["io", "BytesIO"], ["os.path", "join"]];
  for (const [module, name] of [...MEMBERS, ...modules, ...others]) {
    await compare(FORMS.map((form) => form.replaceAll("M", module!).replaceAll("N", name!)));
  }
});

/** Each of these is refused. */
const REFUSED = [
  "o = open",
  "f = [open]",
  "f = {'a': open}",
  "def f(o=open): pass",
  "def f(*, o=open): pass",
  "lambda o=open: o",
  "map(open, ['x'])",
  "list(map(open, []))",
  "import functools\nfunctools.partial(open, 'x')",
  "getattr(__builtins__, 'open')",
  "import builtins\ngetattr(builtins, 'open')",
  "import builtins as b\no = getattr(b, 'op' 'en')",
  "__builtins__.open",
  "__builtins__['open']",
  "__import__('builtins').open",
  "__import__('io').open('x')",
  "__import__('os.path').remove('x')",
  "import sys\nsys.modules['builtins'].open",
  "from builtins import open as o",
  "import io\nio.open",
  "from io import open",
  "import codecs\nwith codecs.open('x') as f: pass",
  "(open)('x')",
  "((open))",
  "print(open.__name__)",
  "x = open if 1 else None",
  "return_ = [o for o in (open,)]",
  "x: object = open",
  "(x := open)",
  "@open\ndef f(): pass",
  "assert open",
  "f(key=open)",
  "f(*[open], **{'a': open})",
  "x[open]",
  "f'{open}'",
  "try:\n    pass\nexcept open:\n    pass",
  "with open('x') as f: pass",
  "import pathlib\np = pathlib.Path('x')\np.open()",
  "import pathlib\nP = pathlib.Path\nP('x').open()",
  "from pathlib import Path as P\n(P('x') / 'y').mkdir()",
  "from pathlib import Path\n('a' / Path('x')).mkdir()",
  "from pathlib import Path\nPath(__file__).parents[1].glob('*')",
  "from pathlib import Path\nPath.cwd().iterdir()",
  "from pathlib import Path\nPath(__file__).resolve().parent.joinpath('x').touch()",
  "from pathlib import Path\na = b = Path('x')\na.mkdir()\nb.mkdir()",
  "from pathlib import Path\np: Path = Path('x')\np.unlink()",
  "from pathlib import Path\np = (Path('x'))\n(p).unlink()",
  "x.read_text()",
  "import sqlite3\nsqlite3.connect('x')",
  "from sqlite3 import connect\nconnect(':memory:')",
  "import zipfile\nzipfile.ZipFile('x')",
  "import gzip\ngzip.open('x')",
  "import tarfile\ntarfile.open('x')",
  "import logging\nlogging.basicConfig(level=1, filename='x')",
  "from logging import basicConfig as c\nc(filename='x')",
  "from logging import handlers\nhandlers.RotatingFileHandler('x')",
  "import httpx",
  "import httpx._client as h",
  "from aiohttp import x, y",
  "__import__('httpx')",
  "import importlib as i\ni.import_module('aiohttp.web')",
  "from importlib import import_module as load\nload('numpy')",
  "import ctypes.util",
  "from _ctypes import x",
  "import cffi",
  "import numpy, pandas",
  "from PIL import Image",
  "try:\n    import orjson\nexcept ImportError:\n    import json",
  "class A: pass",
  "@d\nclass A(B): x = open",
  "def f():\n  class A: pass",
  "type('A', (), {})",
  "type(*args)",
  "t = type\nt('A', (), {})",
  "import builtins\nbuiltins.type('A', (), {})",
  "type.__new__",
  "t = type\nt.__call__",
  "getattr(type, '__new__')",
  "import types as t\nt.new_class",
  "from enum import EnumType as E\nE('A', (), {})",
  "__build_class__(f, 'A')",
  "import builtins\nbuiltins.__build_class__",
  "async def f(): pass",
  "async def f():\n  await g()\n  async for x in y: pass\n  async with z: pass\n  return [a async for a in b]",
  "import os, io\nos.remove('x'); io.open('y')\nos.remove('z')",
];

/** None of these is. */
const FINE = [
  "def open(x): return x\nopen('x')\no = open",
  "open = 1\nprint(open)",
  "def f(open): return open('x')",
  "def f(*open): return open",
  "def f(*, open: int = 1): return open",
  "lambda open: open",
  "for open in []: open()",
  "[open for open in []]",
  "with x as open: open()",
  "with x as (a, open): open()",
  "(open := f())\nopen()",
  "a, (b, open) = x\nopen()",
  "[a, *open] = x\nopen()",
  "open: int\nopen",
  "open += 1",
  "x.open()",
  "f(open=1)",
  "class_ = type(x)",
  "type(x, **kw)",
  "type(a for a in b)",
  "def type(a, b, c): pass\ntype(1, 2, 3)",
  "import os\nos.environ['A'], os.path.join('a', 'b'), os.getcwd()",
  "import io\nio.BytesIO(b'x'), io.StringIO()",
  "import shutil\nshutil.which('x')",
  "import sqlite3\nsqlite3.connect(':memory:')",
  "import sqlite3\nsqlite3.connect(':mem' 'ory:', timeout=1)",
  "import zipfile, io\nzipfile.ZipFile(io.BytesIO(b''))",
  "import zipfile, io\nzipfile.ZipFile((io.BytesIO(b'')), 'r')",
  "import zipfile\nfrom io import BytesIO\nzipfile.ZipFile(BytesIO())",
  "import tarfile, io\ntarfile.open(fileobj=io.BytesIO())",
  "import gzip, io\ngzip.GzipFile(fileobj=io.BytesIO())",
  "import logging\nlogging.basicConfig(level=1)",
  "from pathlib import Path\nP = Path('x') / 'y'\nstr(P.parent), P.name.replace('a', 'b'), P.stem",
  "text.replace('a', 'b'), s.rename(), session.open()",
  "x = 4 / 2\nx.rename()",
  "import importlib\nimportlib.import_module(name)",
  "import_module('httpx')",
  "__import__(name)",
  "from . import httpx\nfrom .numpy import x",
  "'import httpx; open(1)'",
  "# import httpx",
  "x = await_(1)",
  "await_ = 1",
  "def f():\n    global open\n    return 1",
  "import a.b.c\na.b.open()",
  "o.open = 1",
  "",
];

Deno.test("reports and sessions agree on what is refused, and on what is not", async () => {
  const refused = await compare(REFUSED);
  for (const [index, problems] of refused.entries()) {
    assert(problems.length > 0, `not refused: ${REFUSED[index]}`);
  }
  const fine = await compare(FINE);
  assertEquals(fine.flat(), []);
});

Deno.test("reports and sessions agree on programs that are put together from both", async () => {
  let seed = 20_261_128;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  const all = [...REFUSED, ...FINE];
  const programs = Array.from({ length: 600 }, () =>
    Array.from({ length: 2 + random(5) }, () => {
      const text = all[random(all.length)]!;
      return random(3) === 0 ? `if x:\n${text.replace(/^/gm, "    ")}` : text;
    }).join("\n"));
  await compare(programs);
});

Deno.test("the tables of reports and sessions are the same", () => {
  const there = JSON.parse(python.pyodide.runPython(`
import json
from berth_runtime.packages import missing_table
from berth_runtime.profile import table as t
json.dumps({
    "FILE_MODULES": sorted(t.FILE_MODULES),
    "FILE_FUNCTIONS": {k: sorted(v) for k, v in t.FILE_FUNCTIONS.items()},
    "PATH_ALWAYS": sorted(t.PATH_ALWAYS),
    "PATH_METHODS": sorted(t.PATH_METHODS),
    "PATH_STEPS": sorted(t.PATH_STEPS),
    "PATH_CLASSES": sorted(t.PATH_CLASSES),
    "CLASS_MAKERS": sorted(t.CLASS_MAKERS),
    "METACLASSES": sorted(t.METACLASSES),
    "NATIVE_LOADERS": sorted(t.NATIVE_LOADERS),
    "HTTP_LIBRARIES": sorted(t.HTTP),
    "BINARY": sorted(missing_table.NATIVE | t.NATIVE_LOADERS),
})`));
  const sorted = (set: ReadonlySet<string>) => [...set].sort();
  assertEquals({
    FILE_MODULES: sorted(table.FILE_MODULES),
    FILE_FUNCTIONS: Object.fromEntries(
      Object.entries(table.FILE_FUNCTIONS).map(([module, names]) => [module, sorted(names)]),
    ),
    PATH_ALWAYS: sorted(table.PATH_ALWAYS),
    PATH_METHODS: sorted(table.PATH_METHODS.union(table.PATH_ALWAYS)),
    PATH_STEPS: sorted(table.PATH_STEPS),
    PATH_CLASSES: sorted(table.PATH_CLASSES),
    CLASS_MAKERS: sorted(table.CLASS_MAKERS),
    METACLASSES: sorted(table.METACLASSES),
    NATIVE_LOADERS: sorted(table.NATIVE_LOADERS),
    HTTP_LIBRARIES: sorted(table.HTTP_LIBRARIES),
    BINARY: sorted(table.BINARY_PACKAGES.union(table.NATIVE_LOADERS)),
  }, there);
});

Deno.test("reports and sessions agree on compiled modules of the repository, whatever machine they are for", async () => {
  const compiled = [
    "fast.so",
    "fast.abi3.so",
    "fast.cpython-314-wasm32-emscripten.so",
    "fast.cpython-312-x86_64-linux-gnu.so",
    "fast.pyd",
    "fast.cp313-win_amd64.pyd",
    "fast.pyc",
  ];
  const places: [folder: string, source: string, own: Record<string, string>][] = [
    ["", "import fast\n", {}],
    ["", "from fast import run as r\n", {}],
    ["pkg/", "from pkg import fast\n", { "pkg/__init__.py": "" }],
    ["pkg/", "import pkg\n", { "pkg/__init__.py": "from . import fast\n" }],
  ];
  for (const name of compiled) {
    for (const [folder, source, own] of places) {
      const files = { "server.py": source, ...own, [`${folder}${name}`]: "\x7fELF" };
      const what = `${folder}${name}: ${source}`;
      const load = await python.load(files, { profile: "restricted" });
      assertEquals(load.kind, "refused", what);
      const problems = load.kind === "refused" ? load.problems : [];
      type Listed = { file: string; construct: string }[];
      const { result } = await analyseHere<{ refused: Listed; missing: Listed }>(analyse, files, {
        lang: "python",
      });
      const brief = (found: { file: string; construct: string }[]) =>
        found.map(({ file, construct }) => `${file} ${construct}`);
      assertEquals(brief(result.refused), brief(problems), what);
      assertEquals(brief(result.missing), brief(problems), `${what} (full profile)`);
      assertEquals(brief(problems).length, 1, what);
    }
  }
  const sourced = { "server.py": "import fast\n", "fast.py": "", "fast.pyc": "x" };
  assertEquals((await python.load(sourced, { profile: "restricted" })).kind === "refused", false);
  const { result } = await analyseHere<{ refused: unknown[] }>(analyse, sourced, {
    lang: "python",
  });
  assertEquals(result.refused, []);
});
