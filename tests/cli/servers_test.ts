/** Commands about servers, against the application over a real database. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { notTried } from "../../src/scan/build.ts";
import type { SecurityReport } from "../../src/scan/schema.ts";
import { type TestCli, testCli } from "../helpers/cli.ts";
import { reportOn, repositoryOf } from "../helpers/registry.ts";
import { openRealApp, type RealApp } from "../http/real_services.ts";

const SHELL_INJECTION = {
  id: "abc",
  stage: "security_audit" as const,
  rule: "S602",
  severity: "high" as const,
  cwe: "CWE-78",
  title: "Runs a shell",
  detail: "Pass a list of arguments",
  file: "server.py",
  line: 12,
  end_line: 12,
  fingerprint: "f".repeat(64),
  url: "https://example.com/S602",
};

function reportWith(finding: typeof SHELL_INJECTION, base: SecurityReport): SecurityReport {
  return { ...base, python_audit: { ...base.python_audit!, issues: [finding], total_issues: 1 } };
}

const MANIFEST = {
  name: "weather",
  version: "1.0.0",
  description: "Weather by city",
  lang: "python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { type: "git", url: "https://github.com/acme/weather" },
};

interface Desk {
  real: RealApp;
  ada: TestCli;
  grace: TestCli;
  /** Writes a manifest into a folder of its own; returns the folder. */
  folder(manifest: Record<string, unknown>): Promise<string>;
}

const STEPS: [string, (desk: Desk) => Promise<void>][] = [];

STEPS.push([
  "publish creates, shows progress on a terminal only, and needs a sign-in",
  async (desk) => {
    const { ada } = desk;
    const folder = await desk.folder(MANIFEST);
    const anonymous = await ada.run(["publish", folder], { env: { BERTH_TOKEN: "" } });
    assertEquals(anonymous.code, 3);
    const dry = await ada.run(["publish", folder, "--dry-run"]);
    assertEquals([dry.code, dry.out], [0, "Would create weather 1.0.0 at http://127.0.0.1:8000\n"]);
    const made = await ada.run(["publish"], { cwd: folder, columns: 80, env: { NO_COLOR: "1" } });
    assertEquals(made.code, 0, made.err);
    assertEquals(made.out, "");
    for (const title of ["1/5 Quality", "2/5 Tools", "5/5 Security"]) {
      assertStringIncludes(made.err, title);
    }
    assertStringIncludes(made.err, "Published weather 1.0.0");
    assertStringIncludes(made.err, "Scan passed: 0 findings");
    const scans = async () => {
      const { json } = await ada.run(["scans", "weather", "--json"]);
      return json.scans.length;
    };
    assertEquals(await scans(), 1);
    // What the code host has may be another commit now.
    const again = await ada.run(["publish", folder, "--quiet", "--json"]);
    assertEquals([again.code, again.err], [0, ""]);
    assertEquals(again.json.server.name, "weather");
    assertEquals(await scans(), 2);
  },
]);

STEPS.push([
  "publish updates what is there, and says what to do when the name is another's",
  async (desk) => {
    const { ada, grace } = desk;
    const newer = await desk.folder({ ...MANIFEST, version: "1.1.0" });
    const updated = await ada.run(["publish", newer]);
    assertEquals(updated.code, 0, updated.err);
    assertStringIncludes(updated.err, "Updated weather 1.1.0 (was 1.0.0)");
    assert(!updated.err.includes("Quality"));
    const taken = await grace.run(["publish", newer]);
    assertEquals(taken.code, 1);
    assertStringIncludes(taken.err, 'The name "weather" is already taken by another author');
    assertStringIncludes(taken.err, "Hint: Choose another name");
    const json = await grace.run(["publish", newer, "--json"]);
    assertEquals(JSON.parse(json.err).code, "FORBIDDEN");
  },
]);

STEPS.push([
  "publish exits with 6 for a failed scan, and names file and line of what failed it",
  async (desk) => {
    const folder = await desk.folder({ ...MANIFEST, name: "unsafe" });
    const run = await desk.grace.run(["publish", folder]);
    assertEquals(run.code, 6, run.err);
    assertStringIncludes(run.err, "Scan failed");
    assertStringIncludes(run.err, "server.py:12  Runs a shell");
    assertStringIncludes(run.err, "Pass a list of arguments");
    assertEquals((await desk.grace.run(["publish", folder, "--fail-on", "never"])).code, 0);
    assertEquals((await desk.grace.run(["publish", folder, "--fail-on", "critical"])).code, 0);
  },
]);

