import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

/** What a tool that starts `argv` with its parameters `name` and `path` is blamed for. */
async function blamed(argv: string): Promise<string[]> {
  const source = `import subprocess
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("x")
@mcp.tool()
def listed(name: str, path: str) -> str:
    command = ${argv}
    return subprocess.run(command, capture_output=True, text=True).stdout
`;
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, { "server.py": source });
  return result.code.filter(({ rule }) => rule.startsWith("py/"))
    .map(({ rule, severity }) => `${rule} ${severity}`);
}

const COMMANDS: readonly (readonly [what: string, argv: string, blamed: string[]])[] = [
  [
    "a command of kubectl named exec is no shell's",
    `["kubectl", "-n", "web", "exec", name, "--", "ls", "-l", path]`,
    ["py/tool-to-process medium"],
  ],
  [
    "a command of docker named start starts no program by name",
    `["docker", "start", name]`,
    ["py/tool-to-process medium"],
  ],
  [
    "a script behind kubectl's exec is chosen by who names it",
    `["kubectl", "exec", "web-0", "--", "sh", path]`,
    ["py/tool-to-process high"],
  ],
  [
    "a text for a shell behind docker's exec is run",
    `["docker", "exec", "web", "sh", "-c", path]`,
    ["py/shell-program high"],
  ],
  [
    "a program behind timeout is chosen by who names it",
    `["timeout", "5", path]`,
    ["py/tool-to-process high"],
  ],
];

for (const [what, argv, expected] of COMMANDS) {
  Deno.test(what, async () => {
    assertEquals(await blamed(argv), expected);
  });
}
