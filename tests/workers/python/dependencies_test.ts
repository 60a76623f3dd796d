import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function load(source: string, requirement: string) {
  const files = { "server.py": source, "requirements.txt": `${requirement}\n` };
  const load = await python.load(files);
  assertEquals(load.kind, "loaded", JSON.stringify(load));
}

/** What a tool's text says, or why it fails. */
async function said(name: string): Promise<string> {
  const { content } = await python.tool(name);
  return content[0].text;
}

const SIGNED_IN = `from fastmcp import FastMCP
from fastmcp.server.auth.providers.azure import AzureProvider, EntraOBOToken
from fastmcp.server.dependencies import (
    CurrentAccessToken, CurrentHeaders, CurrentRequest, OptionalCurrentContext, TokenClaim,
)
mcp = FastMCP("signed in", auth=AzureProvider(client_id="a", client_secret="b", tenant_id="c"))
@mcp.tool
async def exchanged(token: str = EntraOBOToken(["api://x/read"])) -> str:
    return token
@mcp.tool
def whose(token = CurrentAccessToken()) -> str:
    return token.client_id
@mcp.tool
def claimed(subject: str = TokenClaim("sub")) -> str:
    return subject
@mcp.tool
def asked(request = CurrentRequest()) -> str:
    return request.url
@mcp.tool
async def plain(headers: dict = CurrentHeaders(), ctx = OptionalCurrentContext()) -> str:
    return f"{headers} {ctx.fastmcp.name}"
`;

Deno.test("parameters that a caller's token or request would fill are hidden, and fail in the call that needs them", async () => {
  for (const requirement of ["fastmcp==3.*", "fastmcp==4.*"]) {
    await load(SIGNED_IN, requirement);
    const outcome = await python.request("tools/list");
    assert(outcome.kind === "result");
    for (const { name, inputSchema } of outcome.result.tools) {
      assertEquals(inputSchema.properties ?? {}, {}, name);
    }
    assertStringIncludes(await said("exchanged"), "Berth authenticates callers");
    assertStringIncludes(await said("whose"), "No access token found");
    assertStringIncludes(await said("claimed"), "Cannot extract claim 'sub'");
    assertStringIncludes(await said("asked"), "No active HTTP request found");
    assertEquals(await said("plain"), "{} signed in");
  }
});

const OWN = `from fastmcp import FastMCP
from fastmcp.dependencies import Dependency, Progress, Shared
mcp = FastMCP("own")
made = []
class Store(Dependency[dict]):
    def __init__(self, name):
        self.name = name
    async def __aenter__(self):
        return {"store": self.name}
    async def __aexit__(self, *_):
        pass
async def connect():
    made.append(1)
    return f"connection {len(made)}"
@mcp.tool
async def use(store: dict = Store("main"), link: str = Shared(connect)) -> str:
    return f"{store} {link}"
@mcp.tool
async def work(progress: Progress = Progress()) -> str:
    await progress.set_total(3)
    await progress.increment()
    await progress.set_message("one")
    return f"{progress.current} {progress.total} {progress.message}"
`;

Deno.test("dependencies of a server's own are entered, shared ones are made once, progress is each call's", async () => {
  for (const requirement of ["fastmcp==3.*", "fastmcp==4.*"]) {
    await load(OWN, requirement);
    for (let call = 0; call < 2; call++) {
      assertEquals(await said("use"), "{'store': 'main'} connection 1");
      assertEquals(await said("work"), "1 3 one");
    }
  }
});