STEPS.push(["publish shows a refusal as if the request had been refused", async (desk) => {
  const folder = await desk.folder({
    ...MANIFEST,
    name: "absent",
    repository: { url: "https://github.com/acme/absent" },
  });
  const run = await desk.ada.run(["publish", folder]);
  assertEquals(run.code, 1);
  assertStringIncludes(run.err, "Repository acme/absent was not found");
  const json = await desk.ada.run(["publish", folder, "--json"]);
  assertEquals(JSON.parse(json.err).status, "error");
}]);

STEPS.push(["list and search show tables, lines or JSON", async ({ ada }) => {
  const plain = await ada.run(["list"]);
  assertEquals(plain.code, 0, plain.err);
  assertEquals(plain.out.split("\n").length, 3);
  assertMatch(plain.out, /^unsafe\t1\.0\.0\tpython\t1\tfree\tfailed\t\t\tgrace\tWeather by city\n/);
  const table = await ada.run(["ls"], { columns: 90 });
  assertStringIncludes(table.out, "NAME");
  assertStringIncludes(table.out, "\x1b[32mpassed");
  const uncoloured = await ada.run(["ls", "--no-color"], { columns: 90 });
  assert(!uncoloured.out.includes("\x1b"));
  const json = await ada.run(["list", "--json", "--passed"]);
  assertEquals(json.json.servers.map(({ name }: { name: string }) => name), ["weather"]);
  const paged = await ada.run(["list", "--limit", "1"]);
  assertEquals(paged.out.split("\n").length, 2);
  assertStringIncludes(paged.err, "1 of 2 servers");
  const all = await ada.run(["list", "--limit", "1", "--all", "--json"]);
  assertEquals([all.json.total, all.json.servers.length], [2, 2]);
  assertStringIncludes((await ada.run(["search", "weather", "city"])).out, "weather\t");
  const nothing = await ada.run(["search", "zeppelin"]);
  assertEquals([nothing.code, nothing.out, nothing.err], [0, "", "No matching servers\n"]);
  assertEquals((await ada.run(["list", "--sort", "beauty"])).code, 2);
  assertEquals((await ada.run(["list", "--limit", "0"])).code, 2);
  assertEquals((await ada.run(["search"])).code, 2);
}]);

STEPS.push(["scans: the history, and how one differs from another", async ({ ada }) => {
  const listed = await ada.run(["scans", "weather", "--json"]);
  assertEquals(listed.code, 0, listed.err);
  const [newest, again, first] = listed.json.scans as { id: string; version: string }[];
  assertEquals([newest, again, first].map((scan) => scan!.version), ["1.1.0", "1.0.0", "1.0.0"]);
  const lines = (await ada.run(["scans", "weather"])).out.split("\n");
  assertMatch(lines[0]!, /^\S+\t1\.1\.0\tpassed\t0\t\+0\t-0\t\w+\tupdate\t\d{4}-/);
  assertMatch(lines[1]!, /^\S+\t1\.0\.0\tpassed\t0\t\+0\t-0\t\w+\trescan\t/);
  assertMatch(lines[2]!, /^\S+\t1\.0\.0\tpassed\t0\t\t\t\w+\tcreate\t/);
  assertStringIncludes((await ada.run(["scans", "weather"], { columns: 120 })).out, "FIXED");
  const cut = await ada.run(["scans", "weather", "--limit", "1"]);
  assertStringIncludes(cut.err, "Older scans exist");

  const same = await ada.run(["scans", "weather", newest!.id, "--against", first!.id]);
  assertEquals([same.code, same.out], [
    0,
    `1.1.0, against ${first!.id}: 0 new, 0 fixed, 0 unchanged\n`,
  ]);
  const unsafe = (await ada.run(["scans", "unsafe", "--json"])).json.scans.at(-1).id as string;
  const found = await ada.run(["scans", "unsafe", unsafe]);
  assertStringIncludes(found.out, "1.0.0, the first scan: 1 new, 0 fixed, 0 unchanged");
  assertMatch(found.out, /high +server\.py:12 +Runs a shell +S602, CWE-78/);

  assertEquals((await ada.run(["scans", "weather", unsafe])).code, 1);
  assertEquals((await ada.run(["scans", "weather", newest!.id, "--against", unsafe])).code, 1);
  assertEquals((await ada.run(["scans", "weather", "../x"])).code, 2);
  assertEquals((await ada.run(["scans", "weather", "--against", unsafe])).code, 2);
  assertEquals((await ada.run(["scans", "nothing"])).code, 1);
}]);

