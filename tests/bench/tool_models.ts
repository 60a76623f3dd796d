// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * What the runtime's own models of tools cost beside those of pydantic, in one session of the `full`
 * profile: 50 tools with three parameters of built-in types each are described, as a start does.
 *
 *     deno run -A tests/bench/tool_models.ts
 *
 * @module
 */
import { callTool, openTestHosts, sessionInput } from "../helpers/interpreter.ts";

const SOURCE = `
import gc, inspect, json, time
from mcp.server.fastmcp import FastMCP
from pydantic import create_model

mcp = FastMCP("models")

def functions():
    made = []
    for n in range(50):
        names = {}
        exec(f"def work_{n}(name: str, count: int = 1, parts: list[str] | None = None) -> str:\\n"
             f"    'Work {n}.'\\n    return name", names)
        made.append(names[f"work_{n}"])
    return made

def own(made):
    server = FastMCP("own")
    for each in made:
        server.add_tool(each)
    return server

def pydantics(made):
    models = {}
    for each in made:
        fields = {
            name: (p.annotation, ... if p.default is inspect.Parameter.empty else p.default)
            for name, p in inspect.signature(each).parameters.items()
        }
        models[each.__name__] = create_model(each.__name__, **fields)
        models[each.__name__].model_json_schema()
    return models

@mcp.tool()
async def measure() -> str:
    """Measures."""
    found = {"own": [], "pydantic": []}
    for _ in range(5):
        for kind in found:
            made = functions()
            gc.collect()
            start = time.perf_counter()
            if kind == "own":
                await own(made).list_tools()
            else:
                pydantics(made)
            found[kind].append((time.perf_counter() - start) * 1000 / 50)
    return json.dumps({kind: sorted(times)[2] for kind, times in found.items()})

mcp.run()
`;

await using hosts = await openTestHosts();
const session = await hosts.open(
  sessionInput(SOURCE, { profile: "full", imports: ["pydantic"] }),
);
const found: Record<string, number> = JSON.parse(await callTool(session, "measure"));
console.log("| models | ms a tool |\n| --- | --- |");
for (const [kind, ms] of Object.entries(found)) console.log(`| ${kind} | ${ms.toFixed(2)} |`);
await session.close();
