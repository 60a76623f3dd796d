import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

Deno.test("a session gets packages when its server imports them", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(`
import sys
import pydantic
from pydantic import BaseModel, Field, TypeAdapter
class Point(BaseModel):
    x: int = Field(gt=1)
@tool
def core() -> str:
    return sys.modules["pydantic_core._pydantic_core"].__file__ + " " + str("pydantic" in sys.modules)
@tool
def late() -> str:
    import yaml, bs4, dateutil.parser, httpx
    import importlib.metadata as metadata
    return " ".join([yaml.safe_dump({"a": 1}).strip(), bs4.BeautifulSoup("<b>x</b>", "html.parser").b.text,
        str(dateutil.parser.parse("2020-01-02").year), metadata.version("httpx")])
@tool
def point(p: Point) -> int:
    return p.x
`)));
  assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
  assertStringIncludes(await callTool(session, "core"), "emscripten.so True");
  assertEquals(await callTool(session, "late"), "a: 1 x 2020 0.28.1");
  assertEquals(await callTool(session, "point", { p: { x: 5 } }), "5");
  assert((await callTool(session, "point", { p: { x: 0 } })).includes("greater than 1"));
});

Deno.test("what the full profile has is named where the restricted one lacks it", async () => {
  await using hosts = await openTestHosts();
  const input = sessionInput("import yaml\n", { profile: "restricted" });
  const { load } = await hosts.open(input);
  assert(load.kind === "raised");
  assertStringIncludes(
    load.message,
    "No module named 'yaml' (main.py, line 1: it is available in the",
  );
  assertStringIncludes(load.message, "INTERPRETER_PROFILE=full");
});

Deno.test("packages see what they require, and start servers of click and starlette", async () => {
  const tools = `
@mcp.tool()
def hello() -> str:
    return "hello"
`;
  const ways = [
    `import click
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("click")
${tools}
@click.command()
@click.option("--port", default=8000)
def main(port): mcp.run(transport="sse")
if __name__ == "__main__":
    main()
`,
    `import anyio, uvicorn
from mcp.server.fastmcp import FastMCP
from starlette.applications import Starlette
from starlette.routing import Mount
mcp = FastMCP("web")
${tools}
async def main():
    async with anyio.create_task_group() as group:
        app = Starlette(routes=[Mount("/mcp", app=mcp.streamable_http_app())])
        await uvicorn.Server(uvicorn.Config(app)).serve()
anyio.run(main)
`,
    `import sys, httpx, pydantic_settings, os
from mcp.server.fastmcp import FastMCP
class Settings(pydantic_settings.BaseSettings):
    token: str = "none"
    class Config:
        env_prefix = "MY_"
# httpx looks for a command line's packages, which it does not require.
assert "rich" not in sys.modules and Settings().token == "none"
os.environ["MY_TOKEN"] = "t"
assert Settings().token == "t"
mcp = FastMCP("settings")
${tools}
`,
  ];
  await using hosts = await openTestHosts();
  for (const source of ways) {
    const session = await hosts.open(sessionInput(source));
    assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
    assertEquals(await callTool(session, "hello"), "hello");
    await session.close();
  }
});

Deno.test("a settings class says which environment variable it lacks", async () => {
  await using hosts = await openTestHosts();
  const { load } = await hosts.open(sessionInput(`
from pydantic_settings import BaseSettings, SettingsConfigDict
class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_")
    token: str
Settings()
`));
  assert(load.kind === "raised", JSON.stringify(load));
  assertStringIncludes(load.message, "The environment variable APP_TOKEN is not set");
  assertEquals(load.missing_environment, ["APP_TOKEN"]);
});
