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
/** Loops over what the caller gives, with what they do with each. */
function loop(...lines: string[]): string {
  return ["kept = []", ...lines].join("\n    ");
}
const IF_CHECKED = `    if each.replace("_", "").isalnum():`;
const KEPT = `        kept.append(f"{each} AS c{at}")`;
const COUNTED = `for at, each in enumerate(columns):`;
const LOOPS: readonly (readonly [what: string, lines: string, isBlamed: boolean])[] = [
  ["names that a loop uses where they are checked", loop(COUNTED, IF_CHECKED, KEPT), false],
  [
    "names that a loop and a list check",
    loop(COUNTED, IF_CHECKED, KEPT, `others = [each for each in columns if each.isalnum()]`),
    false,
  ],
  ["names that a loop uses without a check", loop(COUNTED, `    if each:`, KEPT), true],
  [
    "names that a loop uses elsewhere, too",
    loop(COUNTED, IF_CHECKED, KEPT, `    else:`, KEPT),
    true,
  ],
  ["the name of a loop after it", loop(COUNTED, IF_CHECKED, KEPT, `kept.append(each)`), true],
  [
    "a name that a loop changes",
    loop(COUNTED, IF_CHECKED, `        each = more`, KEPT),
    true,
  ],
  [
    "a name that a loop reads later",
    loop(COUNTED, IF_CHECKED, `        late = lambda: conn.execute("SELECT " + each)`, `late()`),
    true,
  ],
  [
    "names that one of two checks lets through",
    loop(COUNTED, `    if each.isalnum() or more:`, KEPT),
    true,
  ],
];
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
  [
    "names of which a part is checked",
    `kept = [each for each in columns if each[0].isalnum()]`,
    true,
  ],
  [
    "names of which much is taken away before the check",
    `kept = [each for each in columns if each.replace(" ", "").isalnum()]`,
    true,
  ],
  [
    "names of a list in which others are checked",
    `each_more = more\n    kept = [each for each in columns if each_more.isalnum()]`,
    true,
  ],
  ...LOOPS,
];

for (const [what, lines, expected] of LISTS) {
  Deno.test(what, async () => {
    assertEquals(await isBlamed(lines), expected);
  });
}
