import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter, type Load } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVE = `
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("keyed")
@mcp.tool()
def show() -> str: return os.environ["API_KEY"] + os.getenv("REGION", "-")
`;

type Raised = Extract<Load, { kind: "raised" }> & { missing_environment?: string[] };

async function raised(source: string, environment: Record<string, string> = {}): Promise<Raised> {
  const load = await python.load({ "server.py": `import os, sys\n${source}` }, { environment });
  if (load.kind !== "raised") throw new Error(JSON.stringify(load));
  return load;
}

Deno.test("a server finds the session's environment in os.environ, and nothing of another", async () => {
  const source = { "server.py": `import os\nKEY = os.environ["API_KEY"]\n${SERVE}` };
  const environment = { API_KEY: "k1", REGION: "eu" };
  assertEquals((await python.load(source, { environment })).kind, "loaded");
  assertEquals(await python.text("show"), "k1eu");
  assertEquals((await python.load(source, { environment: { API_KEY: "k2" } })).kind, "loaded");
  assertEquals(await python.text("show"), "k2-");
  assertEquals((await python.load(source)).kind, "raised");
});

const MISSING: [name: string, source: string, names: string[]][] = [
  ["a key", `os.environ["API_KEY"]`, ["API_KEY"]],
  [
    "a key beside others that were only asked for",
    `os.getenv("DEBUG")\nos.environ["API_KEY"]`,
    ["API_KEY"],
  ],
  [
    "a check of the server's own",
    `key = os.getenv("API_KEY")\nif not key: raise ValueError("API_KEY must be set")`,
    ["API_KEY"],
  ],
  [
    "an exit without a word",
    `if "API_KEY" not in os.environ or not os.environ.get("HOST_NAME"): sys.exit(1)`,
    ["API_KEY"],
  ],
  [
    "several",
    `values = [os.environ.get(n) for n in ("A_KEY", "B_KEY")]\nassert all(values), "configure me"`,
    ["A_KEY", "B_KEY"],
  ],
  [
    "a default that is empty",
    `key = os.getenv("API_KEY", "")\nif not key: raise ValueError("API_KEY is required")`,
    ["API_KEY"],
  ],
  [
    "an option of a command line, under another name",
    `for name in ("SENTRY_TOKEN", "TZ"): os.environ.get(name, "")\n` +
    `print("Error: Missing option '--auth-token'.", file=sys.stderr)\nsys.exit(2)`,
    ["SENTRY_TOKEN"],
  ],
  [
    "one that a chain of maps looks up",
    `from collections import ChainMap\nChainMap({}, os.environ)["API_KEY"]`,
    ["API_KEY"],
  ],
  [
    "one that a template looks up",
    `from string import Template\nTemplate("$API_KEY").substitute(os.environ)`,
    ["API_KEY"],
  ],
  [
    "one in a path that is not expanded",
    `p = os.path.expandvars("$API_HOST/x")\nif "$" in p: sys.exit("unresolved: " + p)`,
    ["API_HOST"],
  ],
  [
    "one that is put into a configuration file",
    `from configparser import *
c = ConfigParser(os.environ, interpolation=ExtendedInterpolation())
c.read_string("[api]\\ntoken = \${API_KEY}\\n")
c["api"]["token"]`,
    ["API_KEY"],
  ],
  ["one of a copy of all variables", `dict(os.environ)["API_KEY"]`, ["API_KEY"]],
  ["one among all variables", `"{API_KEY}".format(**os.environ)`, ["API_KEY"]],
  ["one in bytes", `os.environb[b"API_KEY"]`, ["API_KEY"]],
  ["one that an operator picks", `import operator\noperator.itemgetter("API_KEY")(os.environ)`, [
    "API_KEY",
  ]],
  [
    "one that only the log names",
    `import logging
for n in ("DEBUG", "API_KEY"): os.getenv(n)
logging.getLogger("x").error("Set API_KEY first")
sys.exit(1)`,
    ["API_KEY"],
  ],
];

for (const [name, source, names] of MISSING) {
  Deno.test(`a start that fails for want of ${name} says which and how to pass it`, async () => {
    const load = await raised(source);
    assertEquals(load.missing_environment, names);
    for (const each of names) assertStringIncludes(load.message, each);
    assertStringIncludes(load.message, 'params._meta["berth/environment"]');
    assertStringIncludes(load.message, "Mcp-Server-Env-NAME");
  });
}

