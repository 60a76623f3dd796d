import { assert, assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/discovery/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

interface Result {
  tools: {
    name: string;
    file: string;
    line: number;
    signature: string;
    description: string | null;
    declaration: string;
  }[];
  dynamic: boolean;
  files_scanned: number;
  folders: string[] | null;
}

async function discover(
  files: Record<string, string>,
  lang = "python",
  entrypoint?: string,
): Promise<Result> {
  const options = { lang, ...(entrypoint === undefined ? {} : { entrypoint }) };
  return (await analyseHere<Result>(analyse, files, options)).result;
}

const HEAD =
  `from mcp.server.fastmcp import FastMCP\nimport mcp.types as types\nmcp = FastMCP("x")\n`;

/** Source below {@link HEAD} and the names that it declares. */
const PYTHON: [string, string, string[]][] = [
  ["bare decorator", "@mcp.tool\ndef a(): pass", ["a"]],
  ["called decorator", "@mcp.tool()\nasync def a(x: int) -> str: pass", ["a"]],
  ["positional name", `@mcp.tool("b", description="d")\ndef a(): pass`, ["b"]],
  ["keyword name", `@mcp.tool(description="d", name="b")\ndef a(): pass`, ["b"]],
  ["longer chain", `@app.server.tool(name="b")\ndef a(): pass`, ["b"]],
  ["method of a class", "class A:\n    @mcp.tool()\n    def a(self): pass", ["a"]],
  ["instance attribute", "class A:\n  def f(self):\n    @self.mcp.tool()\n    def a(): pass", [
    "a",
  ]],
  ["several decorators", "@mcp.tool()\n@cache\ndef a(): pass", ["a"]],
  ["imported decorator", "from .server import tool\n@tool\ndef a(): pass", ["a"]],
  ["alias", "register = mcp.tool\n@register()\ndef a(): pass", ["a"]],
  ["applied", "def a(): pass\nmcp.tool()(a)", ["a"]],
  ["applied with name", `def a(): pass\nmcp.tool(name="b")(a)`, ["b"]],
  ["applied with position", `def a(): pass\nmcp.tool("b")(a)`, ["b"]],
  ["given", "def a(): pass\nmcp.tool(a, annotations=None)", ["a"]],
  ["given with name", `def a(): pass\nmcp.tool(a, name="b")`, ["b"]],
  ["add_tool", "def a(): pass\nmcp.add_tool(a)", ["a"]],
  ["add_tool with name", `def a(): pass\nmcp.add_tool(fn=a, name="b")`, ["b"]],
  ["given by keyword", "def a(): pass\nmcp.tool(name_or_fn=a)", ["a"]],
  ["given by keyword with name", `def a(): pass\nmcp.tool(name_or_fn=a, name="b")`, ["b"]],
  ["named by the first keyword", `@mcp.tool(name_or_fn="b")\ndef a(): pass`, ["b"]],
  ["applied by keyword", `def a(): pass\nmcp.tool(name="b")(fn=a)`, ["b"]],
  ["add_tool by keyword", "def a(): pass\nmcp.add_tool(tool=a)", ["a"]],
  ["add_tool of a method", "mcp.add_tool(self.search)", ["search"]],
  ["tool object", `mcp.add_tool(Tool.from_function(a, name="b"))\ndef a(): pass`, ["b"]],
  [
    "low level",
    `@server.list_tools()\nasync def list_tools():\n    return [types.Tool(name="a", description="d", inputSchema={}), types.Tool(name="b", inputSchema={})]`,
    ["a", "b"],
  ],
  [
    "names in an enumeration",
    `class Names(str, Enum):\n    A = "a"\n    B = "b"\nT = [types.Tool(name=Names.A), types.Tool(name=Names.B.value)]`,
    ["a", "b"],
  ],
  ["name in a constant", `NAME = "b"\n@mcp.tool(name=NAME)\ndef a(): pass`, ["b"]],
  ["loop over functions", "def a(): pass\ndef b(): pass\nfor f in [a, b]:\n    mcp.tool()(f)", [
    "a",
    "b",
  ]],
  [
    "loop over a constant",
    "def a(): pass\nALL = (a, other.b)\nfor f in ALL:\n    mcp.add_tool(f)",
    ["a", "b"],
  ],
  [
    "loop over pairs",
    `def a(): pass\nfor n, f in [("x", a), ("y", a)]:\n    mcp.tool(name=n)(f)`,
    ["x", "y"],
  ],
  [
    "loop over a dictionary",
    `def a(): pass\nALL = {"x": a, "y": a}\nfor n, f in ALL.items():\n    mcp.add_tool(f, name=n)`,
    ["x", "y"],
  ],
  [
    "loop over literal rows",
    `def a(): pass\nROWS = [{"n": "x", "f": a}, {"n": "y", "f": a}]\nfor r in ROWS:\n    mcp.add_tool(r["f"], name=r["n"])`,
    ["x", "y"],
  ],
  [
    "rows of a comprehension",
    `ROWS = [{"name": "x"}, {"name": "y"}]\nT = [types.Tool(name=r["name"], description=r.get("name")) for r in ROWS]`,
    ["x", "y"],
  ],
  ["wrapped function", "def a(): pass\nmcp.tool()(logged(a))", ["a"]],
  ["a name put together", `@mcp.tool(name="a" + "_b")\ndef f(): pass`, ["a_b"]],
  ["a name with a constant", `P = "my"\n@mcp.tool(name=f"{P}_a")\ndef f(): pass`, ["my_a"]],
  ["a sum of constants", `P = "my_"\nmcp.add_tool(f, name=(P + "a"))\ndef f(): pass`, ["my_a"]],
  ["spread options", `O = {"name": "b", "title": "t"}\n@mcp.tool(**O)\ndef a(): pass`, ["b"]],
  ["spread options without a name", `O = dict(title="t")\n@mcp.tool(**O)\ndef a(): pass`, ["a"]],
  [
    "spread options of spread ones",
    `B = {"title": "t"}\n@mcp.tool(**{**B, "name": "b"})\ndef a(): pass`,
    [
      "b",
    ],
  ],
  ["a spread tool", `t = types.Tool(**{"name": "a", "title": "t"})`, ["a"]],
  ["spread rows", `R = [dict(name="a"), {"name": "b"}]\nT = [types.Tool(**r) for r in R]`, [
    "a",
    "b",
  ]],
  ["a table of names", `N = {"x": "a"}\nt = types.Tool(name=N["x"])`, ["a"]],
  ["a table of tables", `N = {"x": {"y": "a"}}\nt = types.Tool(name=N["x"]["y"])`, ["a"]],
  ["a list of names", `N = ["a", "b"]\nt = types.Tool(name=N[1])`, ["b"]],
  ["names in a loop over keys", `N = {"a": 1, "b": 2}\nT = [types.Tool(name=n) for n in N]`, [
    "a",
    "b",
  ]],
  [
    "names in a loop over sorted keys",
    `N = {"b", "a"}\nT = [types.Tool(name=n) for n in sorted(N)]`,
    [
      "a",
      "b",
    ],
  ],
  [
    "names put together in a loop",
    `P = "my"\nfor x in ("a", "b"):\n    mcp.add_tool(f, name=f"{P}_{x}")\ndef f(): pass`,
    ["my_a", "my_b"],
  ],
  [
    "names put together of rows",
    `for x, y in [("a", "b"), ("c", "d")]:\n    mcp.add_tool(f, name=f"{x}_{y}")\ndef f(): pass`,
    ["a_b", "c_d"],
  ],
  [
    "names put together of two loops",
    `T = [types.Tool(name="%s_%s" % (x, y.lower())) for x in "a", "b" for y in ["C", "D"]]`
      .replace(`"a", "b" for`, `("a", "b") for`),
    ["a_c", "a_d", "b_c", "b_d"],
  ],
  [
    "a name of a choice",
    `import os\n@mcp.tool(name="a" if os.getenv("X") else "b")\ndef f(): pass`,
    ["a", "b"],
  ],
  [
    "a name that is set in two branches",
    `if fast:\n    N = "a"\nelse:\n    N = "b"\n@mcp.tool(name=N)\ndef f(): pass`,
    ["a", "b"],
  ],
  ["no name", "@mcp.tool(name=None)\ndef a(): pass", ["a"]],
  [
    "values of an enumeration",
    `class N(str, Enum):\n    A = "a"\n    B = "b"\nT = [types.Tool(name=n.value) for n in N]`,
    ["a", "b"],
  ],
  [
    "automatic values of an enumeration",
    `class N(StrEnum):\n    FIND = auto()\nt = types.Tool(name=N.FIND)`,
    ["find"],
  ],
  ["a member's own name", `class N(Enum):\n    FIND = 1\nt = types.Tool(name=N.FIND.name)`, [
    "FIND",
  ]],
  ["a member by its name", `class N(Enum):\n    A = "a"\nt = types.Tool(name=N["A"].value)`, ["a"]],
  ["an attribute of a class", `class N:\n    A = "a"\n@mcp.tool(N.A)\ndef f(): pass`, ["a"]],
  [
    "an attribute of the object",
    `class S:\n  NAME = "a"\n  def f(self):\n    return [types.Tool(name=self.NAME), types.Tool(name=self.other)]\n  def __init__(self):\n    self.other = "b"`,
    ["a", "b"],
  ],
  [
    "rows that are objects",
    `@dataclass\nclass Row:\n    name: str\n    fn: object\ndef f(): pass\nfor r in [Row("a", f), Row(fn=f, name="b")]:\n    mcp.add_tool(r.fn, name=r.name)`,
    ["a", "b"],
  ],
  [
    "partial",
    `import functools\nread = functools.partial(mcp.tool, title="t")\n@read()\ndef a(): pass\n@read(name="b")\ndef f(): pass`,
    ["a", "b"],
  ],
  [
    "partial with a name",
    `from functools import partial\nr = partial(mcp.tool, name="b")\nr()(f)\ndef f(): pass`,
    [
      "b",
    ],
  ],
  ["a decorator that is kept", `later = mcp.tool(title="t")\n@later\ndef a(): pass`, ["a"]],
  [
    "a decorator that is given back",
    `def reading(title):\n    return mcp.tool(title=title)\n@reading("t")\ndef a(): pass`,
    ["a"],
  ],
  [
    "a factory of decorators",
    `def named(name):\n    def wrap(fn):\n        mcp.tool(name=name)(fn)\n        return fn\n    return wrap\n@named("a")\ndef f(): pass\n@named("b")\ndef g(): pass`,
    ["a", "b"],
  ],
  [
    "a decorator of the server's own",
    `def mine(fn):\n    mcp.add_tool(fn)\n    return fn\n@mine\ndef a(): pass\n@mine\ndef b(): pass`,
    ["a", "b"],
  ],
  [
    "a helper that registers",
    `def register(server, fn, name=None):\n    server.add_tool(fn, name=name or fn.__name__)\ndef a(): pass\nregister(mcp, a)\nregister(mcp, a, name="b")`,
    ["a", "b"],
  ],
  [
    "a helper that makes tools",
    `def made(name, *, text=""):\n    return types.Tool(name=name, description=text)\nT = [made("a"), made("b", text="t")]`,
    ["a", "b"],
  ],
  ["comment", "# @mcp.tool()\n# def a(): pass", []],
  ["string", `X = """\n@mcp.tool()\ndef a(): pass\n"""`, []],
  ["another framework", "from langchain_core.tools import tool\n@tool\ndef a(): pass", []],
  ["a local function", "def tool(f): return f\n@tool\ndef a(): pass", []],
  ["other decorators", "@mcp.prompt()\ndef a(): pass\n@mcp.resource('x://y')\ndef b(): pass", []],
  ["another library's types", "from google.genai import types\nt = types.Tool(name='a')", []],
];

for (const [what, source, names] of PYTHON) {
  Deno.test(`discovery of Python tools: ${what}`, async () => {
    const { tools, dynamic } = await discover({ "server.py": `${HEAD}${source}\n` });
    assertEquals(tools.map(({ name }) => name).sort(), names);
    assertEquals(dynamic, false);
  });
}

Deno.test("discovery follows registered names, lists and functions into other modules", async () => {
  const { tools, dynamic } = await discover({
    "server.py": `${HEAD}from app.names import NAME, ROWS
from app import work
from app.work import ALL, one
mcp.add_tool(one)
mcp.tool(name=NAME)(work.two)
for f in ALL:
    mcp.tool()(f)
T = [types.Tool(name=r["name"]) for r in ROWS]
`,
    "app/names.py": `NAME = "named"\nROWS = [{"name": "x"}]\n`,
    "app/work.py": `def one(a: int):
    """The first."""
def two(b): pass
def three(): pass
ALL = [three]
`,
  });
  assertEquals(tools.map(({ name }) => name).sort(), ["named", "one", "three", "x"]);
  const first = tools.find(({ name }) => name === "one");
  assertEquals([first?.description, first?.signature], ["The first.", "one(a: int)"]);
  assertEquals(dynamic, false);
});

Deno.test("discovery folds names over modules, whatever way they are imported", async () => {
  const { tools, dynamic } = await discover(
    {
      "app/server.py": `${HEAD}from .names import PREFIX, Names as N, TABLE
from app import names, OPTIONS
from app.base import register, made, reading
import app.names as other
@mcp.tool(name=f"{PREFIX}_a")
def a(): pass
@mcp.tool(name=names.PREFIX + "_b")
def b(): pass
T = [types.Tool(name=N.FIND.value), types.Tool(name=TABLE["x"]), types.Tool(name=other.Names.GET)]
for key, row in names.ROWS.items():
    mcp.add_tool(a, name="_".join([PREFIX, key, row["end"]]))
@mcp.tool(**OPTIONS)
def c(): pass
register(mcp, c, "registered")
T.append(made("made"))
@reading(name="read")
def d(): pass
`,
      "app/__init__.py": `from .names import OPTIONS`,
      "app/names.py": `from enum import Enum
PREFIX = "my"
class Names(str, Enum):
    FIND = "find"
    GET = "get"
TABLE = {"x": f"{PREFIX}_x"}
ROWS = {"k": {"end": "e"}}
OPTIONS = {"name": "optional"}
`,
      "app/base.py": `import functools
from mcp.types import Tool
from app.instance import mcp
def register(server, fn, name): server.add_tool(fn, name=name)
def made(name): return Tool(name=name)
reading = functools.partial(mcp.tool, annotations={"readOnlyHint": True})
`,
      "app/instance.py": `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("x")\n`,
      "app/unrelated.py": `PREFIX = "wrong"\nTABLE = {"x": "wrong"}\n`,
    },
    "python",
    "app/server.py",
  );
  assertEquals(tools.map(({ name }) => name).sort(), [
    "find",
    "get",
    "made",
    "my_a",
    "my_b",
    "my_k_e",
    "my_x",
    "optional",
    "read",
    "registered",
  ]);
  assertEquals(dynamic, false);
});

Deno.test("discovery takes the names that calls are told apart by where the list cannot be read", async () => {
  const { tools, dynamic } = await discover({
    "server.py": `${HEAD}from names import Names
@server.list_tools()
async def list_tools(): return [types.Tool(**each) for each in load()]
@server.call_tool()
async def call_tool(name: str, arguments: dict):
    match name:
        case "a" | "b":
            return 1
        case Names.C.value:
            return 2
        case _:
            pass
    if name == "d": return 3
    elif name == Names.E: return 4
    if arguments["kind"] == "other": return 5
`,
    "names.py": `class Names(str, Enum):\n    C = "c"\n    E = "e"\n`,
  });
  assertEquals(tools.map(({ name }) => name).sort(), ["a", "b", "c", "d", "e"]);
  assertEquals(dynamic, true);
});

Deno.test("discovery takes all modules of a package that are imported by computed names", async () => {
  const { tools, dynamic } = await discover({
    "server.py": `${HEAD}import importlib
for name in names():
    importlib.import_module(f"app.tools.{name}")
`,
    "app/tools/a.py": "@mcp.tool()\ndef a(): pass\n",
    "app/tools/b.py": "import importlib\nimportlib.import_module(f'.{x}', __package__)\n",
    "app/other.py": "@mcp.tool()\ndef other(): pass\n",
  });
  assertEquals([tools.map(({ name }) => name), dynamic], [["a"], false]);
});

const DYNAMIC: [string, string][] = [
  ["computed name", `@mcp.tool(name=f"a_{x}")\ndef a(): pass`],
  ["a name of a changing constant", `P = "a"\nP = load()\n@mcp.tool(name=P + "b")\ndef a(): pass`],
  ["a name of a loop", `for x in load():\n    mcp.tool(name="a" + x)(f)`],
  ["a name of a parameter", `def add(P="a"):\n    mcp.tool(name=f"{P}_b")(f)`],
  ["a name from the environment", `import os\n@mcp.tool(name=os.getenv("N", "a"))\ndef f(): pass`],
  ["a name of a missing key", `N = {"x": "a"}\nt = types.Tool(name=N[key])`],
  ["a spread parameter", "def make(**given):\n    return types.Tool(**given)"],
  ["a row without a name", `T = [types.Tool(**r) for r in [{"name": "a"}, {"title": "b"}]]`],
  [
    "a constant that is set from outside",
    `N = "a"\nif x:\n    N = load()\n@mcp.tool(name=N)\ndef f(): pass`,
  ],
  [
    "a helper that is handed on",
    `def made(name):\n    return types.Tool(name=name)\nT = [made("a"), *map(made, names())]`,
  ],
  ["a helper that nobody calls", `def made(name):\n    return types.Tool(name=name)`],
  [
    "a helper with an unknown argument",
    `def made(name):\n    return types.Tool(name=name)\nT = [made("a"), made(load())]`,
  ],
  ["computed list", "for f in load():\n    mcp.add_tool(f)"],
  ["parameter", "def register(f):\n    mcp.tool()(f)"],
  ["OpenAPI", "mcp = FastMCP.from_openapi(spec)"],
  ["mounted server", "mcp.mount('x', other)"],
  ["unpacked arguments", "t = types.Tool(**spec)"],
  ["modules by computed names", "import importlib\nimportlib.import_module(name)"],
];

for (const [what, source] of DYNAMIC) {
  Deno.test(`discovery says that Python tools are dynamic: ${what}`, async () => {
    assertEquals((await discover({ "server.py": `${HEAD}${source}\n` })).dynamic, true);
  });
}

Deno.test("discovery shows place, signature, description and declaration", async () => {
  const { tools } = await discover({
    "server.py": `${HEAD}
@mcp.tool(
    annotations={"readOnlyHint": True},
)
def forecast(city: str, days: int = 3) -> dict[str, str]:
    """The forecast.

        Indented.
    """
`,
  });
  assertEquals(tools, [{
    name: "forecast",
    file: "server.py",
    line: 5,
    signature: "forecast(city: str, days: int = 3) -> dict[str, str]",
    description: "The forecast.\n\nIndented.",
    declaration: `@mcp.tool( annotations={"readOnlyHint": True}, )`,
  }]);
});

Deno.test("discovery follows imports from the entrypoint and leaves the rest out", async () => {
  const tool = (name: string) => `@mcp.tool()\ndef ${name}(): pass\n`;
  const { tools, files_scanned } = await discover({
    "src/app/server.py":
      "from . import one\nfrom .sub.two import x\nimport app.three\nimport lone as l\n",
    "lone.py": tool("lone"),
    "other.py": tool("other"),
    "src/app/__init__.py": "from .base import tool\n",
    "src/app/base.py": tool("base"),
    "src/app/one.py": `import importlib\nimportlib.import_module("app.five")\n${tool("one")}`,
    "src/app/five.py": tool("five"),
    "src/app/sub/__init__.py": tool("sub"),
    "src/app/sub/two.py": `from ..four import *\n${tool("two")}`,
    "src/app/three.py": tool("three"),
    "src/app/four.py": tool("four"),
    "tests/test_server.py": tool("test"),
  });
  assertEquals(
    tools.map(({ name }) => name).sort(),
    ["base", "five", "four", "lone", "one", "sub", "three", "two"],
  );
  assertEquals(files_scanned, 10);
});

Deno.test("discovery survives names that go round in circles", async () => {
  const { tools } = await discover({
    "server.py": `a = b\nb = a\n@a.tool()\ndef f(): pass\nfor x in x: a.tool()(x)\n`,
  });
  assertEquals(tools.map(({ name }) => name), ["f"]);
});

Deno.test("discovery gives up on names that lead to ever more names", async () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) =>
      `if x: n${i} = n${i + 1}\nelif y: n${i} = n${i + 1} or n${i + 2}\nelse: n${i} = n${i + 3}`,
  );
  const source = `${HEAD}${lines.join("\n")}\n@mcp.tool(name=n0)\ndef a(): pass\nn0()\n`;
  assertEquals((await discover({ "server.py": source })).dynamic, true);
});

