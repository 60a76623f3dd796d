import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

/** What `importlib.metadata` says of the project `my-srv`. */
interface Told {
  version: string;
  requires: string[];
  extras: string[];
  points: string[];
}

/** Loads a server beside the project's files, which must not run. */
async function told(
  files: Record<string, string>,
  profile: "restricted" | "full" = "full",
): Promise<Told> {
  const source = `import importlib.metadata as m, json
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("plain")
own = m.distribution("my-srv")
found = {
    "version": m.version("my_srv"),
    "requires": m.requires("my-srv") or [],
    "extras": own.metadata.get_all("Provides-Extra") or [],
    "points": [f"{point.group} {point.name} = {point.value}" for point in own.entry_points],
}
@mcp.tool()
def told() -> str:
    return json.dumps(found)
`;
  const input = { entrypoint: "main.py", profile };
  const load = await python.load({ "main.py": source, ...files }, input);
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  return JSON.parse(await python.text("told"));
}

const NONE: Told = { version: "0.0.0", requires: [], extras: [], points: [] };

Deno.test("a project's metadata has what setup.py gives to setup(), which is not run", async () => {
  const stop = "raise SystemExit('was run')\n";
  const cases: [what: string, files: Record<string, string>, expected: Partial<Told>][] = [
    ["all in one line", {
      "setup.py": `${stop}from setuptools import setup\nsetup(name='my-srv', version='1.2')\n`,
    }, { version: "1.2" }],
    ["lists, tables and a text of entry points", {
      "setup.py": `import setuptools
setuptools.setup(
    name="my-srv", version="2",
    install_requires=["httpx>=0.27", "tomli; python_version < '3.11'"],
    extras_require={"fast": ["orjson"], ":sys_platform == 'win32'": ["colorama"]},
    entry_points={"console_scripts": ["my-srv = my.srv:run"], "my.plugins": "one = my.one:go"},
)
`,
    }, {
      version: "2",
      requires: [
        "httpx>=0.27",
        "tomli; python_version < '3.11'",
        'orjson; extra == "fast"',
        "colorama; (sys_platform == 'win32')",
      ],
      extras: ["fast"],
      points: ["console_scripts my-srv = my.srv:run", "my.plugins one = my.one:go"],
    }],
    ["names that are assigned once", {
      "setup.py": `from setuptools import setup
NAME: str = "my-srv"
MAJOR = "3"
BASE = ["a>=1"]
MORE = "b c".split()
facts = dict(version=f"{MAJOR}.1", extras_require={"x": [*BASE]})
if True:
    setup(name=NAME, install_requires=BASE + MORE, entry_points="[g]\\nn = m:f\\n", **facts)
`,
    }, {
      version: "3.1",
      requires: ["a>=1", "b", "c", 'a>=1; extra == "x"'],
      extras: ["x"],
      points: ["g n = m:f"],
    }],
    ["a file of requirements", {
      "setup.py": `from setuptools import setup
with open("requirements.txt") as file:
    required = file.read().splitlines()
setup(name="my-srv", version="1", install_requires=required)
`,
      "requirements.txt": "# ours\none>=1  # why\n-r more.txt\n\ntwo\n",
    }, { version: "1", requires: ["one>=1", "two"] }],
    ["the version of the package itself", {
      "setup.py": "from setuptools import setup\nsetup(name='my-srv', version=read())\n",
      "src/my_srv/_version.py": "__version__ = '4.5'\n",
    }, { version: "4.5" }],
    ["what is computed is left out, the rest stays", {
      "setup.py": `from setuptools import setup, find_packages
import os
deps = ["a"]
deps += os.listdir()
setup(name="my-srv", version="1", packages=find_packages(), install_requires=deps,
      extras_require={"x": ["b", name()], name(): ["c"]}, entry_points=points())
`,
    }, { version: "1", requires: ['b; extra == "x"'], extras: ["x"] }],
    ["setup.cfg stands where the script says nothing", {
      "setup.py": "import setuptools\nsetuptools.setup(version='6')\n",
      "setup.cfg": `[metadata]
name = my-srv
version = 5
[options]
install_requires =
    one
    two>=2
[options.extras_require]
x = three
[options.entry_points]
console_scripts =
    my-srv = my.srv:run
`,
    }, {
      version: "6",
      requires: ["one", "two>=2", 'three; extra == "x"'],
      extras: ["x"],
      points: ["console_scripts my-srv = my.srv:run"],
    }],
    ["setup.cfg that names files and modules", {
      "setup.cfg": `[metadata]
name = my-srv
version = attr: my_srv.__version__
[options]
install_requires = file: needs.txt
`,
      "my_srv.py": "__version__ = '7'\n",
      "needs.txt": "one\n",
    }, { version: "7", requires: ["one"] }],
    ["fields that pyproject.toml leaves to the script", {
      "pyproject.toml": `[project]\nname = "my-srv"\ndynamic = ["version", "dependencies"]\n`,
      "setup.py": "from setuptools import setup\nsetup(version='8', install_requires=['one'])\n",
    }, { version: "8", requires: ["one"] }],
  ];
  for (const [what, files, expected] of cases) {
    for (const profile of ["restricted", "full"] as const) {
      assertEquals({ what, ...await told(files, profile) }, { what, ...NONE, ...expected });
    }
  }
});

