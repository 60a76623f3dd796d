/**
 * Modules that start programs or run code where they are kept under other names: in classes, objects,
 * tables, other modules. Each form is a server whose audit has a finding that fails the scan.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { fails, type Repository, scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

/** What keeps the module, and the body of the tool's module; `X` is the caller's word. */
const FORMS: [string, string][] = [
  ["the body of a class", `class C:\n    o = os\ndef t(X: str): return C.o.system(X)`],
  [
    "a class, read through its object",
    `class C:\n    o = os\n    def go(self, x): return self.o.system(x)\ndef t(X: str): return C().go(X)`,
  ],
  [
    "a base class",
    `class B:\n    o = os\nclass C(B): pass\ndef t(X: str): return C.o.system(X)`,
  ],
  [
    "a class in a class",
    `class A:\n    class B:\n        o = os\ndef t(X: str): return A.B.o.system(X)`,
  ],
  ["a walrus", `class C:\n    x = (o := os)\ndef t(X: str): return C.o.system(X)`],
  ["a loop", `class C:\n    for o in (os,): pass\ndef t(X: str): return C.o.system(X)`],
  [
    "an attribute of an object",
    `class C:\n    def __init__(self): self.o = os\ndef t(X: str): return C().o.system(X)`,
  ],
  [
    "an attribute of the same name",
    `class C:\n    def __init__(self): self._os = os\n    def go(self, x): return self._os.system(x)\ndef t(X: str): return C().go(X)`,
  ],
  [
    "an attribute of the same name that is looked into",
    `class C:\n    os = os\ndef t(X: str): return getattr(C.os, X)("id")`,
  ],
  ["an argument", `def go(m, x): return m.system(x)\ndef t(X: str): return go(os, X)`],
  ["a default argument", `def go(x, m=os): return m.system(x)\ndef t(X: str): return go(X)`],
  [
    "a field's default",
    `import dataclasses\n@dataclasses.dataclass\nclass D:\n    m: object = dataclasses.field(default=os)\ndef t(X: str): return D().m.system(X)`,
  ],
  ["an attribute of a function", `def go(): pass\ngo.o = os\ndef t(X: str): return go.o.system(X)`],
  ["a table", `T = {"o": os}\ndef t(X: str): return T["o"].system(X)`],
  ["a list", `T = [json, os]\ndef t(X: str): return T[1].system(X)`],
  [
    "a function's result",
    `def m(): return os\nclass C:\n    m = staticmethod(m)\ndef t(X: str): return C.m().system(X)`,
  ],
  [
    "a property",
    `class C:\n    @property\n    def m(self): return os\ndef t(X: str): return C().m.system(X)`,
  ],
  [
    "a bound lookup",
    `import functools\ngo = functools.partial(getattr, os)\ndef t(X: str): return go("system")(X)`,
  ],
  [
    "a bound import",
    `import functools\ngo = functools.partial(__import__, "os")\ndef t(X: str): return go().system(X)`,
  ],
  [
    "a method that is mapped",
    `from operator import methodcaller\ndef t(X: str): return list(map(methodcaller("system", X), [os]))`,
  ],
  [
    "several attributes at once",
    `from operator import attrgetter\ndef t(X: str): return attrgetter("path", "system")(os)[1](X)`,
  ],
  [
    "a module that is imported in place",
    `T = {"o": importlib.import_module("os")}\ndef t(X: str): return T["o"].system(X)`,
  ],
  [
    "a text's braces",
    `def t(X: str): return f"{(o := os) or 1}" and o.system(X)`,
  ],
  ["a list in a text's braces", `def t(X: str): return f"{[os][0].system(X)}"`],
  ["names of a function", `def t(X: str):\n    import os as o\n    return locals()["o"].system(X)`],
  [
    "a table of the names of another module",
    `T = [vars(shutil)["os"]]\ndef t(X: str): return T[0].system(X)`,
  ],
];

for (const [what, body] of FORMS) {
  Deno.test(`a module that is kept in ${what} fails the scan`, async () => {
    assert(fails(await scan({ "server.py": startingServer(body) })));
  });
}

