import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

/** A server with a text file, a file of bytes, a folder and paths that are not there. */
const server = (sdk: string, types: string, start: string) => `
import os
from ${sdk} import FastMCP
from ${types} import DirectoryResource, FileResource

os.makedirs("/tmp/kept/deep", exist_ok=True)
for name in ("a.txt", "b.bin", "deep/c.txt"):
    with open(f"/tmp/kept/{name}", "w") as file:
        file.write(f"in {name}")
mcp = FastMCP("stored")
for resource in (
    FileResource(uri="kept://text", path="/tmp/kept/a.txt", name="text"),
    FileResource(uri="kept://bytes", path="/tmp/kept/b.bin", name="bytes", is_binary=True),
    FileResource(uri="kept://gone", path="/tmp/kept/gone.txt", name="gone"),
    DirectoryResource(uri="kept://folder", path="/tmp/kept", name="folder"),
    DirectoryResource(uri="kept://all", path="/tmp/kept", name="all", recursive=True, pattern="*.txt"),
    DirectoryResource(uri="kept://nowhere", path="/tmp/nowhere", name="nowhere"),
):
    mcp.add_resource(resource)

@mcp.tool()
def relative() -> str:
    try:
        FileResource(uri="kept://x", path="a.txt", name="x")
    except Exception as error:
        return str(error)
    return "no error"

${start}
`;

for (
  const [sdk, types] of [
    ["mcp.server.fastmcp", "mcp.server.fastmcp.resources"],
    ["fastmcp", "fastmcp.resources"],
  ] as const
) {
  Deno.test(`files and folders are resources, read when they are asked for (${sdk})`, async () => {
    const load = await python.load({ "server.py": server(sdk, types, "mcp.run()") });
    assertEquals(load.kind, "loaded", JSON.stringify(load));
    // deno-lint-ignore no-explicit-any -- what is read has many shapes
    async function read(name: string): Promise<any> {
      const outcome = await python.request("resources/read", { uri: `kept://${name}` });
      assertEquals(outcome.kind, "result", JSON.stringify(outcome));
      return (outcome as { result: { contents: unknown[] } }).result.contents[0];
    }
    assertEquals((await read("text")).text, "in a.txt");
    assertEquals((await read("bytes")).blob, btoa("in b.bin"));
    assertEquals(JSON.parse((await read("folder")).text).files.sort(), ["a.txt", "b.bin"]);
    assertEquals(JSON.parse((await read("all")).text).files.sort(), ["a.txt", "deep/c.txt"]);
    for (const name of ["gone", "nowhere"]) {
      const outcome = await python.request("resources/read", { uri: `kept://${name}` });
      assertEquals(outcome.kind, "error", JSON.stringify(outcome));
      assertStringIncludes(JSON.stringify(outcome), "Error reading");
    }
    assertStringIncludes(await python.text("relative"), "Path must be absolute");
  });
}