STEPS.push(["show and report", async ({ ada }) => {
  const shown = await ada.run(["show", "weather"]);
  assertMatch(shown.out, /^weather 1\.1\.0\nWeather by city\n/);
  assertEquals((await ada.run(["info", "weather", "--json"])).json.server.version, "1.1.0");
  const missing = await ada.run(["show", "nothing"]);
  assertEquals(missing.code, 1);
  assertStringIncludes(missing.err, "with berth search nothing");
  assertEquals((await ada.run(["show", "No Name"])).code, 2);

  const text = await ada.run(["report", "unsafe"]);
  assertEquals(text.code, 0);
  assertStringIncludes(text.out, "server.py:12");
  const json = await ada.run(["report", "unsafe", "--format", "json", "--fail-on", "high"]);
  assertEquals([json.code, json.json.status], [6, "failed"]);
  const { runs } = (await ada.run(["report", "unsafe", "--format", "sarif"])).json;
  assertEquals(runs[0].results[0].ruleId, "security_audit/S602");
  assertEquals(runs[0].results[0].locations[0].physicalLocation.region.startLine, 12);
  assertEquals(runs[0].tool.driver.rules.length, 1);
  assertEquals((await ada.run(["report", "weather", "--fail-on", "verdict"])).code, 0);
}]);

STEPS.push(["update changes fields, with a scan where one is due", async (desk) => {
  const { ada, grace } = desk;
  const before = desk.real.registry.scanned.length;
  const changed = await ada.run(["update", "weather", "--description", "Weather, by city"]);
  assertEquals(changed.code, 0, changed.err);
  assertEquals(desk.real.registry.scanned.length, before);
  const scanned = await ada.run(["update", "weather", "--version", "2.0.0", "--json"]);
  assertEquals([scanned.code, scanned.json.server.version], [0, "2.0.0"]);
  assertEquals(desk.real.registry.scanned.length, before + 1);
  const priced = await ada.run(["update", "weather", "--price", "4.50 eur", "--json"]);
  assertEquals(priced.json.server.pricing, { currency: "EUR", amount: 4.5 });
  assertEquals((await ada.run(["update", "weather", "--price", "much"])).code, 2);
  assertEquals((await ada.run(["update", "weather"])).code, 2);
  const bad = await ada.run([
    ...["update", "weather", "--version", "two", "--license", "none"],
  ]);
  assertEquals(bad.code, 1);
  assertStringIncludes(bad.err, "  version: must be a semantic version");
  assertStringIncludes(bad.err, "  license: must be an SPDX");
  assertEquals((await grace.run(["update", "weather", "--description", "x"])).code, 1);
}]);

STEPS.push(["scan NAME scans again and shows the report", async ({ ada }) => {
  const run = await ada.run(["scan", "weather"], { columns: 80 });
  assertEquals([run.code, run.out], [0, ""]);
  assertStringIncludes(run.err, "5/5");
  const json = await ada.run(["scan", "weather", "--format", "json", "-q"]);
  assertEquals(json.json.status, "passed");
  assertEquals((await ada.run(["scan", "./nowhere"])).code, 2);
}]);

STEPS.push(["access shows and changes who may read a server", async ({ ada, grace }) => {
  assertEquals((await grace.run(["whoami"])).code, 0);
  assertEquals((await ada.run(["access", "weather"])).out, "weather is public\n");
  assertEquals((await grace.run(["access", "weather"])).code, 1);
  const args = ["--visibility", "private", "--add-group", "team/a", "--add-user", "grace"];
  const named = await ada.run(["access", "weather", ...args]);
  assertEquals(named.out, "weather is private\n  user   grace\n  group  team/a\n");
  assertStringIncludes((await grace.run(["show", "weather"])).out, "private");
  const removed = await ada.run(["access", "weather", "--remove-user", "grace", "--json"]);
  assertEquals(removed.json.access.users, []);
  const gone = await grace.run(["show", "weather"]);
  assertEquals(gone.code, 1);
  assertStringIncludes(gone.err, "was not found");
  assert(!(await grace.run(["list"])).out.includes("weather"));
  const unknown = await ada.run(["access", "weather", "--add-user", "nobody-here"]);
  assertEquals(unknown.code, 1);
  const shown = await ada.run(["access", "weather", "--visibility", "public"]);
  assertEquals(shown.out, "weather is public\n  group  team/a\n");
}]);

