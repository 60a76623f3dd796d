/**
 * Generic credentials in files that run with the server although their paths look like tests,
 * documentation, examples or other people's code: found where the entrypoint reaches the file, taken
 * for made up where nothing does.
 */
import { assertEquals } from "@std/assert";
import type { Language } from "../../src/scan/schema.ts";
import { runDiscovery } from "../../src/scan/stages/discovery.ts";
import { runSecrets } from "../../src/scan/stages/secrets.ts";
import { patientAnalysis, repositoryOf } from "../helpers/analysis.ts";

/** Made of parts, so that scanners of this repository do not stop at it. */
const PASSWORD = ["xK9vQ2mZ", "r7LpT4w"].join("");

/** Files with a secret, as stages 2 and 4 find them one after the other. */
async function found(
  files: Record<string, string>,
  lang: Language = "python",
): Promise<(string | null)[]> {
  const analysis = patientAnalysis();
  const { run, close } = analysis.begin();
  try {
    const deps = { analysis: { run }, now: () => new Date(0) };
    const input = {
      repository: { files: repositoryOf(files) },
      lang,
      entrypoint: Object.keys(files)[0]!,
    };
    const { reached } = await runDiscovery(deps, { ...input, tools: null });
    const { secrets, error } = await runSecrets(deps, { ...input, reached });
    assertEquals(error, null);
    return secrets.filter(({ severity }) => severity !== "info").map(({ file }) => file);
  } finally {
    await close();
    await analysis.close();
  }
}

const HELD = `DB_PASSWORD = "${PASSWORD}"\n`;

/** Modules whose paths damp what is found, with the import that reaches each. */
const MODULES: [path: string, reach: string][] = [
  ["vendor/conf.py", "from vendor import conf"],
  ["vendor/conf.py", 'import sys\nsys.path.insert(0, "vendor")\nimport conf'],
  ["third_party/conf.py", "import third_party.conf"],
  ["node_modules/conf.py", "from node_modules.conf import DB_PASSWORD"],
  ["venv/conf.py", "from venv import conf"],
  ["site-packages/conf.py", 'import runpy\nrunpy.run_path("site-packages/conf.py")'],
  ["conf_pb2.py", "import conf_pb2"],
  ["tests/conf.py", "from tests.conf import *"],
  ["test_conf.py", "import test_conf"],
  ["conf_test.py", "import conf_test"],
  ["conftest.py", "import conftest"],
  ["testing/conf.py", "from testing import conf"],
  ["fixtures/conf.py", 'import importlib\nimportlib.import_module("fixtures.conf")'],
  ["e2e/conf.py", "from e2e import conf"],
  ["mocks/conf.py", "from mocks import conf"],
  ["t/conf.py", "from t import conf"],
  ["docs/conf.py", "from docs import conf"],
  ["examples/conf.py", "from examples import conf"],
  ["samples/conf.py", "from samples import conf"],
  ["demo/conf.py", "from demo import conf"],
  ["benchmarks/conf.py", "from benchmarks import conf"],
  ["history.py", "import history"],
  ["news.py", "import news"],
  ["conf_sample.py", "import conf_sample"],
  ["template.py", "import template"],
  ["docs/conf.txt", 'exec(open("docs/conf.txt").read())'],
];

for (const [path, reach] of MODULES) {
  Deno.test(`a password in ${path} is found when the server runs it: ${reach}`, async () => {
    assertEquals(await found({ "server.py": `${reach}\n`, [path]: HELD }), [path]);
  });
}

Deno.test("a password in a script below vendor/ is found when the server runs it", async () => {
  const held = `export const dbPassword = "${PASSWORD}";\n`;
  const files = { "index.ts": `import { x } from "./vendor/conf.js";\n`, "vendor/conf.ts": held };
  assertEquals(await found(files, "typescript"), ["vendor/conf.ts"]);
  const min = { "index.js": `require("./conf.min.js");\n`, "conf.min.js": held };
  assertEquals(await found(min, "javascript"), ["conf.min.js"]);
});

Deno.test("a password in an entrypoint below examples/ or tests/ is found", async () => {
  for (const path of ["examples/server.py", "tests/server.py", "vendor/server.py"]) {
    assertEquals(await found({ [path]: HELD }), [path]);
  }
});

Deno.test("passwords in tests, documentation and others' code that nothing reaches are made up", async () => {
  const paths = new Set(MODULES.map(([path]) => path));
  const files = Object.fromEntries([...paths].map((path) => [path, HELD]));
  // Names of examples and notes at the root are those of programs too: of these, what is random.
  const unreached = await found({ "server.py": "print(1)\n", ...files });
  assertEquals(unreached.filter((path) => path?.includes("/")), []);
});

Deno.test("a computed path makes nothing of others' code the server's own", async () => {
  const server = `import os, sys\nsys.path.insert(0, os.environ["LIB"])\nimport conf\n`;
  assertEquals(await found({ "server.py": server, "vendor/conf.py": HELD }), []);
});
