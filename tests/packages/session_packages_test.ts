import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Sql } from "../../src/database/client.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { wasmLibrary } from "../helpers/wasm_library.ts";
import { directOf } from "./harness.ts";
import { runWith } from "./sessions.ts";

Deno.test("a session imports the packages that were resolved for its server, with their metadata", async () => {
  const { said } = await runWith(
    [
      {
        name: "greeting",
        version: "1.2",
        requires: ["words"],
        files: {
          "greeting/__init__.py": "import words\nfrom importlib import resources\n" +
            "def hello():\n    return words.HELLO + resources.files('greeting').joinpath('end.txt').read_text()\n",
          "greeting/end.txt": "!",
        },
      },
      {
        name: "words",
        version: "3.0",
        files: {
          "words.py": "HELLO = 'hello'\n",
          // Sessions have not what it imports, so it is left out.
          "words.so": wasmLibrary("PyNever_WasThere"),
        },
      },
    ],
    "greeting\n",
    `
import greeting
from importlib.metadata import version
@tool
def run() -> str:
    return greeting.hello() + version("greeting") + version("words")
`,
  );
  assertEquals(said, "hello!1.23.0");
});

Deno.test("a server's own version of a package takes the place of the installation's", async () => {
  const { said, resolved } = await runWith(
    [{ name: "tabulate", version: "0.1", files: { "tabulate.py": "WHICH = 'its own'\n" } }],
    "tabulate<0.5\nrich\n",
    `
import tabulate, rich
from importlib.metadata import version
@tool
def run() -> str:
    return tabulate.WHICH + " " + version("tabulate")
`,
  );
  assertEquals(said, "its own 0.1");
  assertEquals(directOf(resolved).map(({ name, source }) => [name, source]), [
    ["rich", "installation"],
    ["tabulate", "index"],
  ]);
});

Deno.test("a package that there is only the source of is imported without being built", async () => {
  const { said, resolved } = await runWith(
    [{
      name: "only-source",
      version: "1.2",
      sdist: true,
      requires: ["words"],
      files: {
        "setup.py": "raise SystemExit('it was run')\n",
        "only_source.egg-info/PKG-INFO": "",
        "only_source.egg-info/top_level.txt": "only_source\n",
        "only_source/__init__.py": "import words\nHELLO = words.HELLO\n",
      },
    }, { name: "words", version: "3.0", files: { "words.py": "HELLO = 'hello'\n" } }],
    "only-source\n",
    `
import only_source
from importlib.metadata import version
@tool
def run() -> str:
    return only_source.HELLO + version("only-source")
`,
  );
  assertEquals(said, "hello1.2");
  assertEquals(resolved.resolved.map((each) => each.python_part), [false, false]);
});

Deno.test("packages that share a namespace are one for the server", async () => {
  const { said } = await runWith(
    [
      { name: "cloud-one", version: "1.0", files: { "cloud/one.py": "A = 1\n" } },
      { name: "cloud-two", version: "1.0", files: { "cloud/two.py": "B = 2\n" } },
    ],
    "cloud-one\ncloud-two\n",
    `
from cloud import one, two
@tool
def run() -> str:
    return f"{one.A}{two.B}"
`,
  );
  assertEquals(said, "12");
});

Deno.test("no package takes the place of the SDK, the standard library, the runtime or the server", async () => {
  const { said } = await runWith(
    [{
      name: "hostile",
      version: "1.0",
      files: {
        "mcp/__init__.py": "raise SystemExit('mcp')\n",
        "mcp/server/fastmcp/__init__.py": "raise SystemExit('mcp')\n",
        "json/__init__.py": "raise SystemExit('json')\n",
        "berth_runtime/__init__.py": "raise SystemExit('runtime')\n",
        "berth_packages.py": "raise SystemExit('catalogue')\n",
        "main.py": "raise SystemExit('main')\n",
        "sitecustomize.py": "raise SystemExit('site')\n",
        "hostile.pth": "import os; os.abort()\n",
        "hostile-1.0.data/scripts/python": "#!/bin/sh\n",
        "hostile-1.0.data/data/lib/python3.14/os.py": "raise SystemExit('os')\n",
        "hostile-1.0.data/purelib/hostile.py": "HERE = __file__\n",
      },
    }],
    "hostile\n",
    `
import json, os, hostile
import mcp.server.fastmcp as sdk
@tool
def run() -> str:
    place = os.path.dirname(hostile.__file__)
    return json.dumps([sorted(os.listdir(place)), "berth" in sdk.__file__ or sdk.__file__])
`,
  );
  assertStringIncludes(said, '"hostile.py"');
  assertEquals(/hostile\.pth|scripts|os\.py/.test(said), false);
});

/** Loses what is stored of packages, each in another way. */
async function losePackages(sql: Sql): Promise<void> {
  await sql`delete from packages where name = 'without-row'`;
  await sql`delete from package_parts where sha256 in (
    select sha256 from packages where name = 'without-part')`;
  const [row] = await sql`delete from packages where name = 'other-format' returning *`;
  const later = { ...row, format: row!.format + 1, modules: sql.json(row!.modules) };
  await sql`insert into packages ${sql(later)}`;
}

Deno.test("a session starts without the packages that are not stored any more", async () => {
  const lost = ["without-row", "without-part", "other-format"].map((name): TestPackage => {
    const module = name.replace("-", "_");
    // Content of its own: the interpreter's folder keeps what an earlier run has put there.
    return { name, version: "1.0", files: { [`${module}.py`]: `A = ${Date.now()}\n` } };
  });
  const names = lost.map(({ name }) => name);
  const { said } = await runWith(
    [
      ...lost,
      { name: "there", version: "1.0", requires: names, files: { "there.py": "B = 1\n" } },
    ],
    "there\n",
    `
import importlib, there
@tool
def run() -> str:
    found = []
    for name in ["without_row", "without_part", "other_format", "there"]:
        try:
            found.append(importlib.import_module(name).__name__)
        except ModuleNotFoundError:
            pass
    return " ".join(found)
`,
    { before: losePackages },
  );
  assertEquals(said, "there");
});
