/** The security page and the versions of a server whose report and history attack the reader. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { UpdateServer } from "../../src/registry/schema.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import type { Finding, SecurityReport } from "../../src/scan/schema.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { callerOf, reportOn, serverInput, testRegistry } from "../helpers/registry.ts";
import { personAt, startSite } from "./harness.ts";

const SCRIPT = `<script>hacked("x")</script><img src=x onerror='hacked()'>`;
const BIDI = "\u202Edetrever\u202C \u2066";
/** As long as a version can be, and legal. */
const VERSIONS = ["1.0.0", `1.1.0-${"x".repeat(240)}`, "1.2.0", "1.3.0"];

function finding(n: number, more: Partial<Finding> = {}): Finding {
  return {
    id: `f${n}"><script>`,
    stage: "security_audit",
    rule: `R${n}${SCRIPT}`,
    severity: "high",
    cwe: "CWE-94",
    title: `${SCRIPT}${BIDI}${"long ".repeat(50)}${n}`,
    detail: `${SCRIPT} javascript:hacked()`,
    file: `src/${SCRIPT}/a.py`,
    line: 1,
    end_line: 1,
    fingerprint: String(n).repeat(64).slice(0, 64),
    url: "javascript:hacked()",
    explanation: SCRIPT,
    fix: `${BIDI}${SCRIPT}`,
    ...more,
  } as Finding;
}

const ODD = finding(9, { cwe: `CWE-1"><script>`, severity: "low", url: `https://e.com/"onload="` });
/** What each scan finds: of the first two stays one, and so on. */
const FOUND: Finding[][] = [[finding(1)], [finding(1), finding(2), ODD], [], [finding(3), ODD]];

function reportWith(base: SecurityReport, issues: Finding[]): SecurityReport {
  const total = issues.length;
  return {
    ...base,
    status: total > 0 ? "failed" : "passed",
    summary: { ...base.summary, total_issues_all_scanners: total, critical_issues: total },
    python_audit: { ...base.python_audit!, issues, total_issues: total },
  };
}

async function prepare(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, log: silentLog });
  let scan = 0;
  const deps = testRegistry(database, {
    scan: (request) => Promise.resolve(reportWith(reportOn(request), FOUND[scan++]!)),
  });
  const [ada, context] = [callerOf("ada"), { requestId: "r" }];
  await createServer(deps, ada, serverInput("odd", { version: VERSIONS[0] }), context);
  for (const [n, version] of VERSIONS.slice(1).entries()) {
    deps.clock.time = new Date(`2026-02-0${n + 1}T00:00:00Z`);
    await updateServer(deps, ada, "odd", UpdateServer.parse({ version }), context);
  }
  await database.close();
}

/** Fails where markup of a finding has become markup of the page. */
function expectHarmless(html: string): void {
  const own = html.replaceAll(/<script src="\/assets\/[^"]*" defer(="")?><\/script>/g, "");
  assert(!/<script|<img src=x|\son\w+=["']/i.test(own), "a finding's markup is in the page");
  assert(!/href="\s*javascript:/i.test(own));
}

Deno.test("reports and histories of strangers are shown as text, with charts and comparisons", async (t) => {
  const dataDir = await prepareDataDir();
  await prepare(dataDir);
  const site = await startSite({ dataDir });
  const anybody = personAt(site);
  try {
    await t.step(
      "the security page has the findings, the stages' times and the trend",
      async () => {
        const { html } = await anybody.load("/servers/odd/security");
        expectHarmless(html);
        assertStringIncludes(html, "&lt;script&gt;hacked");
        assertEquals((html.match(/>blocking</g) ?? []).length, 1);
        assertMatch(html, /Time per stage, \d+ ms in total/);
        assertMatch(html, /2 new findings, 0\s*fixed/);
        assertMatch(html, /Findings by scan: 1 in 1\.0\.0, 1 critical or high; 3 in 1\.1\.0-x/);
        assertStringIncludes(html, "https://cwe.mitre.org/data/definitions/94.html");
        assertStringIncludes(html, "How the verdict is decided");
      },
    );

    await t.step(
      "findings are filtered by weakness and by what fails, in the address",
      async () => {
        const all = await anybody.load("/servers/odd/security");
        assertStringIncludes(all.html, "2 findings");
        for (
          const [query, text] of [
            ["cwe=CWE-94", "1 finding of 2"],
            ["failing=true", "1 finding of 2"],
            ["severity=low&failing=true", "0 findings of 2"],
            ["cwe=%22%3E%3Cscript%3E&stage=x&severity=x&group=x&page=-1", "2 findings"],
          ]
        ) {
          const { status, html } = await anybody.load(`/servers/odd/security?${query}`);
          assertEquals(status, 200);
          assertStringIncludes(html, text!);
          expectHarmless(html);
        }
      },
    );

    await t.step("any two scans are compared", async () => {
      const { html } = await anybody.load("/servers/odd/versions");
      expectHarmless(html);
      assertMatch(html, /New and fixed findings by scan: 2 new, 0 fixed in 1\.1\.0-x/);
      const ids = [...html.matchAll(/<a href="\/scans\/([\w-]+)">/g)].map(([, id]) => id!);
      assertEquals(ids.length, 4);
      const [newest, , second, first] = ids;
      const before = await anybody.load(`/servers/odd/versions?scan=${newest}`);
      assertStringIncludes(before.html, "compared with the previous scan");
      assertStringIncludes(before.html, "2 new findings, 0 fixed, 0 unchanged");
      const others: [string, string, string][] = [
        [newest!, second!, "1 new finding, 2 fixed, 1 unchanged"],
        [second!, first!, "2 new findings, 0 fixed, 1 unchanged"],
        [first!, second!, "0 new findings, 2 fixed, 1 unchanged"],
      ];
      for (const [scan, against, text] of others) {
        const page = await anybody.load(`/servers/odd/versions?scan=${scan}&against=${against}`);
        assertStringIncludes(page.html, text);
        expectHarmless(page.html);
      }
      const none = await anybody.load(`/servers/odd/versions?scan=${first}&against=nothing`);
      assertEquals(none.status, 400);
      assertEquals((await anybody.load("/servers/odd/versions?scan=nothing")).status, 404);
    });
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