STEPS.push(["transfer offers, lists and accepts", async ({ ada, grace }) => {
  assertEquals((await grace.run(["whoami"])).code, 0);
  assertEquals((await ada.run(["transfer", "weather"])).code, 2);
  const silent = await ada.run(["transfer", "weather", "--to", "grace"]);
  assertEquals(silent.code, 2);
  assertStringIncludes(silent.err, "--yes");
  const refused = await ada.run(["transfer", "weather", "--to", "grace"], { answers: ["n"] });
  assertEquals(refused.code, 1);
  const offered = await ada.run(["transfer", "weather", "--to", "grace"], { answers: ["y"] });
  assertEquals(offered.code, 0, offered.err);
  assertMatch((await grace.run(["transfer"])).out, /^in\tweather\tada\tgrace\t/);
  assertEquals((await ada.run(["transfer", "weather", "--cancel"])).code, 0);
  assertEquals((await ada.run(["transfer", "weather", "--to", "grace", "--yes"])).code, 0);
  assertEquals((await grace.run(["transfer", "weather", "--decline"])).code, 0);
  assertEquals((await ada.run(["transfer", "weather", "--to", "grace", "--yes"])).code, 0);
  assertEquals((await grace.run(["transfer", "weather", "--accept"])).code, 0);
  assertStringIncludes((await grace.run(["transfer"])).err, "No open offers");
}]);

STEPS.push(["delete asks first", async ({ grace, ada }) => {
  assertEquals((await grace.run(["delete", "weather"])).code, 2);
  const no = await grace.run(["delete", "weather", "--no-input"], { answers: ["y"] });
  assertEquals(no.code, 2);
  assertEquals((await grace.run(["delete", "weather"], { answers: [""] })).code, 1);
  assertEquals((await ada.run(["delete", "weather", "--yes"])).code, 1);
  const gone = await grace.run(["rm", "weather"], { answers: ["y"] });
  assertEquals(gone.code, 0, gone.err);
  assertEquals((await grace.run(["show", "weather"])).code, 1);
}]);

STEPS.push(["open prints or opens the page", async ({ ada }) => {
  const printed = await ada.run(["open", "weather", "--print"]);
  assertEquals(printed.out, "http://127.0.0.1:8000/servers/weather\n");
  const opened = await ada.run(["open"], { env: { BROWSER: "firefox" } });
  assertEquals([opened.code, opened.out], [0, ""]);
  assertEquals(ada.launched.at(-1), ["firefox", "http://127.0.0.1:8000/"]);
}]);

STEPS.push(["config sets the effective settings, below flag and environment", async ({ grace }) => {
  assertEquals((await grace.run(["config", "get", "registry"])).out, "http://127.0.0.1:8000\n");
  const set = await grace.run(["config", "set", "registry", "Berth.Example/api/v1"]);
  assertEquals(set.code, 0, set.err);
  assertEquals((await grace.run(["config", "get", "registry"])).out, "https://berth.example\n");
  const env = { BERTH_REGISTRY: "http://127.0.0.1:1" };
  assertEquals(
    (await grace.run(["config", "get", "registry"], { env })).out,
    "http://127.0.0.1:1\n",
  );
  assertEquals((await grace.run(["config", "set", "clients", "vscode, codex"])).code, 0);
  assertEquals((await grace.run(["config", "set", "clients", "emacs"])).code, 2);
  assertEquals((await grace.run(["config", "list", "--json"])).json, {
    registry: "https://berth.example",
    clients: "vscode,codex",
  });
  assertMatch((await grace.run(["config", "path"])).out, /\/\.config\/berth\/config\.json\n$/);
  assertEquals((await grace.run(["config", "unset", "registry"])).code, 0);
  assertEquals((await grace.run(["config", "get", "registry"])).out, "http://127.0.0.1:8000\n");
}]);

Deno.test("berth against the registry", async (t) => {
  const real = await openRealApp({
    fetchRepository({ url }) {
      if (!url.endsWith("/absent")) return repositoryOf(url);
      const message = "Repository acme/absent was not found";
      return Promise.reject(new AppError("repository_refused", message));
    },
    scan: (request) =>
      Promise.resolve(
        request.serverName === "unsafe"
          ? reportWith(SHELL_INJECTION, reportOn(request, { status: "failed" }))
          : reportOn(request),
      ),
  });
  const tokens = async (sub: string) => ({ BERTH_TOKEN: await real.issuer.mint({ sub }) });
  const answer = (url: string, init: RequestInit) => real.app.request(url, init);
  await using ada = await testCli(answer, await tokens("ada"));
  await using grace = await testCli(answer, await tokens("grace"));
  const desk: Desk = {
    real,
    ada,
    grace,
    async folder(manifest) {
      const path = await Deno.makeTempDir({ dir: ada.home });
      await Deno.writeTextFile(`${path}/berth.json`, JSON.stringify(manifest));
      return path;
    },
  };
  try {
    for (const [name, step] of STEPS) await t.step(name, () => step(desk));
  } finally {
    await real.close();
  }
});

