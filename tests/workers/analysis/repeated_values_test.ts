/** Names that are given values of themselves many times: honest query builders, and worse. */
import { assert, assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

const TIMES = 60;

/** Ways to give `query` another value of itself. */
const STEPS: [string, (at: number) => string][] = [
  ["methods", (at) => `query = query.where(limit > ${at})`],
  ["chains", (at) => `query = query.where(limit).order_by(${at}).limit(limit)`],
  ["attributes", () => "query = query.next"],
  ["itself", () => "query = query"],
  ["entries", (at) => `query = query["${at}"]`],
  ["lookups", (at) => `query = query.get("${at}")`],
  ["getattr", (at) => `query = getattr(query, "part${at}")`],
  ["tables", () => "query = vars(query)"],
  ["partials", (at) => `query = partial(query, ${at})`],
  ["choices", (at) => `query = query.a(${at}) if limit else query or query.b`],
  ["objects", (at) => `self.query = self.query.where(${at}); query = self.query`],
];

async function rulesIn(lines: string[]): Promise<string[]> {
  const source = [
    "import os, subprocess, sys",
    "from functools import partial",
    "def search(self, query, limit):",
    ...lines.map((line) => `    ${line}`),
    "    subprocess.run(query)",
    "    return query.all()",
  ].join("\n");
  const { result, refused } = await analyseHere<{ code: RawFinding[] }>(analyse, {
    "server.py": source,
  });
  assertEquals(refused, []);
  return result.code.map(({ rule }) => rule);
}

for (const [name, step] of STEPS) {
  Deno.test(`audit of a name with many values of itself ends: ${name}`, async () => {
    const lines = Array.from({ length: TIMES }, (_, at) => step(at));
    await rulesIn(lines);
    // What is hidden among them is found all the same.
    const rules = await rulesIn([...lines, "query = os.system", "query(limit)"]);
    assert(rules.some((rule) => /^(S60\d|py\/)/.test(rule)), rules.join());
  });
}

/** Ways to give `path` another value, of itself or of the name before. */
const PATHS: [string, (at: number) => string][] = [
  ["sums", (at) => `path = path + "${at}" + path`],
  ["formatted", () => 'path = f"{path}{path}"'],
  ["joined", (at) => `path = os.path.join(path, "${at}", path)`],
  ["places", (at) => `path = Path(path).joinpath(path).with_name("${at}")`],
  ["choices", () => "path = path + path if path else path / path"],
  ["lists", () => "path = ''.join([path, path])"],
  ["loops", () => "for path in [path, path + path]: pass"],
  ["doubled", (at) => `p${at + 1} = f"{p${at}}{p${at}}{p${at}}{p${at}}{p${at}}{p${at}}"`],
];

for (const [name, step] of PATHS) {
  Deno.test(`reading a path that is computed of itself ends: ${name}`, async () => {
    const lines = Array.from({ length: TIMES }, (_, at) => step(at));
    const places = ["path", "p1", "p9", `p${TIMES}`];
    const uses = places.flatMap((each) => [
      `exec(open(${each}).read())`,
      `__import__(${each})`,
      `sys.path.insert(0, ${each})`,
    ]);
    await rulesIn(['path = p0 = "part"', ...lines, ...uses]);
    // What runs at a path that is stated by way of another name is found all the same.
    const rules = await rulesIn([...lines, 'name = "x.txt"', "exec(open(name).read())"]);
    assert(rules.some((rule) => /^(S102|py\/)/.test(rule)), rules.join());
  });
}

/** Tables whose entries are made of their own. */
const TABLES: [what: string, lines: string[]][] = [
  ["of the same name", ['p = {"q": query}', 'p = {"q": p["q"], "n": 1}']],
  ["by a method", ['p = {"q": query}', 'p = {"q": p.get("q")}']],
  ["of each other", ['p = {"q": query}', 'r = {"x": p["q"]}', 'p = {"q": r["x"]}']],
  ["in a text", ['p = {"q": query}', 'p = {"q": "ls " + p["q"]}']],
  ["of nothing before", ['if limit:\n        p = {"q": p["q"]}', 'p["q"] = query']],
];

for (const [what, lines] of TABLES) {
  Deno.test(`a table whose entry is made of its own, ${what}, is read, and what is in it followed`, async () => {
    const source = [
      "import subprocess",
      "from mcp.server.fastmcp import FastMCP",
      'mcp = FastMCP("x")',
      "@mcp.tool()",
      "def search(query: str, limit: int):",
      ...lines.map((line) => `    ${line}`),
      '    subprocess.run(p["q"], shell=True)',
    ].join("\n");
    const { result, refused } = await analyseHere<{ code: RawFinding[] }>(analyse, {
      "server.py": source,
    });
    assertEquals(refused, []);
    assert(result.code.some(({ rule }) => rule === "py/tool-to-shell"), what);
  });
}
