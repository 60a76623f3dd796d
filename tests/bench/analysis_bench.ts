/**
 * How long the analysers take over a made-up server of about 300 KB, process and channel included.
 *
 * @module
 */
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { createLogger } from "../../src/log.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

const tool = (i: number) =>
  `@mcp.tool()
def tool_${i}(city: str, days: int = ${i % 7}) -> dict:
    """The forecast of a city, number ${i}."""
    if days > 3 and city:
        answer = requests.get(f"https://api.example.com/{city}/{days}", timeout=10)
        return {"city": city, "days": [day["t"] for day in answer.json() if day["t"] > ${i}]}
    return {"city": city, "days": [], "note": "nothing for " + city.strip().lower()}

`;
const module = (from: number) =>
  `import requests\nfrom app import mcp\n\n` +
  Array.from({ length: 25 }, (_, i) => tool(from + i)).join("");

const text = new TextEncoder();
const files = new Map<string, Uint8Array>([
  ["app.py", text.encode(`from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("bench")\n`)],
]);
for (let i = 0; i < 26; i++) files.set(`tools_${i}.py`, text.encode(module(i * 25)));
const imports = Array.from({ length: 26 }, (_, i) => `import tools_${i}\n`).join("");
files.set("server.py", text.encode(`${imports}from app import mcp\nmcp.run()\n`));

const log = createLogger({ level: "error", format: "text", write: () => {} });
const analysis = createAnalysis({ walls: NO_WALLS, log, processes: 1 });

for (const analyser of ["quality", "discovery", "audit"] as const) {
  Deno.bench(`${analyser} of 27 modules, warm process`, { warmup: 1, n: 5 }, async () => {
    const outcome = await analysis.run(
      { analyser, lang: "python", entrypoint: "server.py", files },
      { deadlineMs: 60_000 },
    );
    if (outcome.kind !== "done") throw new Error(outcome.message);
  });
}

Deno.bench("discovery of one module, new process", { warmup: 1, n: 5 }, async () => {
  const fresh = createAnalysis({ walls: NO_WALLS, log, processes: 1 });
  const one = new Map([["app.py", files.get("app.py")!]]);
  await fresh.run(
    { analyser: "discovery", lang: "python", entrypoint: "app.py", files: one },
    { deadlineMs: 60_000 },
  );
  await fresh.close();
});

addEventListener("unload", () => void analysis.close());
