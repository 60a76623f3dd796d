import { assertEquals, assertMatch } from "@std/assert";
import { failureOf } from "../../../src/execution/build/problem.ts";
import type { LoadOutcome } from "../../../src/execution/interpreters/types.ts";
import { loadOutcome } from "../../../workers/session/bodies.ts";
import { Interpreter } from "../../workers/python/pyodide.ts";
import { filesOf } from "./harness.ts";

const python = await Interpreter.boot();

const FASTMCP = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n";

interface Case {
  files: string | Record<string, string>;
  profile?: "restricted";
  runs?: string;
  kind: string;
  place: [string | null, number | null];
  words: RegExp;
  hint: RegExp;
}

const CASES: Record<string, Case> = {
  "a syntax error in the entrypoint": {
    files: "def broken(:\n    pass\n",
    kind: "syntax_error",
    place: ["server.py", 1],
    words: /^SyntaxError: invalid syntax$/,
    hint: /Python 3\.14/,
  },
  "a syntax error in a module": {
    files: { "server.py": "import tools\n", "tools.py": "x = 1\nif x\n" },
    kind: "syntax_error",
    place: ["tools.py", 2],
    words: /^SyntaxError: expected ':'$/,
    hint: /syntax/,
  },
  "a package that Berth does not have": {
    files: FASTMCP + "import torch\nmcp.run()\n",
    kind: "missing_package",
    place: ["server.py", 3],
    words: /No module named 'torch'/,
    hint: /compiled code/,
  },
  "a module that is not in the repository": {
    files: { "pkg/__init__.py": "", "server.py": "\nfrom pkg.tools import x\n" },
    kind: "missing_module",
    place: ["server.py", 2],
    words: /pkg\.tools/,
    hint: /Add the module/,
  },
  "a name that a module does not have": {
    files: { "pkg.py": "", "server.py": "from pkg import nothing\n" },
    kind: "missing_module",
    place: ["server.py", 1],
    words: /cannot import name 'nothing'/,
    hint: /Add what is missing/,
  },
  "a part of the library that is gone": {
    files: "import telnetlib\n",
    kind: "missing_module",
    place: ["server.py", 1],
    words: /telnetlib/,
    hint: /no longer part of Python/,
  },
  "a program that exits": {
    files: FASTMCP + "import sys\nsys.exit(3)\nmcp.run()\n",
    kind: "exits",
    place: ["server.py", 4],
    words: /SystemExit: 3/,
    hint: /run\(\)/,
  },
  "a program without a server": {
    files: "print('hello')\n",
    kind: "no_server",
    place: ["server.py", null],
    words: /no MCP server/,
    hint: /FastMCP/,
  },
  "an exception": {
    files: FASTMCP + "def load():\n    return 1 / 0\nload()\nmcp.run()\n",
    kind: "raised",
    place: ["server.py", 4],
    words: /ZeroDivisionError/,
    hint: /exception/,
  },
  "a fork": {
    files: FASTMCP + "import os\nos.fork()\nmcp.run()\n",
    kind: "raised",
    place: ["server.py", 4],
    words: /RuntimeError: Processes/,
    hint: /exception/,
  },
  "an exception that fails at what it is asked": {
    files: `class Bad(ImportError):
    @property
    def name(self):
        raise RuntimeError("no name")
raise Bad("x")
`,
    kind: "raised",
    place: [null, null],
    words: /Bad/,
    hint: /exception/,
  },
  "an import that fails deep in a package": {
    files: {
      "server.py": "import first\n",
      "first.py": "try:\n    import second\nexcept ValueError:\n    pass\n",
      "second.py": "\nimport nowhere_at_all\n",
    },
    kind: "missing_package",
    place: ["second.py", 2],
    words: /nowhere_at_all/,
    hint: /declare the package in requirements.txt/,
  },
  "a variable that is not set": {
    files: FASTMCP + "import os\nKEY = os.environ['API_KEY']\nmcp.run()\n",
    runs: "needs_variables",
    kind: "missing_variable",
    place: ["server.py", 4],
    words: /API_KEY/,
    hint: /Declare them as configuration/,
  },
  "a variable that a program asks for and exits": {
    files: FASTMCP + "import os, sys\nif not os.getenv('API_KEY'):\n    sys.exit('no API_KEY')\n",
    runs: "needs_variables",
    kind: "missing_variable",
    place: ["server.py", 5],
    words: /API_KEY/,
    hint: /Declare them as configuration/,
  },
  "a program that is absent, where a variable is too": {
    files: FASTMCP +
      "import os, subprocess\nos.getenv('DEBUG')\nsubprocess.run(['x'])\nmcp.run()\n",
    kind: "raised",
    place: ["server.py", 5],
    words: /FileNotFoundError/,
    hint: /exception/,
  },
  "an asynchronous function in the restricted profile": {
    files: FASTMCP + "@mcp.tool()\nasync def a() -> str:\n    return 'x'\nmcp.run()\n",
    profile: "restricted",
    kind: "profile_construct",
    place: ["server.py", 4],
    words: /^The restricted profile does not have: async def/,
    hint: /./,
  },
  "a compiled package in the restricted profile": {
    files: FASTMCP + "import numpy\nmcp.run()\n",
    profile: "restricted",
    kind: "missing_package",
    place: ["server.py", 3],
    words: /numpy/,
    hint: /./,
  },
};