const OTHERS: [string, Record<string, string>, string[]][] = [
  ["javascript", {
    "index.js": `import "./more.js";
const NAME = "constant";
// server.tool("comment", () => {})
const text = 'server.tool("text")';
server.tool("plain", async () => ({}));
server.tool("described", "Does it", { a: z.string() }, async ({ a }) => ({}));
server.registerTool("registered", { description: "d", inputSchema: {} }, handler);
server.addTool({ name: "object", description: "d", parameters: {}, execute: async () => "" });
server.tool(NAME, () => {});
server.tool(\`template\`, () => {});
`,
    "more.ts": `export function f(s: McpServer) { s.registerTool("typed", {}, async (a) => a); }`,
    "unreached.js": `server.tool("unreached", () => {});`,
  }, ["constant", "described", "object", "plain", "registered", "template", "typed"]],
  ["typescript", {
    "src/index.ts": `import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { ALL } from "./tools.js";
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [
  { name: "inline", description: "d", inputSchema: { type: "object" } }, ...ALL ] }));`,
    "src/tools.ts":
      `export const ALL: Tool[] = [{ name: "listed", inputSchema: zodToJsonSchema(X) }, { name: "no tool" }];`,
  }, ["inline", "listed"]],
  ["javascript", {
    "index.js": `import { NAMES, ROWS, run } from "./more.js";
server.tool(NAMES.first, run);
for (const row of ROWS) server.registerTool(row.name, row, run);
ROWS2.forEach((row) => server.tool(row.name, run));
for (const [name, row] of Object.entries(TABLE)) server.registerTool(name, row, run);
const TABLE = { t1: { a: 1 }, t2: { a: 2 } };`,
    "more.ts": `export const NAMES = { first: "first" } as const;
export const ROWS = [{ name: "r1" }, { name: "r2" }] satisfies Row[];
export const ROWS2: Row[] = [{ name: "s1" }];
export async function run() {}`,
  }, ["first", "r1", "r2", "s1", "t1", "t2"]],
  ["go", {
    "main.go": `package main
const name = "constant"
// mcp.NewTool("comment")
func main() {
	s.AddTool(mcp.NewTool("first", mcp.WithDescription("Does it")), handle)
	mcp.AddTool(server, &mcp.Tool{Name: "second", Description: "d"}, handle)
	t := mcp.NewTool(name)
	u := mcp.Tool{Name: \`raw\`}
}`,
    "main_test.go": `package main\nvar t = mcp.NewTool("test")`,
  }, ["constant", "first", "raw", "second"]],
  ["rust", {
    "src/main.rs": `#[tool_router]
impl Server {
    /// Adds.
    #[tool]
    async fn add(&self) -> String { String::new() }
    #[tool(name = "named", description = "d")]
    #[allow(dead_code)]
    fn other(&self, #[tool(param)] a: i32) {}
    // #[tool] fn comment() {}
    fn not_a_tool() {}
}
fn low() { let t = Tool::new("low", "d", schema); Tool::new(names::OTHER.into(), "d", s); }
#[mcp_tool(name = "by_struct", description = "d")]
#[derive(Debug)]
pub struct Params { a: i32 }`,
    "src/names.rs": `pub const OTHER: &str = "other";`,
  }, ["add", "by_struct", "low", "named", "other"]],
];

