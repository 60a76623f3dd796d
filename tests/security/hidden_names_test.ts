/**
 * Dangerous functions that a server hides from readers: each form is a server whose audit has a
 * finding that fails the scan.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { analyse } from "../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../workers/analysis/finding.ts";
import { analyseHere } from "../helpers/analysis.ts";

/** What hides the function, and the body of the tool's module; `X` is the caller's word. */
const FORMS: [string, string][] = [
  ["another module's import", `import shutil\ndef t(X: str): return shutil.os.system(X)`],
  ["another module's private import", `import random\ndef t(X: str): return random._os.system(X)`],
  ["a module taken from another", `from shutil import os as o\ndef t(X: str): return o.system(X)`],
  ["a built-in's module", `def t(X: str): return print.__self__.eval(X)`],
  [
    "a table of runners",
    `import subprocess\nR = {"r": subprocess.run}\ndef t(X: str): return R["r"](X, shell=True)`,
  ],
  ["reversed", `import os\ndef t(X: str): return getattr(os, "".join(reversed("metsys")))(X)`],
  ["an escape", `import builtins\ndef t(X: str): return getattr(builtins, "\\x65val")(X)`],
  [
    "an attribute of an object",
    `import subprocess\nclass A:\n    def __init__(self): self.r = subprocess.run\n    def go(self, x): return self.r(x, shell=True)\na = A()\ndef t(X: str): return a.go(X)`,
  ],
  [
    "a thread",
    `import os, threading\ndef t(X: str): threading.Thread(target=os.system, args=(X,)).start()`,
  ],
  ["full-width letters", `import os\ndef t(X: str): return ｅval(X)`],
  ["mathematical letters", `import os\ndef t(X: str): return 𝓸𝓼.system(X)`],
  ["an alias of __import__", `f = __import__\ndef t(X: str): return f("os").system(X)`],
  ["a sum of texts", `import os\ndef t(X: str): return getattr(os, "sys" + "tem")(X)`],
  ["an f-string", `import os\nP = "sys"\ndef t(X: str): return getattr(os, f"{P}tem")(X)`],
  ["join", `import os\ndef t(X: str): return getattr(os, "".join(["sys", "tem"]))(X)`],
  ["chr", `import builtins\ndef t(X: str): return getattr(builtins, chr(101) + "val")(X)`],
  [
    "a comprehension of codes",
    `import builtins\ndef t(X: str): return getattr(builtins, "".join(chr(c) for c in [101,118,97,108]))(X)`,
  ],
  [
    "map(chr)",
    `import builtins\ndef t(X: str): return getattr(builtins, "".join(map(chr, (101,118,97,108))))(X)`,
  ],
  [
    "bytes",
    `import builtins\ndef t(X: str): return getattr(builtins, bytes([101,118,97,108]).decode())(X)`,
  ],
  [
    "Base64",
    `import base64, os\ndef t(X: str): return getattr(os, base64.b64decode("c3lzdGVt").decode())(X)`,
  ],
  [
    "hexadecimal digits",
    `import os\ndef t(X: str): return getattr(os, bytes.fromhex("73797374656d").decode())(X)`,
  ],
  [
    "rot13",
    `import codecs, os\ndef t(X: str): return getattr(os, codecs.decode("flfgrz", "rot13"))(X)`,
  ],
  ["a reversed text", `import os\ndef t(X: str): return getattr(os, "metsys"[::-1])(X)`],
  ["replace", `import os\ndef t(X: str): return getattr(os, "sysXtem".replace("X", ""))(X)`],
  ["format", `import os\ndef t(X: str): return getattr(os, "{}{}".format("sys", "tem"))(X)`],
  ["%", `import os\ndef t(X: str): return getattr(os, "%stem" % "sys")(X)`],
  [
    "a local name",
    `import os\ndef t(X: str):\n    n = "sys"\n    m = n + "tem"\n    return getattr(os, m)(X)`,
  ],
  [
    "a table of texts",
    `import os\nN = {"a": "system"}\ndef t(X: str): return getattr(os, N["a"])(X)`,
  ],
  [
    "a list of texts",
    `import os\nN = ["len", "system"]\ndef t(X: str): return getattr(os, N[1])(X)`,
  ],
  [
    "a choice of two",
    `import os\ndef t(X: str): return getattr(os, "system" if X else "getcwd")(X)`,
  ],
  ["an alias of getattr", `import os\ng = getattr\ndef t(X: str): return g(os, "sys" + "tem")(X)`],
  ["an alias of the module", `import os as o\ndef t(X: str): return getattr(o, "sys" + "tem")(X)`],
  [
    "an alias of the result",
    `import os\ndef t(X: str):\n    f = getattr(os, "sys" + "tem")\n    return f(X)`,
  ],
  ["vars", `import os\ndef t(X: str): return vars(os)["system"](X)`],
  ["__dict__", `import os\ndef t(X: str): return os.__dict__["sys" + "tem"](X)`],
  ["__dict__.get", `import os\ndef t(X: str): return os.__dict__.get("system")(X)`],
  ["__getattribute__", `import os\ndef t(X: str): return os.__getattribute__("system")(X)`],
  [
    "object.__getattribute__",
    `import os\ndef t(X: str): return object.__getattribute__(os, "system")(X)`,
  ],
  ["__builtins__", `def t(X: str): return __builtins__["ev" + "al"](X)`],
  ["an attribute of __builtins__", `def t(X: str): return getattr(__builtins__, "ev" + "al")(X)`],
  ["globals()", `def t(X: str): return globals()["__builtins__"]["eval"](X)`],
  ["a name for a namespace", `import os\nD = vars(os)\ndef t(X: str): return D["system"](X)`],
  ["__import__", `def t(X: str): return __import__("o" + "s").system(X)`],
  [
    "import_module",
    `import importlib\ndef t(X: str): return importlib.import_module("os").system(X)`,
  ],
  ["sys.modules", `import sys\ndef t(X: str): return sys.modules["os"].system(X)`],
  [
    "sys.modules.get",
    `import sys\ndef t(X: str): return getattr(sys.modules.get("os"), "system")(X)`,
  ],
  [
    "a module from a table",
    `import sys\nm = sys.modules["o" + "s"]\ndef t(X: str): return m.system(X)`,
  ],
  ["posix", `import posix\ndef t(X: str): return posix.system(X)`],
  ["attrgetter", `import operator, os\ndef t(X: str): return operator.attrgetter("system")(os)(X)`],
  [
    "methodcaller",
    `import operator, os\ndef t(X: str): return operator.methodcaller("system", X)(os)`,
  ],
  [
    "itemgetter",
    `import operator, os\ndef t(X: str): return operator.itemgetter("system")(vars(os))(X)`,
  ],
  [
    "reduce(getattr)",
    `import functools, os\ndef t(X: str): return functools.reduce(getattr, ["system"], os)(X)`,
  ],
  ["pydoc.locate", `import pydoc\ndef t(X: str): return pydoc.locate("os.system")(X)`],
  ["resolve_name", `import pkgutil\ndef t(X: str): return pkgutil.resolve_name("os:system")(X)`],
  ["map", `def t(X: str): return list(map(eval, [X]))`],
  ["filter", `def t(X: str): return list(filter(exec, [X]))`],
  ["a sorting key", `def t(X: str): return sorted([X], key=eval)`],
  ["a table of functions", `O = {"calc": eval, "len": len}\ndef t(X: str): return O["calc"](X)`],
  ["a list of functions", `def t(X: str): return [print, eval][1](X)`],
  ["dict(…)", `O = dict(calc=eval)\ndef t(X: str): return O["calc"](X)`],
  ["a class's attribute", `class O:\n    run = eval\ndef t(X: str): return O.run(X)`],
  ["partial", `import functools, os\nr = functools.partial(os.system)\ndef t(X: str): return r(X)`],
  [
    "partial with a shell",
    `import functools, subprocess\nr = functools.partial(subprocess.run, shell=True)\ndef t(X: str): return r(X)`,
  ],
  ["a lambda", `import os\nr = lambda c: os.system(c)\ndef t(X: str): return r(X)`],
  ["a lambda called at once", `import os\ndef t(X: str): return (lambda c: os.system(c))(X)`],
  ["a function given to a lambda", `def t(X: str): return (lambda f: f(X))(eval)`],
  ["a default", `def run(x, f=eval): return f(x)\ndef t(X: str): return run(X)`],
  [
    "a decorator's argument",
    `def by(f):\n    return lambda g: f\n@by(eval)\ndef run(x): ...\ndef t(X: str): return run(X)`,
  ],
  ["star unpacking", `def run(f, x): return f(x)\ndef t(X: str): return run(*[eval, X])`],
  ["several targets", `a, b = eval, len\ndef t(X: str): return a(X)`],
  ["a chain of targets", `a = b = eval\ndef t(X: str): return b(X)`],
  ["a walrus", `def t(X: str): return (f := eval)(X)`],
  ["a choice of functions", `def t(X: str): return (eval if X else print)(X)`],
  ["or", `def t(X: str): return (None or eval)(X)`],
  ["__call__", `def t(X: str): return eval.__call__(X)`],
  ["__self__ of a built-in", `def t(X: str): return getattr(eval.__self__, "exec")(X)`],
  ["a star import", `from os import *\ndef t(X: str): return system(X)`],
  ["an imported name", `from os import system as s\ndef t(X: str): return s(X)`],
  [
    "an imported name in a table",
    `from os import system as s\nO = {"a": s}\ndef t(X: str): return O["a"](X)`,
  ],
  ["a name of the caller", `import os\ndef t(X: str, n: str): return getattr(os, n)(X)`],
  [
    "a name from a file",
    `import json, os\nN = json.load(open("n.json"))\ndef t(X: str): return getattr(os, N["f"])(X)`,
  ],
  ["a name of a list of names", `import os\ndef t(X: str): return getattr(os, dir(os)[300])(X)`],
  ["all functions of a module", `import os\ndef t(X: str): return list(vars(os).values())[40](X)`],
  ["a name of globals", `def t(X: str, n: str): return globals()[n](X)`],
  [
    "names of a dictionary",
    `import builtins\nD = builtins.__dict__\ndef t(X: str, n: str): return D[n](X)`,
  ],
  ["all subclasses", `def t(X: str): return ().__class__.__base__.__subclasses__()[140]("x")`],
  ["subclasses by mro", `def t(X: str): return "".__class__.__mro__[1].__subclasses__()`],
  ["__globals__", `def f(): ...\ndef t(X: str): return f.__globals__["__builtins__"]["eval"](X)`],
  [
    "a frame's built-ins",
    `import sys\ndef t(X: str): return sys._getframe().f_builtins["eval"](X)`,
  ],
  ["gc", `import gc\ndef t(X: str): return [o for o in gc.get_objects() if callable(o)][0](X)`],
  [
    "exchanged code",
    `def f(): ...\ndef t(X: str):\n    f.__code__ = compile(X, "", "exec")\n    f()`,
  ],
  ["run_js", `from pyodide.code import run_js\ndef t(X: str): return run_js("1")`],
  ["js", `import js\ndef t(X: str): return js.eval("1")`],
  ["pyodide_js", `import pyodide_js\ndef t(X: str): return 1`],
  ["_pyodide", `from _pyodide._base import eval_code\ndef t(X: str): return eval_code("1")`],
  [
    "js by name",
    `import importlib\nj = importlib.import_module("j" + "s")\ndef t(X: str): return 1`,
  ],
  ["pythonapi", `import ctypes\ndef t(X: str): return ctypes.pythonapi.PyRun_SimpleString(b"1")`],
  [
    "the interpreter's library",
    `import ctypes\nl = ctypes.CDLL(None)\ndef t(X: str): return l.system(b"1")`,
  ],
  [
    "InteractiveInterpreter",
    `import code\ndef t(X: str): return code.InteractiveInterpreter().runsource(X)`,
  ],
  [
    "InteractiveConsole",
    `from code import InteractiveConsole\nclass C(InteractiveConsole): ...\ndef t(X: str): return 1`,
  ],
  ["code.interact", `import code\ndef t(X: str): code.interact()`],
  ["codeop", `import codeop\ndef t(X: str): return codeop.compile_command(X)`],
  ["timeit", `import timeit\ndef t(X: str): return timeit.timeit(X)`],
  ["cProfile", `import cProfile\ndef t(X: str): return cProfile.run(X)`],
  ["pdb", `import pdb\ndef t(X: str): return pdb.run(X)`],
  ["runpy", `import runpy\ndef t(X: str): return runpy.run_path(X)`],
  [
    "a decoded module name",
    `import base64\ndef t(X: str): return __import__(base64.b85decode("Z*u").decode()).system(X)`,
  ],
  [
    "a module name from a decoder that is not followed",
    `import quopri\ndef t(X: str): return __import__(quopri.decodestring("=6F=73").decode()).f(X)`,
  ],
];