for (const [what, { files: texts, profile = "full", ...expected }] of Object.entries(CASES)) {
  Deno.test(`a report tells of ${what}: what, where, and what to do`, async () => {
    const files = typeof texts === "string" ? { "server.py": texts } : texts;
    const load = loadOutcome.parse(await python.load(files, { profile }));
    if (load.kind === "loaded") throw new Error("It starts");
    const failure = failureOf(load, { profile, files: filesOf(files), usedNetwork: false });
    const { runs, problem } = failure;
    const { kind, place, words, hint } = expected;
    assertEquals([runs, problem.kind], [expected.runs ?? "no", kind]);
    assertEquals([problem.file, problem.line], place);
    assertMatch(problem.message, words);
    assertMatch(problem.hint, hint);
    assertEquals(problem.variables, runs === "needs_variables" ? ["API_KEY"] : []);
  });
}

function raised(load: Partial<LoadOutcome & { kind: "raised" }>) {
  const files = filesOf({ "server.py": "" });
  const whole = { kind: "raised" as const, message: "x", traceback: "", ...load };
  return (usedNetwork = false) => failureOf(whole, { profile: "full", files, usedNetwork }).problem;
}

Deno.test("a report shows only places in the repository, whatever a server says of itself", () => {
  for (const file of ["/etc/passwd", "../server.py", "server.py\0", "https://evil.example/"]) {
    const { file: shown, line } = raised({
      cause: { kind: "raised", file, line: 1, hint: null },
    })();
    assertEquals([shown, line], [null, null]);
  }
});

Deno.test("a report bounds what a server says of itself", () => {
  const problem = raised({
    message: "x".repeat(1_000_000),
    cause: { kind: "raised", file: "server.py", line: 1, hint: "y".repeat(4000) },
    missing_environment: ["A", "B C", "=", "x".repeat(500)],
  })();
  assertEquals([problem.message.length, problem.hint.length < 600], [1000, true]);
  assertEquals(problem.variables, ["A"]);
});

Deno.test("a start that fails after a request needs the network, unless the code is at fault", () => {
  for (
    const [kind, expected] of [
      ["raised", "needs_network"],
      ["hangs", "needs_network"],
      ["exits", "needs_network"],
      ["syntax_error", "syntax_error"],
      ["missing_package", "missing_package"],
      ["memory", "memory"],
    ] as const
  ) {
    const problem = raised({ cause: { kind, file: null, line: null, hint: null } });
    assertEquals([problem(true).kind, problem(false).kind], [expected, kind]);
  }
});
