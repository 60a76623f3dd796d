/** Pages say whether a server runs here, beside its verdict. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import type { BuildOutcome } from "../../src/registry/deps.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { callerOf, reportOn, serverInput, testRegistry } from "../helpers/registry.ts";
import { personAt, startSite } from "./harness.ts";

const RUNS = {
  runs: "yes" as const,
  profile: "full" as const,
  problem: null,
  reason: null,
  tools_listed: 2,
  duration_ms: 5,
};
const PROBLEM = {
  kind: "missing_package" as const,
  subject: "torch<b>",
  message: "No module named 'torch' <script>",
  file: "server.py",
  line: 3,
  hint: "Use another",
  variables: [],
};

const BUILDS: Record<string, BuildOutcome["build"]> = {
  fine: RUNS,
  broken: { ...RUNS, runs: "no", problem: PROBLEM, tools_listed: null },
  keyed: {
    ...RUNS,
    runs: "needs_variables",
    problem: { ...PROBLEM, kind: "missing_variable", variables: ["API_KEY"] },
    tools_listed: null,
  },
};

/** Words that the pages of each show, in the list and on the security page. */
const WORDS: Record<string, [sign: string, listed: string, said: string[]]> = {
  fine: ["Runs here", "Runs here", ["2 tools", "Not found in the source", "made"]],
  broken: ["Does not run here", "missing package torch&lt;b&gt; (server.py:3)", [
    "server.py:3",
    "No module named &#39;torch&#39; &lt;script&gt;",
    "Use another.",
  ]],
  keyed: ["Needs variables", "needs API_KEY", ["<code>API_KEY</code>"]],
};

Deno.test("web: list, server, security and scan pages say whether a server runs here, and why not", async () => {
  const dataDir = await prepareDataDir();
  const database = await openDatabase({ dataDir, log: silentLog });
  const deps = testRegistry(database, {
    scan: (request) =>
      Promise.resolve({
        ...reportOn(request),
        compatibility: { restricted: true, refused: [] },
      }),
    build: ({ server }) =>
      Promise.resolve({
        build: BUILDS[server]!,
        tools: server === "fine" ? [{ name: "made", description: null }] : [],
        again: false,
      }),
  });
  for (const name of Object.keys(BUILDS)) {
    await createServer(deps, callerOf("ada"), serverInput(name), { requestId: "r" });
  }
  await createServer({ ...deps, build: undefined }, callerOf("ada"), serverInput("older"), {
    requestId: "r",
  });
  const [{ id }] = await database.sql<[{ id: string }]>`
    select id from scans where server = 'broken'`;
  await database.close();
  const site = await startSite({ dataDir, environment: { BUILD_POLICY: "off" } });
  try {
    const anybody = personAt(site);
    const page = async (path: string) => (await anybody.load(path)).html;
    const list = await page("/");
    const scan = await page(`/scans/${id}`);
    assertStringIncludes(scan, "Does not run here");
    for (const [name, [sign, listed, said]] of Object.entries(WORDS)) {
      assertStringIncludes(list, listed);
      assertStringIncludes(await page(`/servers/${name}`), sign);
      const security = await page(`/servers/${name}/security`);
      for (const words of [sign, ...said]) assertStringIncludes(security, words);
      assert(!/<script>|torch<b>/.test(security));
    }
    const older = await page("/servers/older/security");
    assertEquals(/Does it run here|Runs here|Not tried/.test(older), false);
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
