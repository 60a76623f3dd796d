import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

/** Whether a query of what `lines` keep of a tool's columns is blamed. */
async function isBlamed(lines: string): Promise<boolean> {
  const source = `import sqlite3
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("x")
conn = sqlite3.connect("a.db")
@mcp.tool()
def rows(columns: list[str], more: str) -> str:
    ${lines}
    chosen = ", ".join(kept)
    return str(conn.execute(f"SELECT {chosen} FROM t").fetchall())
`;
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, { "server.py": source });
  return result.code.some(({ rule, severity }) => rule === "py/tool-to-sql" && severity === "high");
}

const CHECKED = `kept = [each for each in columns if each.replace("_", "").isalnum()]`;
const LISTS: readonly (readonly [what: string, lines: string, isBlamed: boolean])[] = [
  ["a list of checked names is none of its caller's", CHECKED, false],
  [
    "a list of checked names, or a star in place of them, is none of its caller's",
    `${CHECKED}\n    if not kept:\n        kept = ["*"]`,
    false,
  ],
  ["a list of names that are merely there", `kept = [each for each in columns if each]`, true],
  [
    "checked names of which others are made",
    `kept = [more for each in columns if each.isalnum()]`,
    true,
  ],
  [
    "checked names or any",
    `kept = [each for each in columns if each.isalnum() or each.isascii()]`,
    true,
  ],
  ["names that are refused", `kept = [each for each in columns if not each.isalnum()]`, true],
  ["a list that gets another value", `${CHECKED}\n    kept = columns`, true],
  ["a list that gets another item", `${CHECKED}\n    kept.append(more)`, true],
  ["a list of which an item is replaced", `${CHECKED}\n    kept[0] = more`, true],
  ["a list that grows", `${CHECKED}\n    kept += columns`, true],
];

for (const [what, lines, expected] of LISTS) {
  Deno.test(what, async () => {
    assertEquals(await isBlamed(lines), expected);
  });
}