for (const [lang, files, names] of OTHERS) {
  Deno.test(`discovery of ${lang} tools`, async () => {
    const { tools, dynamic } = await discover(files, lang);
    assertEquals(tools.map(({ name }) => name).sort(), names);
    assertEquals(dynamic, false);
    assert(tools.every(({ signature, declaration }) => signature !== "" && declaration !== ""));
  });
}

Deno.test("discovery looks at everything when a build makes the entrypoint", async () => {
  const { result } = await analyseHere<Result>(analyse, {
    "src/index.ts": `server.tool("a", () => {});`,
  }, { lang: "typescript", entrypoint: "dist/index.js" });
  assertEquals(result.tools.map(({ name }) => name), ["a"]);
});

/** Ways to make tools that the source does not name. */
const AT_RUN_TIME: [string, string][] = [
  ["tools read from data", "tools = [types.Tool.model_validate(one) for one in data]"],
  ["tools made from tools", 'mcp.add_tool(Tool.from_tool(other, name="b"))'],
  ["copies under another name", 'extra = known.model_copy(update={"name": "b"})  # Tool'],
  ["dictionaries in place of tools", 'listed = [{"name": "a", "inputSchema": {}}]  # Tool'],
  [
    "a decorator that is kept and handed on",
    "later = mcp.tool()\n@later\ndef a(): pass\nuse(later)",
  ],
  ["a decorator that is given back", "def made(): return mcp.tool(description='d')"],
  [
    "a method that is handed on",
    "import functools\nlater = functools.partial(mcp.tool, title='t')",
  ],
  ["a method that is mapped", "list(map(mcp.add_tool, functions))"],
  ["functions given to the server", 'other = FastMCP("y", tools=found())'],
  ["methods of an object", "Component().register_all(mcp, prefix='p')"],
  [
    "a server that lists by itself",
    "class Mine(FastMCP):\n  async def list_tools(self): return []",
  ],
  [
    "a part that changes the list",
    "class M(Middleware):\n  async def on_list_tools(self, c, n): pass  # Tool",
  ],
];

