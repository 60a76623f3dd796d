import { assert, assertEquals } from "@std/assert";
import { openTestHosts, sessionInput } from "../../helpers/interpreter.ts";

const PROJECT = `[project]
name = "program"
version = "1"
[project.scripts]
program = "program.cli:app"
`;
const SERVER = `import sys
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import Tool
async def serve():
    server = Server("low")
    words = "-".join(sys.argv[1:])
    @server.list_tools()
    async def tools():
        return [Tool(name=words, inputSchema={"type": "object"})]
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())
`;
const CLIS: Record<string, string> = {
  "a command of Typer": `import asyncio, typer
app = typer.Typer(no_args_is_help=True)
@app.callback()
def main(lang: str | None = None): "A program."
@app.command()
def status(): print("fine")
@app.command(name="serve")
def begin(folder: str = "x"):
    from program.server import serve
    asyncio.run(serve())
`,
  "a command of click": `import asyncio, click
@click.group()
@click.option("--verbose", is_flag=True)
def app(verbose): "A program."
@app.command()
@click.argument("file")
def status(file): print("fine")
@app.command(name="serve")
def begin():
    from program.server import serve
    asyncio.run(serve())
`,
  "a command in a command": `import asyncio, typer
app = typer.Typer()
inner = typer.Typer()
app.add_typer(inner, name="mcp")
@app.command()
def status(): print("fine")
@inner.command()
def status(): print("fine")
@inner.command(name="serve")
def begin():
    from program.server import serve
    asyncio.run(serve())
`,
  "the only command": `import asyncio, typer
app = typer.Typer()
@app.command()
def program():
    from program.server import serve
    asyncio.run(serve())
`,
};
const WORDS: Record<string, string> = {
  "a command in a command": "mcp-serve",
  "the only command": "",
};

function inputOf(files: Record<string, string>, entrypoint: string) {
  const encoder = new TextEncoder();
  const contents = Object.entries(files).map(([path, text]) =>
    [path, encoder.encode(text)] as const
  );
  return sessionInput("", { files: new Map(contents), entrypoint });
}

Deno.test("a command line that a function of the entrypoint imports is found", async () => {
  await using hosts = await openTestHosts();
  const files = {
    "program/__init__.py": "def main():\n    from .cli import app\n    app()\n",
    "program/cli.py": CLIS["a command in a command"]!,
    "program/server.py": SERVER,
    "pyproject.toml": PROJECT.replace("program.cli:app", "program:main"),
  };
  const { load } = await hosts.open(inputOf(files, "program/__init__.py"));
  assertEquals(load.kind, "loaded", JSON.stringify(load));
});

Deno.test("an entrypoint that asks for a command is started by one that serves", async () => {
  await using hosts = await openTestHosts();
  for (const what of ["a command of Typer", "a command of click"]) {
    const files = {
      "program/__init__.py": "",
      "program/__main__.py": `${CLIS[what]!}\nif __name__ == "__main__":\n    app()\n`,
      "program/server.py": SERVER,
    };
    const { load } = await hosts.open(inputOf(files, "program/__main__.py"));
    assertEquals([what, load.kind], [what, "loaded"], JSON.stringify(load));
  }
  const quits = "import sys\nfrom mcp.server.fastmcp import FastMCP\nsys.exit(2)\n";
  const { load } = await hosts.open(sessionInput(quits));
  assertEquals(load.kind, "raised");
});

for (const [what, cli] of Object.entries(CLIS)) {
  Deno.test(`a program that serves by ${what} is started by that`, async () => {
    await using hosts = await openTestHosts();
    for (const entrypoint of ["src/program/cli.py", "src/program/__init__.py"]) {
      const files = {
        "pyproject.toml": PROJECT,
        "src/program/__init__.py": "from program.cli import app\n",
        "src/program/cli.py": cli,
        "src/program/server.py": SERVER,
      };
      const session = await hosts.open(inputOf(files, entrypoint));
      assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
      const options = { deadlineMs: 60_000, requestId: 1 };
      const listed = await session.request("tools/list", {}, options);
      assert(listed.kind === "result", JSON.stringify(listed));
      const { tools } = listed.result as { tools: { name: string }[] };
      assertEquals(tools.map(({ name }) => name), [WORDS[what] ?? "serve"]);
    }
  });
}

Deno.test("commands that serve nothing start nothing, and what fails in one is said", async () => {
  await using hosts = await openTestHosts();
  const cli = `import typer
class Proxy:
    def __getattr__(self, name): raise RuntimeError("outside of a request")
current = Proxy()
app = typer.Typer()
@app.command()
def status(): print("fine")
@app.command(name="serve")
def begin(): raise RuntimeError("no license")
`;
  const session = await hosts.open(sessionInput(cli));
  assertEquals(session.load.kind, "raised");
  assertEquals(JSON.stringify(session.load).includes("no license"), true);
});
