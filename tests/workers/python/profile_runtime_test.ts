import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const HEAD = `from mcp.server.fastmcp import FastMCP
mcp = FastMCP("late")
`;
const FIRST_LINE = HEAD.split("\n").length;

/** What a tool of this one line says, with the line replaced by "HERE". */
async function said(line: string): Promise<string> {
  const body = `${HEAD}@mcp.tool()\ndef late():\n    ${line}\n`;
  const load = await python.load({ "server.py": body }, { profile: "restricted" });
  assertEquals(load.kind, "loaded", `${line}: ${JSON.stringify(load)}`);
  const result = await python.tool("late");
  assertEquals(result.isError, true, `${line}: ${JSON.stringify(result)}`);
  return result.content[0].text.replaceAll(`server.py:${FIRST_LINE + 2}:`, "HERE:");
}

const CASES: [line: string, text: string][] = [
  [`exec("cla" + "ss A: pass")`, "HERE: class definition in line 1 of the code given to exec: use"],
  [
    `exec("1\\nasy" + "nc def f(): pass")`,
    "HERE: async def in line 2 of the code given to exec: use def",
  ],
  [
    `eval("op" + "en('x')")`,
    "HERE: file I/O (open) in line 1 of the code given to eval: keep data",
  ],
  [
    `compile("import ht" + "tpx", "x", "exec")`,
    "HERE: import of httpx in line 1 of the code given to compile",
  ],
  [`__import__("ht" + "tpx")`, "HERE: import of httpx: use requests"],
  [`__import__("num" + "py.linalg")`, "HERE: binary wheel (numpy): compiled code does not run"],
  [`__import__("cty" + "pes")`, "HERE: C extension (ctypes)"],
  [`__builtins__["__build_" + "class__"](print, "A")`, "HERE: class definition: use functions"],
  [`__builtins__["op" + "en"]("x")`, "HERE: file I/O (open): keep data in memory"],
  [`getattr(__import__("io"), "op" + "en")("x")`, "HERE: file I/O (open): keep data in memory"],
  [`getattr(__import__("os"), "mk" + "dir")("x")`, "HERE: file I/O (os.mkdir): keep data"],
  [
    `getattr(__import__("pathlib").Path("x"), "touch")()`,
    "HERE: file I/O (open): keep data in memory",
  ],
];

for (const [line, text] of CASES) {
  Deno.test(`the restricted profile says where and what instead: ${line}`, async () => {
    assertStringIncludes(await said(line), text);
  });
}

Deno.test("what exec defines has the built-ins of the profile too", async () => {
  const text = await said(`s = {}; exec("def f(): exec('cla' + 'ss A: pass')", s); s["f"]()`);
  assertStringIncludes(text, "class definition in line 1 of the code given to exec");
});

Deno.test("exec, eval and compile go on working in the restricted profile", async () => {
  const load = await python.load({
    "server.py": `${HEAD}
import ast
@mcp.tool()
def work(a: int) -> str:
    b = 2
    space = {"x": a}
    exec("y = x * 2", space)
    tree = compile(ast.parse("a + b", mode="eval"), "<t>", "eval")
    names = {}
    exec("def f(n): return n + 1", globals=names)
    return str([eval("a + b"), space["y"], eval(tree), names["f"](1), eval("x", {"x": 5}),
            [eval("i") for i in range(2)], __import__("json").dumps([1])])
`,
  }, { profile: "restricted" });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  const result = await python.tool("work", { a: 1 });
  assertEquals(result.isError, false, JSON.stringify(result));
  assertEquals(result.content[0].text, "[3, 2, 3, 2, 5, [0, 1], '[1]']");
});

Deno.test("bytecode of the repository never stands for its source", async () => {
  for (const profile of ["restricted", "full"] as const) {
    await python.load({ "server.py": "raise SystemExit" });
    // Marked as one that is not to be compared with its source.
    const hex: string = await python.run(`
import importlib.util, marshal
code = compile("SAID = 'bytecode'", "/app/helper.py", "exec")
(importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)).hex()
`);
    const bytes = Uint8Array.fromHex(hex);
    const fs = python.pyodide.FS;
    const source = `${HEAD}import helper
@mcp.tool()
def said() -> str: return helper.SAID
`;
    python.onFiles = () => {
      fs.mkdirTree("/app/__pycache__");
      fs.writeFile("/app/__pycache__/helper.cpython-314.pyc", bytes);
    };
    await python.load({ "server.py": source, "helper.py": "SAID = 'source'\n" }, { profile });
    assertEquals(await python.text("said"), "source", profile);
    python.onFiles = () => fs.writeFile("/app/helper.pyc", bytes);
    const alone = await python.load({ "server.py": source }, { profile });
    assertStringIncludes(JSON.stringify(alone), "helper.pyc", profile);
    assertEquals(alone.kind, profile === "full" ? "raised" : "refused");
    python.onFiles = () => {};
  }
});
