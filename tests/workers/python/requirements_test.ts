import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVER = `from fastmcp import FastMCP
mcp = FastMCP("required")

@mcp.tool
def hello() -> str:
    return "hello"
`;

/** The line of FastMCP that a server with these files is served as. */
async function lineOf(files: Record<string, string>): Promise<number> {
  const load = await python.load({ "server.py": SERVER, ...files });
  if (load.kind !== "loaded") throw new Error(JSON.stringify(load));
  const outcome = await python.request("tools/list");
  if (outcome.kind !== "result") throw new Error(outcome.message);
  return Object.hasOwn(outcome.result.tools[0]._meta, "fastmcp") ? 3 : 2;
}

Deno.test("a requirement that admits FastMCP 3 has the server served as that", async () => {
  const lines: Record<string, number> = {
    "": 3,
    ">=2.0": 3,
    ">=2.12,<3": 2,
    ">=2.12,<3.2": 3,
    "~=2.1": 2,
    "~=3.1": 3,
    "==2.*": 2,
    "==3.*": 3,
    "==2.14.5": 2,
    "==3.0.2": 3,
    "<3.0.0": 2,
    "[websockets]>=3": 3,
    "!=2.3": 3,
    " (>=2,<4)": 3,
    ">=4": 3,
    "<=2.14; python_version>'3.9'": 2,
  };
  const found: Record<string, number> = {};
  for (const clauses of Object.keys(lines)) {
    found[clauses] = await lineOf({ "requirements.txt": `requests\nfastmcp${clauses}\n` });
  }
  assertEquals(found, lines);
});

Deno.test("the requirement is looked for wherever a project may have it, the lock first", async () => {
  const pyproject = (text: string) => ({ "pyproject.toml": `[project]\nname = "x"\n${text}` });
  const poetry = (version: string) => ({
    "pyproject.toml": `[tool.poetry.dependencies]\nfastmcp = ${version}\n`,
  });
  const lock = (version: string) => ({ "uv.lock": `name = "fastmcp"\nversion = "${version}"\n` });
  const open = pyproject('dependencies = ["fastmcp>=2"]');
  const cases: [number, Record<string, string>][] = [
    [2, {}],
    [2, { "requirements.txt": "fastmcp-extras\nmcp>=1\n" }],
    [3, open],
    [2, { ...open, ...lock("2.12.4") }],
    [3, { ...open, ...lock("3.1.0") }],
    [2, pyproject('dependencies = ["mcp"]')],
    [2, poetry('"^2.3"')],
    [3, poetry('"^3.0"')],
    [3, poetry('{ version = "*", extras = ["x"] }')],
    [2, poetry('"2.11.0"')],
    [2, poetry('"~2.3"')],
    [3, { "setup.py": 'setup(install_requires=["fastmcp>=3"])' }],
    [2, { "pyproject.toml": "broken [" }],
    [2, {
      ...open,
      "server.py": `# /// script\n# dependencies = ["fastmcp<3"]\n# ///\n${SERVER}`,
    }],
  ];
  for (const [line, files] of cases) {
    assertEquals([await lineOf(files), files], [line, files]);
  }
});