function server(body: string): string {
  const tool = body.replace(/^(async )?def t\(/m, "@mcp.tool()\n$1def t(");
  return `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("s")\n${tool}\nmcp.run()\n`;
}

for (const [what, body] of FORMS) {
  Deno.test(`a function hidden by ${what} fails the scan`, async () => {
    const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, {
      "server.py": server(body),
    });
    const grave = result.code.filter(({ severity }) => /^(critical|high)$/.test(severity));
    assert(grave.length > 0, `only ${JSON.stringify(result.code.map(({ rule }) => rule))}`);
  });
}

/** Whether a package is there, by the name that it is installed under. */
function looking(change: string): string {
  return `WANTED = ["pdfminer.six", "python-pptx"]
def t(X: str):
    found = {}
    for each in WANTED:
        try:
            __import__(each${change})
            found[each] = True
        except ImportError: pass
    return found`;
}

Deno.test("names of packages that become those of modules hide nothing, unless letters go", async () => {
  const graves = async (change: string) => {
    const source = server(looking(change));
    const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, { "server.py": source });
    return result.code.filter(({ severity }) => /high|critical/.test(severity)).length;
  };
  for (const change of ["", `.replace("-", "_")`, `.replace("-", "_").replace(".", "_")`]) {
    assertEquals([change, await graves(change)], [change, 0]);
  }
  for (const change of [`.replace("-", "")`, `.replace("pdf", "o")`, `.replace("-", "_")[::-1]`]) {
    assertEquals([change, await graves(change)], [change, 1]);
  }
});