Deno.test("a project whose setup.py cannot be read has what else is known of it", async () => {
  const scripts = [
    "setup(name='my-srv'",
    "\u0000",
    `setup(name=${"(".repeat(2000)}1${")".repeat(2000)})`,
    `x = ${"-".repeat(20_000)}1\nsetup(name=x)`,
    "a = b\nb = a\nsetup(name=a, version=b)",
    `a0 = ''\n${
      Array.from({ length: 3000 }, (_, at) => `a${at + 1} = a${at} + 'x'`).join("\n")
    }\nsetup(description=a3000)`,
    "setup(**{**x}, install_requires=[*1], extras_require=3, entry_points=['a'], keywords={1: 2})",
    "setup(extras_require={'x': 3}, entry_points={'g': 4}, project_urls=[1], classifiers='a')",
  ];
  for (const script of scripts) {
    const files = { "setup.py": script, "setup.cfg": "[metadata]\nname = my-srv\nversion = 9\n" };
    const { version } = await told(files);
    assertEquals([script.slice(0, 40), version], [script.slice(0, 40), "9"]);
  }
});

Deno.test("a project of Poetry requires its packages with extras and markers, optional ones for extras alone", async () => {
  const pyproject = `[tool.poetry]
name = "my-srv"
version = "1.0"
[tool.poetry.dependencies]
python = "^3.10"
httpx = { version = "^0.27", extras = ["http2"], markers = "sys_platform == 'win32'" }
requests = "^2.31"
rich = "*"
tomli = { version = "2.*", python = "<3.11" }
pick = [
    { version = "<2", platform = "linux" },
    { version = ">=2", platform = "win32", python = "^3.12" },
]
own = { git = "https://example.com/own.git", tag = "v1" }
file = { url = "https://example.com/file-1-py3-none-any.whl" }
orjson = { version = "~3.9.1", optional = true }
unused = { version = "1.0", optional = true }
[tool.poetry.extras]
fast = ["orjson", "rich"]
[tool.poetry.scripts]
my-srv = "my.srv:run"
other = { reference = "my.other:run", type = "console" }
`;
  assertEquals(await told({ "pyproject.toml": pyproject }), {
    version: "1.0",
    requires: [
      "httpx[http2]>=0.27,<0.28 ; sys_platform == 'win32'",
      "requests>=2.31,<3",
      "rich",
      'tomli==2.* ; python_version < "3.11"',
      'pick<2 ; sys_platform == "linux"',
      'pick>=2 ; (python_version >= "3.12") and (python_version < "4") and (sys_platform == "win32")',
      "own @ git+https://example.com/own.git@v1",
      "file @ https://example.com/file-1-py3-none-any.whl",
      'orjson>=3.9.1,<3.10; extra == "fast"',
    ],
    extras: ["fast"],
    points: ["console_scripts my-srv = my.srv:run", "console_scripts other = my.other:run"],
  });
});

Deno.test("an entry point of setup.py starts the server when nothing else does", async () => {
  const load = await python.load({
    "setup.py": `from setuptools import setup
setup(name="x", entry_points={"console_scripts": ["x=pkg.server:launch"]})
`,
    "pkg/__init__.py": "",
    "pkg/server.py": `from mcp.server.fastmcp import FastMCP
def launch():
    mcp = FastMCP("launched")
    mcp.tool(name="hello")(lambda: "hello")
    mcp.run()
`,
  }, { entrypoint: "pkg/server.py" });
  assertEquals(load.kind === "loaded" && load.info.name, "launched", JSON.stringify(load));
});
