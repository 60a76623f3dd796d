import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const FILES = {
  "skills/review/SKILL.md": "---\ndescription: Reviews code\n---\n# Review\nRead it.\n",
  "skills/review/notes/more.md": "more",
  "skills/plain/SKILL.md": "# Plain skill\n",
  "skills/no_skill/README.md": "",
};

const load = async (requirement: string, source: string) => {
  const files = { ...FILES, "requirements.txt": requirement, "server.py": source };
  const load = await python.load(files);
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  return load;
};

for (const version of ["3.4.11", "4.2.3"]) {
  Deno.test(`FastMCP ${version} offers the skills of a folder as resources`, async () => {
    await load(
      `fastmcp==${version}`,
      `
from pathlib import Path
from fastmcp import FastMCP
from fastmcp.server.providers.skills import ClaudeSkillsProvider, SkillsDirectoryProvider
mcp = FastMCP("skills", providers=[SkillsDirectoryProvider(Path(__file__).parent / "skills")])
mcp.add_provider(ClaudeSkillsProvider())
`,
    );
    const listed = await python.request("resources/list");
    if (listed.kind === "error") throw new Error(listed.message);
    const { resources } = listed.result;
    assertEquals(resources.map(({ uri }: { uri: string }) => uri).sort(), [
      "skill://plain/SKILL.md",
      "skill://plain/_manifest",
      "skill://review/SKILL.md",
      "skill://review/_manifest",
    ]);
    const main = resources.find(({ uri }: { uri: string }) => uri === "skill://review/SKILL.md");
    assertEquals(main, {
      uri: "skill://review/SKILL.md",
      name: "review/SKILL.md",
      description: "Reviews code",
      mimeType: "text/markdown",
      _meta: { fastmcp: { tags: [], skill: { name: "review", is_manifest: false } } },
    });
    const read = async (uri: string) => {
      const outcome = await python.request("resources/read", { uri });
      return outcome.kind === "error" ? outcome.message : outcome.result.contents[0].text;
    };
    assertEquals(await read("skill://review/notes/more.md"), "more");
    assertStringIncludes(await read("skill://review/_manifest"), '"path": "notes/more.md"');
    assertStringIncludes(await read("skill://review/../../server.py"), "escapes skill directory");
  });
}

Deno.test("a provider of skills is asked and told as any other of FastMCP 3", async () => {
  await load(
    "fastmcp==3.4.11",
    `
from pathlib import Path
from fastmcp import FastMCP
from fastmcp.server.providers.skills import SkillProvider, SkillsDirectoryProvider
HERE = Path(__file__).parent / "skills"
skills = SkillsDirectoryProvider([])
skills.add_provider(SkillProvider(HERE / "review"))
skills.add_provider(SkillProvider(HERE / "plain"))
MAIN = "skill://review/SKILL.md"
mcp = FastMCP("skills", providers=[skills])

@mcp.tool
async def asked() -> list[str]:
    async with skills.lifespan():
        main = await skills.get_resource(MAIN)
        files = await skills.get_resource_template("skill://review/notes/more.md")
        nothing = [await skills.list_tools(), await skills.list_prompts(), await skills.get_tool("x")]
        return [main.name, files.name, str(await skills.get_resource("skill://none")), str(nothing)]

@mcp.tool
def shown(what: str) -> str:
    if what == "no manifests":
        skills.disable(names={"skill://review/_manifest", "skill://plain/_manifest"})
    elif what == "main of review":
        skills.enable(keys={f"resource:{MAIN}@"}, only=True)
    elif what == "no resources":
        skills.disable(components={"resource"})
    else:
        skills.enable()
    return what
`,
  );
  const answer = async (name: string, args = {}) => {
    const outcome = await python.request("tools/call", { name, arguments: args });
    if (outcome.kind === "error") throw new Error(outcome.message);
    return outcome.result.structuredContent.result;
  };
  assertEquals(await answer("asked"), [
    "review/SKILL.md",
    "review_files",
    "None",
    "[[], [], None]",
  ]);
  const listed = async (what: string) => {
    await answer("shown", { what });
    const outcome = await python.request("resources/list");
    if (outcome.kind === "error") throw new Error(outcome.message);
    return outcome.result.resources.map(({ uri }: { uri: string }) => uri.slice(8)).sort();
  };
  assertEquals(await listed("no manifests"), ["plain/SKILL.md", "review/SKILL.md"]);
  assertEquals(await listed("main of review"), ["review/SKILL.md"]);
  assertEquals(await listed("no resources"), []);
  assertEquals((await listed("all")).length, 4);
});

Deno.test("an extension is advertised, lives with the server and sees calls first", async () => {
  const loaded = await load(
    "fastmcp==4.2.3",
    `
import contextlib
from fastmcp import FastMCP
from fastmcp.server.extensions import ServerExtension
from fastmcp.tools import ToolResult
seen = []
class Gate(ServerExtension):
    identifier = "com.example/gate"
    def settings(self): return {"strict": True}
    @contextlib.asynccontextmanager
    async def lifespan(self):
        seen.append("begun")
        yield
    async def intercept_tool_call(self, params, context, call_next):
        seen.append(params["name"] if isinstance(params, dict) else params.name)
        if len(seen) > 2: return ToolResult("stopped", {"result": "stopped"})
        return await call_next()
mcp = FastMCP("extended")
mcp.add_extension(Gate())
@mcp.tool
def look() -> str: return ",".join(seen)
`,
  );
  const { capabilities } = loaded.kind === "loaded" ? loaded.info : { capabilities: {} };
  assertEquals((capabilities as Record<string, unknown>)["extensions"], {
    "com.example/gate": { strict: true },
  });
  assertEquals(await python.text("look"), "begun,look");
  assertEquals(await python.text("look"), "stopped");
});