Deno.test("publish waits until another node has tried the server, but not for ever", async () => {
  const real = await openRealApp({
    fetchRepository: ({ url }) => repositoryOf(url),
    scan: (request) =>
      Promise.resolve({
        ...reportOn(request),
        compatibility: { restricted: true, refused: [], full: true, missing: [] },
      }),
    // As on a node that runs no servers.
    build: () => Promise.resolve({ ...notTried("A worker node tries it"), again: true }),
  });
  const env = { BERTH_TOKEN: await real.issuer.mint({ sub: "ada" }) };
  await using ada = await testCli((url, init) => real.app.request(url, init), env);
  const folder = await Deno.makeTempDir({ dir: ada.home });
  const publish = async (name: string, onSleep: (waited: number) => Promise<void>) => {
    await Deno.writeTextFile(`${folder}/berth.json`, JSON.stringify({ ...MANIFEST, name }));
    let waited = 0;
    const run = await ada.run(["publish", folder, "--must-run"], {
      onSleep: async (ms) => await onSleep(waited += ms),
    });
    return { run, waited };
  };
  try {
    const tried = await publish("tried", async (waited) => {
      if (waited < 3000) return;
      const build = { ...notTried("").build, runs: "yes", reason: null, tools_listed: 2 };
      await real.registry.sql`
        update server_reports
        set report = jsonb_set(report::jsonb, '{compatibility,build}', ${
        real.registry.sql.json(build)
      })
        where name = 'tried'`;
    });
    assertEquals([tried.run.code, tried.waited], [0, 3000], tried.run.err);
    assertStringIncludes(tried.run.err, "Waiting for a node that runs servers to try it");
    assertStringIncludes(tried.run.err, "Runs here: 2 tools");
    const left = await publish("left", () => Promise.resolve());
    assertEquals([left.run.code, left.waited], [6, 60_000], left.run.err);
    assertStringIncludes(left.run.err, "Not tried here: A worker node tries it");
  } finally {
    await real.close();
  }
});

Deno.test("berth says that a registry cannot be reached, or is not a registry", async () => {
  await using away = await testCli(() => {
    throw new TypeError("connection refused");
  });
  const run = await away.run(["list"]);
  assertEquals(run.code, 4);
  assertMatch(
    run.err,
    /^berth: The registry at http:\/\/127\.0\.0\.1:8000 cannot be reached\nHint: /,
  );
  assertEquals(JSON.parse((await away.run(["list", "--json"])).err).status, "error");
  await using busy = await testCli(() =>
    Response.json({ status: "error", detail: "Starting" }, {
      status: 503,
      headers: { "retry-after": "7" },
    })
  );
  const late = await busy.run(["list"]);
  assertEquals(late.code, 4);
  assertStringIncludes(late.err, "Hint: Try again in 7 seconds");
  await using other = await testCli(() => new Response("<html>"));
  assertEquals((await other.run(["list"])).code, 1);
  assertStringIncludes((await other.run(["login"])).err, "No Berth registry found at");
  await using limited = await testCli(() =>
    Response.json({ status: "error", detail: "Too many" }, { status: 429 })
  );
  assertEquals((await limited.run(["list"])).code, 1);
});

Deno.test("berth shows strangers' texts without what a terminal would obey", async () => {
  const server = {
    name: "weather",
    version: "1.0.0",
    description: "\x1b[2J\x1b]0;owned\x07Fine\u202e",
    author: "a\nb",
    lang: "python",
    tools: { count: 1 },
    pricing: { currency: "USD", amount: 0 },
    security_report: { summary: { scan_passed: true } },
  };
  await using cli = await testCli(() =>
    Response.json({ status: "success", total: 1, total_matching: 1, servers: [server] })
  );
  for (const options of [{}, { columns: 300, env: { NO_COLOR: "1" } }]) {
    const { out } = await cli.run(["list"], options);
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000-\u0008\u000b-\u001f\u202e]/.test(out), JSON.stringify(out));
    assertStringIncludes(out, "Fine");
  }
});