const UNNAMED = `def deco(f):
  def inner(a): return f(a)
  return inner
`;

/** Each gives a tool another name than the one at its definition. */
const RENAMED: [string, string][] = [
  ["a decorator that hides it", `${UNNAMED}@mcp.tool()\n@deco\ndef a(a): pass`],
  [
    "a decorator with arguments",
    `${UNNAMED.replace("deco(f)", "deco(n)")}@mcp.tool\n@deco(1)\ndef a(): pass`,
  ],
  ["a wrapper that hides it", `${UNNAMED}def a(a): pass\nmcp.tool()(deco(a))`],
  ["__name__", "def a(): pass\na.__name__ = 'b'\nmcp.tool()(a)"],
  ["__name__ by setattr", "def a(): pass\nsetattr(a, '__name__', name)\nmcp.tool()(a)"],
  ["a transformation", "@mcp.tool\ndef a(): pass\nmcp.add_tool_transformation('a', config)"],
  ["a transform", "@mcp.tool\ndef a(): pass\nmcp.add_transform(Namespace('b'))"],
  ["the server's transformations", "other = FastMCP('y', tool_transformations=all)  # Tool"],
  ["a tool's name", "t = types.Tool(name='a')\nt.name = 'b'"],
  ["the name of a decorated tool", "@mcp.tool\ndef a(): pass\na.name = 'b'"],
  ["a loop over tools", "@mcp.tool\ndef a(): pass\nfor tool in all: tool.name = 'b'"],
  ["the server's own table", "mcp._tool_manager._tools['b'] = made"],
];