/** What one module keeps for another, or sets in it. */
const MODULES: Record<string, Repository> = {
  "a class": {
    "server.py": startingServer("from helper import C\ndef t(X: str): return C.o.system(X)"),
    "helper.py": "import os\nclass C:\n    o = os\n",
  },
  "an object": {
    "server.py": startingServer("from helper import c\ndef t(X: str): return c.o.system(X)"),
    "helper.py": "import os\nclass C:\n    def __init__(self): self.o = os\nc = C()\n",
  },
  "a table": {
    "server.py": startingServer('import helper\ndef t(X: str): return helper.T["o"].system(X)'),
    "helper.py": 'import os\nT = {"o": os}\n',
  },
  "a function": {
    "server.py": startingServer("from helper import get\ndef t(X: str): return get().system(X)"),
    "helper.py": "import os\ndef get(): return os\n",
  },
};

for (const [what, files] of Object.entries(MODULES)) {
  Deno.test(`a module that ${what} of another module keeps fails the scan`, async () => {
    assert(fails(await scan(files)));
  });
}

/** How a server sets the text that another module, or another function, compiles. */
const WRITES: [string, string][] = [
  [
    "sys.modules",
    'import helper\ndef t(X: str):\n    sys.modules["helper"].CODE = X\n    return helper.run()',
  ],
  [
    "import_module",
    'def t(X: str):\n    m = importlib.import_module("helper")\n    m.CODE = X\n    return m.run()',
  ],
  [
    "its names",
    "import helper\ndef t(X: str):\n    helper.__dict__.update(CODE=X)\n    return helper.run()",
  ],
  [
    "setattr",
    'import helper\ndef t(X: str):\n    setattr(sys.modules["helper"], "CODE", X)\n    return sys.modules["helper"].run()',
  ],
];

for (const [what, body] of WRITES) {
  Deno.test(`a text of another module that is set by ${what} and compiled fails the scan`, async () => {
    assert(fails(
      await scan({
        "server.py": startingServer(body),
        "helper.py": 'CODE = "1"\ndef run(): return eval(CODE)\n',
      }),
    ));
  });
}

Deno.test("a text that a function sets for all and another compiles fails the scan", async () => {
  const body =
    `CODE = "1"\ndef run(): return eval(CODE)\ndef t(X: str):\n    global CODE\n    CODE = X\n    return run()`;
  assert(fails(await scan({ "server.py": startingServer(body) })));
});

/** What honest servers have of the same shape. */
const HONEST: [string, string][] = [
  [
    "a module under its own name",
    `class C:\n    def __init__(self): self._os = os\n    def go(self, x): return self._os.path.join("a", x)\ndef t(X: str): return C().go(X)`,
  ],
  [
    "other modules in a table",
    `T = {"json": json, "path": Path}\ndef t(X: str): return T["json"].loads(X)`,
  ],
  [
    "constants that are looked up",
    `def t(X: str): return getattr(os, "O_BINARY", 0), hasattr(os, "fork")`,
  ],
  [
    "a module that may be missing",
    `posix = None\ntry:\n    import posix\nexcept ImportError: pass\nHAS = posix and hasattr(posix, "x")\ndef t(X: str): return X`,
  ],
  [
    "parameters of the same name",
    `def pick(os: str): return {"os": os, "v": [os]}\ndef t(X: str): return pick(X)`,
  ],
  [
    "variables of the same name",
    `import platform\ndef t(X: str):\n    os = platform.system()\n    return {"os": os}`,
  ],
  [
    "a module that is imported late",
    `def load():\n    import subprocess as sp\n    return sp.run(["git", "status"], check=True)\ndef t(X: str): return load()`,
  ],
  [
    "the text of a field that is called like a module",
    `import argparse\ndef show(host): return f"OS: {host.os or 'none'} {host.os if host.os else '-'} {(host.os)}"\ndef t(X: str): return show(json.loads(X, object_hook=lambda found: argparse.Namespace(**found)))`,
  ],
  [
    "a setting of another module",
    `m = importlib.import_module("json")\nm.LIMIT = 5\ndef t(X: str): return m.loads(X)`,
  ],
];

for (const [what, body] of HONEST) {
  Deno.test(`a server with ${what} passes the scan`, async () => {
    assertEquals((await scan({ "server.py": startingServer(body) })).grave, []);
  });
}
