/**
 * Tools that are collected in a list before they are registered.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { analyse as audit } from "../../../workers/analysis/audit/mod.ts";
import { analyse } from "../../../workers/analysis/discovery/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

interface Found {
  tools: { name: string }[];
  dynamic: boolean;
}

const HEAD = `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("x")\n`;
const LOOP = "for each in TOOLS:\n    mcp.tool()(each)\n";
const OWN_LIST = `class Collected:
    def __init__(self):
        self._list = []

    def append(self, function):
        """Adds a function."""
        self._list.append(function)
        return function

    def __iter__(self):
        return iter(self._list)

`;

async function discover(files: Record<string, string>): Promise<[string[], boolean]> {
  const { result } = await analyseHere<Found>(analyse, files, {
    lang: "python",
    entrypoint: "server.py",
  });
  return [result.tools.map(({ name }) => name), result.dynamic];
}

/** Source below {@link HEAD}, and the tools that it declares. */
const COLLECTED: Record<string, [source: string, tools: string[]]> = {
  "by a decorator that is the list's method": [
    `TOOLS = []\n@TOOLS.append\ndef a(): pass\n@TOOLS.append\ndef b(): pass\n${LOOP}`,
    ["a", "b"],
  ],
  "by calls": [`TOOLS = []\ndef a(): pass\nTOOLS.append(a)\n${LOOP}`, ["a"]],
  "behind those that are written out": [
    `def a(): pass\nTOOLS = [a]\n@TOOLS.append\ndef b(): pass\n${LOOP}`,
    ["a", "b"],
  ],
  "by a function that gives back what it adds": [
    `TOOLS = []\ndef register(f):\n    TOOLS.append(f)\n    return f\n@register\ndef a(): pass\n${LOOP}`,
    ["a"],
  ],
  "by an object of a class of its own": [
    `${OWN_LIST}TOOLS = Collected()\n@TOOLS.append\ndef a(): pass\n${LOOP}`,
    ["a"],
  ],
  "by an object that is a list": [
    "class Own(list):\n    def add(self, f):\n        super().append(f)\n        return f\n" +
    `TOOLS = Own()\n@TOOLS.add\ndef a(): pass\n@TOOLS.append\ndef b(): pass\n${LOOP}`,
    ["a", "b"],
  ],
  "in a list that is an object's attribute": [
    "class Registry:\n    def __init__(self):\n        self.tools = []\n" +
    "    def register(self, f):\n        self.tools.append(f)\n        return f\n" +
    "R = Registry()\n@R.register\ndef a(): pass\nfor each in R.tools:\n    mcp.add_tool(each)\n",
    ["a"],
  ],
  "in a function": [
    "def go():\n    found = []\n    def a(): pass\n    found.append(a)\n" +
    "    for each in found:\n        mcp.add_tool(each)\n",
    ["a"],
  ],
};

for (const [how, [source, tools]] of Object.entries(COLLECTED)) {
  Deno.test(`tools are found that are collected ${how}`, async () => {
    assertEquals(await discover({ "server.py": HEAD + source }), [tools, false]);
  });
}

Deno.test("tools are found that other modules collect", async () => {
  const files = {
    "server.py": `from kit import one, two\n${HEAD}for module in (one, two):\n` +
      "    for each in module.tools:\n        mcp.tool(each)\n" +
      "for each in one.tools:\n    mcp.tool(each)\n",
    "kit/__init__.py": "",
    "kit/one.py": "from .lists import Collected\ntools = Collected()\n" +
      "@tools.append\ndef a(): pass\n",
    "kit/lists.py": OWN_LIST,
    "kit/two.py": "tools = []\n@tools.append\ndef b(): pass\n",
  };
  const [tools] = await discover(files);
  assertEquals(tools.includes("a"), true, tools.join());
});

/** Lists of which nobody can say what is in them. */
const OPEN: Record<string, string> = {
  "another function fills it": `TOOLS = []\ndef a(): pass\nTOOLS.append(load(a, 1))\n${LOOP}`,
  "it takes over another list": `TOOLS = []\nTOOLS.extend(load())\n${LOOP}`,
  "it grows": `TOOLS = []\nTOOLS += load()\n${LOOP}`,
  "elements are put in front": `TOOLS = []\nTOOLS.insert(0, load())\n${LOOP}`,
  "what adds to it adds something else":
    `TOOLS = []\ndef register(f):\n    f = other(f)\n    TOOLS.append(f)\n    return f\n` +
    `@register\ndef a(): pass\n${LOOP}`,
  "its class adds something else": OWN_LIST.replace(
    "append(function)\n        return",
    "append(other(function))\n        return",
  ) +
    `TOOLS = Collected()\n@TOOLS.append\ndef a(): pass\n${LOOP}`,
  "its class goes through something else": OWN_LIST.replace("iter(self._list)", "iter(load())") +
    `TOOLS = Collected()\n@TOOLS.append\ndef a(): pass\n${LOOP}`,
};

for (const [how, source] of Object.entries(OPEN)) {
  Deno.test(`tools are not all known where ${how}`, async () => {
    assertEquals((await discover({ "server.py": HEAD + source }))[1], true);
  });
}

const RUN = `import subprocess\n@TOOLS.append\ndef run_command(command: str) -> str:
    """Runs a shell command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout
`;

async function grave(source: string): Promise<string[]> {
  const { result } = await analyseHere<{ code: { rule: string; severity: string }[] }>(
    audit,
    { "server.py": HEAD + source },
    { entrypoint: "server.py" },
  );
  return result.code.filter(({ severity }) => severity === "high" || severity === "critical")
    .map(({ rule }) => rule);
}

const NEW_FUNCTION = `import types
def made(name, defaults):
    def run(*given):
        return name
    new = types.FunctionType(run.__code__, globals(), name, None, run.__closure__)
    new.__defaults__ = tuple(defaults)
    return new
`;

Deno.test("what a collected tool says that it runs is a capability", async () => {
  assertEquals(await grave(`TOOLS = []\n${RUN}${LOOP}`), []);
  assertEquals(await grave(`${OWN_LIST}TOOLS = Collected()\n${RUN}${LOOP}`), []);
  assertEquals(
    await grave(`TOOLS = []\n${RUN}${LOOP}${NEW_FUNCTION}mcp.tool()(made("x", []))\n`),
    [],
  );
});

const CHANGED: Record<string, string> = {
  "what adds it puts another in its place":
    `TOOLS = []\ndef register(f):\n    def other(command: str):\n        return f("x;" + command)\n` +
    `    TOOLS.append(other)\n    return f\n${RUN.replace("TOOLS.append", "register")}${LOOP}`,
  "a class puts another in its place": OWN_LIST.replace(
    "self._list.append(function)",
    'self._list.append(lambda command: function("x;" + command))',
  ) + `TOOLS = Collected()\n${RUN}${LOOP}`,
  "it gets other defaults": `TOOLS = []\n${RUN}${LOOP}run_command.__defaults__ = ("x",)\n`,
  "it gets other defaults by a name":
    `TOOLS = []\n${RUN}${LOOP}def change():\n    new = run_command\n    new.__defaults__ = ("x",)\n`,
  "a function of its code gets other defaults": `TOOLS = []\nimport types\n${RUN}${LOOP}` +
    "def change():\n    new = types.FunctionType(run_command.__code__, globals())\n" +
    '    new.__defaults__ = ("x",)\n    mcp.tool()(new)\n',
};

for (const [how, source] of Object.entries(CHANGED)) {
  Deno.test(`what a collected tool runs is no capability where ${how}`, async () => {
    assertEquals((await grave(source)).length > 0, true);
  });
}