for (const [name, source] of RENAMED) {
  Deno.test(`discovery says that tools are named at run time by ${name}`, async () => {
    assertEquals((await discover({ "server.py": HEAD + source })).dynamic, true);
  });
}

Deno.test("discovery follows decorators that hand names on, and functions that are bound again", async () => {
  const { tools, dynamic } = await discover({
    "server.py": `${HEAD}import functools
from deco import counted
def logged(f):
    @functools.wraps(f)
    def inner(a): return f(a)
    return inner
def by_hand(f):
    def inner(a): return f(a)
    inner.__name__ = f.__name__
    return inner
def marked(f):
    f.mark = True
    return f
@mcp.tool()
@logged
@by_hand
@marked
@counted
@elsewhere.retry(3)
def a(a): pass
def b(): pass
def c(): pass
b = c
mcp.tool()(b)
def d(): pass
d = mcp.tool()(logged(d))
class Item:
    def __init__(self, item, name):
        self.name = name
        item.name = name
`,
    "deco.py":
      "from functools import wraps\ndef counted(f):\n    @wraps(f)\n    def inner(): pass\n    return inner\n",
  });
  assertEquals(tools.map(({ name }) => name).toSorted(), ["a", "c", "d"]);
  assertEquals(dynamic, false);
});

for (const [name, source] of AT_RUN_TIME) {
  Deno.test(`discovery says that tools are made at run time by ${name}`, async () => {
    assertEquals((await discover({ "server.py": HEAD + source })).dynamic, true);
  });
}

