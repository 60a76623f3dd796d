import { assertEquals } from "@std/assert";
import { ToolDiscovery } from "../../../src/scan/schema.ts";
import { runDiscovery } from "../../../src/scan/stages/discovery.ts";
import { withStage } from "../../helpers/analysis.ts";

const SERVER = `from mcp.server.fastmcp import FastMCP
mcp = FastMCP("x")
@mcp.tool()
def one(): pass
@mcp.tool()
def two(): pass
`;

Deno.test("runDiscovery() compares reported tools with the source", async () => {
  await withStage(async ({ deps, input }) => {
    const { discovery: section } = await runDiscovery(deps, {
      ...input({ "server.py": SERVER }),
      tools: ["one", "three"],
    });
    ToolDiscovery.parse(section);
    assertEquals(section.missing, ["three"]);
    assertEquals(section.undeclared, ["two"]);
    assertEquals(section.scan_passed, false);
    assertEquals(section.issues.map(({ rule, severity }) => `${rule} ${severity}`), [
      "tool-missing high",
      "tool-undeclared low",
    ]);
    const { discovery: unreported } = await runDiscovery(deps, {
      ...input({ "server.py": SERVER }),
      tools: null,
    });
    assertEquals([unreported.reported, unreported.scan_passed], [["one", "two"], true]);
    const { discovery: dynamic } = await runDiscovery(deps, {
      ...input({ "server.py": `${SERVER}for f in load(): mcp.add_tool(f)\n` }),
      tools: ["one", "two", "three"],
    });
    assertEquals([dynamic.scan_passed, dynamic.unverified], [true, ["three"]]);
  });
});

Deno.test("runDiscovery() does not call tools missing when it could not look", async () => {
  const { discovery: section } = await runDiscovery({
    now: () => new Date(0),
    analysis: { run: () => Promise.resolve({ kind: "failed", code: "crashed", message: "Gone" }) },
  }, { repository: { files: new Map() }, lang: "python", entrypoint: "a.py", tools: ["a"] });
  assertEquals([section.missing, section.scan_passed], [[], false]);
  assertEquals(section.error, { code: "crashed", message: "Gone" });
});

Deno.test("runDiscovery() keeps no more of tools than every page and answer can hold", async () => {
  const tool = (i: number, description: string) => ({
    name: `tool_${i}`,
    file: "a.py",
    line: 1,
    signature: `tool_${i}()`,
    description,
    declaration: "@mcp.tool()",
  });
  const section = (count: number, description: string) => {
    const tools = Array.from({ length: count }, (_, i) => tool(i, description));
    const result = { tools, dynamic: false, files_scanned: 1, reached: ["a.py"], folders: [""] };
    return runDiscovery({
      now: () => new Date(0),
      analysis: { run: () => Promise.resolve({ kind: "done", result, notAnalysable: [] }) },
    }, { repository: { files: new Map() }, lang: "python", entrypoint: "a.py", tools: null });
  };
  const { discovery: honest } = await section(1000, "x".repeat(3000));
  assertEquals([honest.found.length, honest.scan_passed, honest.error], [1000, true, null]);
  const { discovery: wide } = await section(5000, "x".repeat(4000));
  assertEquals([wide.found, wide.scan_passed, wide.error?.code], [[], false, "limit"]);
});