Deno.test("a start that fails for another reason says nothing of variables", async () => {
  for (
    const source of [
      `os.getenv("DEBUG", "no")\nraise ValueError("broken")`,
      `os.getenv("DEBUG")\nimport nothing_like_it`,
      `{}["API_KEY"]`,
      `import requests\nrequests.utils.get_environ_proxies("http://x/")\nraise ValueError("broken")`,
    ]
  ) {
    const load = await raised(source);
    assertEquals(load.missing_environment, undefined, source);
    assert(!load.message.includes("berth/environment"));
  }
});

const UNRELATED: Record<string, string> = {
  "a program that is absent": `import subprocess\nsubprocess.run(["lichen-tool"])`,
  "a program that a check finds absent":
    `import subprocess\ntry: subprocess.run(["lichen-tool"])\nexcept OSError: sys.exit(1)`,
  "a program that is absent, in other words":
    `import subprocess\ntry: subprocess.run(["lichen-tool"])\n` +
    `except OSError as error: raise RuntimeError("lichen is needed") from error`,
  "a file that is absent": `open("lichens.json")`,
  "a folder in place of a file": `open("/tmp")`,
  "a folder that it may not write": `raise PermissionError(13, "Permission denied", "/srv")`,
  "a socket that is absent": `import socket\nsocket.create_connection(("127.0.0.1", 5432))`,
  "a socket that refuses": `raise ConnectionRefusedError(111, "Connection refused")`,
  "an attribute that is absent": `import json\njson.lichens`,
  "a name that is absent": `lichens`,
  "a file in capitals, where all variables were read": `dict(os.environ)\nopen("LICHENS")`,
  "a name in capitals, where all variables were read": `dict(os.environ)\nLICHENS_FILE`,
  "an index that is absent": `[][1]`,
  "a division by zero": `1 / 0`,
  "what is not implemented": `raise NotImplementedError`,
  "a parameter that a function does not have": `def f(): pass\nf(host="x")`,
  "a package behind an exit": `try: import lichens_lib\nexcept ImportError: sys.exit(1)`,
  "an error within a group":
    `raise ExceptionGroup("some", [FileNotFoundError(2, "No such file", "x")])`,
  "an error that only warns of a variable":
    `import logging\nlogging.warning("OPTIONAL_PROXY is not set")\nopen("lichens.json")`,
};

for (const [name, source] of Object.entries(UNRELATED)) {
  Deno.test(`a start that fails with ${name} says nothing of variables that it read`, async () => {
    const load = await raised(`os.getenv("DEBUG"), os.environ.get("OPTIONAL_PROXY")\n${source}`);
    assertEquals(load.missing_environment, undefined, load.message);
    assert(!load.message.includes("berth/environment"));
  });
}

const RELATED: Record<string, string> = {
  "a value that is None": `key = os.getenv("API_KEY")\nkey.strip()`,
  "a path with None": `place = os.getenv("API_KEY")\nopen(f"{place}/lichens.json")`,
  "a path that is empty": `place = os.getenv("API_KEY") or ""\nopen(place)`,
  "a file in a line with its name": `open(os.getenv("API_KEY") or "lichens.json")`,
  "a file, and says its name": `os.getenv("API_KEY")\nraise FileNotFoundError("Set API_KEY")`,
  "an error of the environment":
    `if not os.getenv("API_KEY"): raise EnvironmentError("Not configured")`,
  "an exit behind a file": `os.getenv("API_KEY")\ntry: open("lichens.json")\n` +
    `except OSError: sys.exit("Give a file, or API_KEY")`,
  "a runtime error": `if not os.getenv("API_KEY"): raise RuntimeError("Not configured")`,
  "an error of its own": `class Unset(Exception): pass\n` +
    `if not os.getenv("API_KEY"): raise Unset("Not configured")`,
  "a type": `int(os.getenv("API_KEY"))`,
  "a key that is None": `{"a": 1}[os.getenv("API_KEY")]`,
};

for (const [name, source] of Object.entries(RELATED)) {
  Deno.test(`a start that fails with ${name} for want of a variable says so`, async () => {
    const load = await raised(`os.getenv("DEBUG", "")\n${source}`);
    assertEquals(load.missing_environment, ["API_KEY"], load.message);
  });
}
