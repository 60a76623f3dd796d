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
    "import os, subprocess",
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