Deno.test("discovery does not say so of what it can name", async () => {
  const source = `
def a(): pass
def b(): pass
for each in (a, b): mcp.add_tool(each)
register = mcp.tool
@register("c")
def c(): pass
@mcp.tool(name="d")
def other(): pass
`;
  const { tools, dynamic } = await discover({ "server.py": HEAD + source });
  assertEquals(tools.map(({ name }) => name).toSorted(), ["a", "b", "c", "d"]);
  assertEquals(dynamic, false);
});

Deno.test("folders are those of files that may run; none are known where that could be anything", async () => {
  const server = `${HEAD}from lib import a\n@mcp.tool()\ndef t(): return a()\n`;
  const files = { "mcp/lib/__init__.py": "def a(): return 1", "web/app.py": "import subprocess" };
  const of = async (text: string) =>
    (await discover({ ...files, "mcp/server.py": text }, "python", "mcp/server.py")).folders;
  assertEquals(await of(server), ["mcp", "mcp/lib"]);
  for (
    const more of [
      "import subprocess",
      "from os import system as s",
      "import os\nos . system('x')",
      "import asyncio\nasyncio.create_subprocess_exec('x')",
      "import os\ngetattr(os, 'sys' + 'tem')('x')",
      "import importlib, sys\nimportlib.import_module(sys.argv[1])",
      "eval(open('x').read())",
      "from multiprocessing import Process",
    ]
  ) assertEquals([more, await of(`${more}\n${server}`)], [more, null]);
  // Wherever it is started from.
  const helper = { "mcp/helper.py": "import pty" };
  const found = await discover(
    { ...files, ...helper, "mcp/server.py": `import helper\n${server}` },
    "python",
    "mcp/server.py",
  );
  assertEquals(found.folders, null);
  assertEquals((await discover({ "a.js": "console.log(1)" }, "javascript", "a.js")).folders, null);
});
