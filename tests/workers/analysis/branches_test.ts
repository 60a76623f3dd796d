import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

const HEAD = `import sqlite3, subprocess
from contextlib import suppress
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("x")
conn = sqlite3.connect("a.db")
sql = "SELECT 1"
`;

/** Whether a query of a tool with this body is blamed. */
async function isBlamed(body: readonly string[]): Promise<boolean> {
  const source = `${HEAD}
@mcp.tool()
def rows(kind: str, word: str, limit: str = "5") -> str:
    ${body.join("\n    ")}
`;
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, { "server.py": source });
  return result.code.some(({ rule, severity }) => rule === "py/tool-to-sql" && severity === "high");
}

const OWN = `query = "SELECT 1"`;
const GIVEN = `query = "SELECT " + word`;
const RUN = `return str(conn.execute(query).fetchall())`;
const CASES: readonly (readonly [what: string, body: readonly string[], isBlamed: boolean])[] = [
  ["the other branch", [`if kind:`, `    ${GIVEN}`, `else:`, `    ${OWN}`, `    ${RUN}`], false],
  [
    "a branch before, of several",
    [
      `if kind == "a":`,
      `    ${GIVEN}`,
      `elif kind == "b":`,
      `    ${OWN}`,
      `elif kind == "c":`,
      `    ${OWN}`,
      `    ${RUN}`,
    ],
    false,
  ],
  [
    "a branch that comes later",
    [`if kind:`, `    ${OWN}`, `    ${RUN}`, `else:`, `    ${GIVEN}`],
    false,
  ],
  [
    "another case",
    [
      `match kind:`,
      `    case "a":`,
      `        ${GIVEN}`,
      `    case _:`,
      `        ${OWN}`,
      `        ${RUN}`,
    ],
    false,
  ],
  [
    "a branch that returns",
    [`if kind:`, `    ${GIVEN}`, `    return query`, OWN, RUN],
    false,
  ],
  [
    "a branch that raises, in the same block of a try",
    [
      `try:`,
      `    if kind:`,
      `        ${GIVEN}`,
      `        raise ValueError(query)`,
      `    ${OWN}`,
      `    ${RUN}`,
      `except KeyError:`,
      `    return ""`,
    ],
    false,
  ],
  ["the same branch", [`if kind:`, `    ${GIVEN}`, `    ${RUN}`, `else:`, `    ${OWN}`], true],
  ["what stands behind both", [`if kind:`, `    ${GIVEN}`, `else:`, `    ${OWN}`, RUN], true],
  [
    "a branch that goes on",
    [OWN, `if kind:`, `    ${GIVEN}`, `    print(query)`, RUN],
    true,
  ],
  [
    "a branch that may go on",
    [OWN, `if kind:`, `    ${GIVEN}`, `    if word:`, `        return ""`, RUN],
    true,
  ],
  [
    "the next turn of a loop",
    [OWN, `for each in kind:`, `    if each:`, `        ${GIVEN}`, `    else:`, `        ${RUN}`],
    true,
  ],
  [
    "the next turn of an endless loop",
    [OWN, `while True:`, `    if kind:`, `        ${GIVEN}`, `    else:`, `        ${RUN}`],
    true,
  ],
  [
    "a branch that goes to the next turn of a loop",
    [
      OWN,
      `for each in kind:`,
      `    if each:`,
      `        ${GIVEN}`,
      `        continue`,
      `    ${RUN}`,
    ],
    true,
  ],
  [
    "a branch that an error leaves",
    [
      OWN,
      `try:`,
      `    if kind:`,
      `        ${GIVEN}`,
      `        raise ValueError(query)`,
      `except ValueError:`,
      `    ${RUN}`,
    ],
    true,
  ],
  [
    "a branch that returns before a last block",
    [
      OWN,
      `try:`,
      `    if kind:`,
      `        ${GIVEN}`,
      `        return ""`,
      `finally:`,
      `    conn.execute(query)`,
    ],
    true,
  ],
  [
    "a branch whose error is passed over",
    [
      OWN,
      `with suppress(ValueError):`,
      `    if kind:`,
      `        ${GIVEN}`,
      `        raise ValueError(query)`,
      RUN,
    ],
    true,
  ],
  [
    "a condition that assigns",
    [`if (query := "SELECT " + word) == kind:`, `    return ""`, `else:`, `    ${RUN}`],
    true,
  ],
  [
    "a name of the module",
    [
      `global sql`,
      `if kind:`,
      `    sql = "SELECT " + word`,
      `else:`,
      `    return str(conn.execute(sql).fetchall())`,
    ],
    true,
  ],
  [
    "an attribute",
    [
      `if kind:`,
      `    mcp.query = "SELECT " + word`,
      `else:`,
      `    return str(conn.execute(mcp.query).fetchall())`,
    ],
    true,
  ],
  [
    "a function inside that is called where the name has its value",
    [
      OWN,
      `def run():`,
      `    ${RUN}`,
      `if kind:`,
      `    ${GIVEN}`,
      `    return run()`,
      `else:`,
      `    ${OWN}`,
    ],
    true,
  ],
  [
    "a number that bounds what is given",
    [`count = min(limit, 20)`, `query = f"SELECT a FROM t LIMIT {count}"`, RUN],
    false,
  ],
  [
    "the lesser of two texts",
    [`count = min(limit, kind)`, `query = f"SELECT a FROM t LIMIT {count}"`, RUN],
    true,
  ],
  [
    "the lesser by another measure",
    [`count = min(limit, 20, key=str)`, `query = f"SELECT a FROM t LIMIT {count}"`, RUN],
    true,
  ],
  [
    "the lesser by options from elsewhere",
    [`count = min(limit, 20, **OPTIONS)`, `query = f"SELECT a FROM t LIMIT {count}"`, RUN],
    true,
  ],
];

Deno.test("audit tells the values of a function's branches apart", async () => {
  for (const [what, body, expected] of CASES) {
    assertEquals(await isBlamed(body), expected, `${what}:\n${body.join("\n")}`);
  }
});

Deno.test("audit finds one tool for queries among those that a function tells apart", async () => {
  const source = `${HEAD}
from mcp.server import Server
from mcp.types import Tool
app = Server("x")

@app.list_tools()
async def list_tools():
    text = {"type": "object", "properties": {"query": {"type": "string"}}}
    return [
        Tool(name="run_query", description="Run a SQL query", inputSchema=text),
        Tool(name="count", description="Count rows", inputSchema={"type": "object"}),
    ]

@app.call_tool()
async def call_tool(name: str, arguments: dict):
    try:
        if name == "run_query":
            query = arguments.get("query")
            return run(query)
        elif name == "count":
            query = f"SELECT count(*) FROM a LIMIT {min(arguments.get('limit', 5), 20)}"
            return run(query)
    except Exception as error:
        return [str(error)]

def run(query: str):
    return conn.execute(query).fetchall()
`;
  const { result } = await analyseHere<{ code: RawFinding[]; runs: { kind: string }[] }>(
    analyse,
    { "server.py": source },
  );
  assertEquals(result.code.filter(({ severity }) => severity === "high"), []);
  assertEquals(result.runs.map(({ kind }) => kind), ["sql"]);
});
