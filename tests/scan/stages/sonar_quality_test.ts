import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createLogger } from "../../../src/log.ts";
import { runScan } from "../../../src/scan/pipeline.ts";
import { QualityAnalysis } from "../../../src/scan/schema.ts";
import type { SonarSettings } from "../../../src/scan/sonar/client.ts";
import type { StageDeps } from "../../../src/scan/stage.ts";
import { runSonarQuality } from "../../../src/scan/stages/sonar_quality.ts";
import { patientAnalysis } from "../../helpers/analysis.ts";
import {
  SONAR_TOKEN,
  type SonarProject,
  type SonarServer,
  startSonarServer,
} from "../../helpers/sonar_server.ts";
import { scanInput } from "../input.ts";
import { sections } from "../sections.ts";

const COMMIT = "1".repeat(40);
const FILES = { "server.py": "a = 1\nb = 2\nc = 3\n", "lib/util.py": "x = 1\n" };
const log = createLogger({ level: "error", format: "text", write() {} });

const PROJECT: SonarProject = {
  key: "acme_weather",
  revisions: { main: [COMMIT, "0".repeat(40)] },
  measures: {
    ncloc: "4",
    complexity: "7",
    functions: "3",
    coverage: "81.25",
    duplicated_lines_density: "1.26",
    bugs: "1",
    vulnerabilities: "0",
    code_smells: "2",
    security_hotspots: "1",
    sqale_index: "35",
    reliability_rating: "3.0",
    security_rating: "1.0",
    sqale_rating: "2.0",
  },
  gate: "OK",
  issues: [
    { type: "CODE_SMELL", severity: "MINOR", file: "server.py", line: 2 },
    { type: "CODE_SMELL", severity: "INFO", file: "server.py" },
    { type: "BUG", severity: "MAJOR", file: "lib/util.py", line: 1, message: "Fix this.\nMore" },
  ],
  hotspots: [
    { file: "server.py", line: 3, securityCategory: "sql-injection", message: "Check the query." },
  ],
};

/** An analysis that finds nothing, so that tests see which analyser a section comes from. */
const BUILT_IN: StageDeps["analysis"] = {
  engines: [],
  run: () =>
    Promise.resolve({
      kind: "done",
      notAnalysable: [],
      result: {
        lines: 4,
        lines_of_code: 4,
        duplicated_lines: 0,
        coverage: null,
        complexity: { total: 99, functions: 1, highest: [] },
        issues: [{
          rule: "S501",
          class: "vulnerability",
          severity: "high",
          cwe: "CWE-295",
          title: "Certificates are not checked",
          detail: "Check them",
          file: "server.py",
          line: 1,
          end_line: 1,
        }],
      },
    }),
};

function depsOf(sonar: Partial<SonarSettings>) {
  return {
    analysis: BUILT_IN,
    advisories: {
      engine: "osv-api v1",
      query: () => Promise.resolve([]),
      byIds: () => Promise.resolve(new Map()),
    },
    now: () => new Date(0),
    sonar: {
      url: "http://127.0.0.1:9",
      token: SONAR_TOKEN,
      projectKey: "{owner}_{name}",
      fetch,
      note: () => {},
      ...sonar,
    },
  };
}

async function withServer<T>(
  project: Partial<SonarProject>,
  use: (server: SonarServer) => Promise<T>,
): Promise<T> {
  const server = startSonarServer({ ...PROJECT, ...project });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

async function stage(
  settings: Partial<SonarSettings>,
  repository: Partial<{ ref: string; folder: string }> = {},
): Promise<QualityAnalysis> {
  const input = await scanInput(FILES);
  Object.assign(input.repository, repository);
  const section = await runSonarQuality(depsOf(settings), input, new AbortController().signal);
  return QualityAnalysis.parse(section);
}

Deno.test("runSonarQuality() gives the server's figures, issues and hotspots", async () => {
  await withServer({}, async ({ url }) => {
    const section = await stage({ url });
    const { issues, ...figures } = section;
    assertEquals(figures, {
      scan_passed: true,
      total_issues: 4,
      bugs: 1,
      vulnerabilities: 0,
      code_smells: 2,
      security_hotspots: 1,
      quality_gate: "OK",
      reliability_rating: "C",
      security_rating: "A",
      maintainability_rating: "B",
      coverage: 81.3,
      coverage_measured: true,
      duplications: 1.3,
      lines_of_code: 4,
      debt_minutes: 35,
      complexity: { total: 7, functions: 3, highest: [] },
      analyser: "sonarqube 10.7.0.96327",
      url: `${url}/dashboard?id=acme_weather`,
      duration_ms: 0,
      error: null,
    });
    const shown = issues.map((each) =>
      `${each.class} ${each.severity} ${each.rule} ${each.cwe} ${each.file}:${each.line} ${each.title}`
    );
    assertEquals(shown, [
      "bug medium python:S1481 CWE-710 lib/util.py:1 Fix this",
      "code_smell low python:S1481 CWE-710 server.py:2 Remove the unused local variable",
      "security_hotspot low python:S2077 CWE-89 server.py:3 Check the query",
      "code_smell info python:S1481 CWE-710 server.py:null Remove the unused local variable",
    ]);
    assertEquals(
      issues[0]!.url,
      `${url}/project/issues?id=acme_weather&open=issue-lib%2Futil.py-2`,
    );
    assertEquals(await stage({ url }), section);
  });
});

Deno.test("runSonarQuality() reads all pages of vulnerabilities, which fail the stage", async () => {
  const flaw = { type: "VULNERABILITY", severity: "MINOR", file: "server.py", line: 1 } as const;
  const issues = [...Array(1100).fill(flaw), { ...flaw, severity: "BLOCKER", line: 3 }];
  const measures = { ...PROJECT.measures, vulnerabilities: "1101", security_rating: "5.0" };
  await withServer({ issues, measures, gate: "ERROR" }, async ({ url }) => {
    const section = await stage({ url });
    assertEquals([section.scan_passed, section.quality_gate], [false, "ERROR"]);
    assertEquals([section.vulnerabilities, section.issues.length], [1101, 1000]);
    assertEquals([section.issues[0]!.severity, section.issues[0]!.line], ["critical", 3]);
  });
  await withServer({ issues: Array(10_001).fill(flaw) }, async ({ url }) => {
    const section = await stage({ url });
    assertEquals(section.error?.code, "unavailable");
    assertStringIncludes(section.error?.message ?? "", "10000 of 10001 vulnerabilities");
  });
});

Deno.test("runSonarQuality() reads servers that have impacts and other ratings, or no measures", async () => {
  const issues = [
    { impacts: [{ softwareQuality: "SECURITY", severity: "HIGH" }], file: "server.py", line: 1 },
    { impacts: [{ softwareQuality: "RELIABILITY", severity: "LOW" }], file: "server.py", line: 2 },
  ];
  const measures = { ncloc: "4", software_quality_security_rating: "4.0" };
  await withServer({ issues, measures, gate: "NONE" }, async ({ url }) => {
    const section = await stage({ url });
    assertEquals([section.vulnerabilities, section.bugs, section.scan_passed], [1, 1, false]);
    assertEquals([section.security_rating, section.reliability_rating], ["D", "B"]);
    assertEquals([section.quality_gate, section.coverage_measured], ["ERROR", false]);
  });
});

Deno.test("runSonarQuality() takes only an analysis of exactly the commit", async () => {
  const other = "2".repeat(40);
  await withServer({ revisions: { main: [other, COMMIT] }, queue: 1 }, async ({ url }) => {
    const section = await stage({ url });
    assertEquals(section.error?.code, "unavailable");
    assertStringIncludes(section.error?.message ?? "", "its latest is of 222222222222");
    assertStringIncludes(section.error?.message ?? "", "in progress");
  });
  const revisions = { main: [other], release: [COMMIT] };
  await withServer({ revisions }, async ({ url, requests }) => {
    const section = await stage({ url }, { ref: "release" });
    assertEquals(section.error, null);
    assertStringIncludes(section.url ?? "", "branch=release");
    const measured = requests.find(({ pathname }) => pathname === "/api/measures/component");
    assertEquals(measured?.searchParams.get("branch"), "release");
  });
});

Deno.test("runSonarQuality() of a folder has the folder's measures and paths", async () => {
  const folders = { lib: { ncloc: "1", bugs: "1", reliability_rating: "3.0" } };
  await withServer({ folders }, async ({ url }) => {
    const section = await stage({ url }, { folder: "lib" });
    assertEquals([section.error, section.lines_of_code], [null, 1]);
    assertEquals(section.issues.map(({ file }) => file), ["util.py"]);
  });
});

Deno.test("runSonarQuality() says what happened and falls back to the built-in analyser", async () => {
  const faults: [Partial<SonarSettings>, Parameters<SonarServer["fail"]>[0], string][] = [
    [{ token: "wrong" }, null, "SonarQube rejected the token"],
    [{ token: null }, null, "SonarQube rejected the token"],
    [{ projectKey: "other_{name}" }, null, "SonarQube has no project other_weather"],
    [{}, "forbidden", "SonarQube does not allow the token to read the project"],
    [{}, "down", "SonarQube returned status 500"],
    [{}, "redirect", "SonarQube returned status 302"],
    [{}, "starting", "SonarQube is not ready: its status is STARTING"],
    [{}, "web_page", "SonarQube returned an unexpected response"],
    [{}, "wrong_shape", "SonarQube returned an unexpected response"],
    [{ requestMs: 50 }, "hang", "SonarQube took too long to respond"],
    [{ wholeMs: 50 }, "hang", "SonarQube took too long to respond"],
    [{ url: "http://127.0.0.1:1" }, null, "SonarQube could not be reached"],
  ];
  for (const [settings, failure, message] of faults) {
    await withServer({}, async (server) => {
      server.fail(failure);
      const noted: string[] = [];
      const note = (reason: Error) => void noted.push(reason.message);
      const section = await stage({ url: server.url, note, ...settings });
      assertEquals(noted, [message]);
      assertEquals(section.error, {
        code: "unavailable",
        message: `${message}. The figures come from the built-in analyser`,
      });
      assertEquals([section.scan_passed, section.analyser], [false, undefined], message);
      // A repository that is not analysed there gains nothing: what is wrong with it still counts.
      assertEquals([section.vulnerabilities, section.complexity.total], [1, 99], message);
      assert(!JSON.stringify(section).includes(SONAR_TOKEN));
    });
  }
});

Deno.test("runSonarQuality() ends with the scan's signal", async () => {
  await withServer({}, async (server) => {
    server.fail("hang");
    const stop = new AbortController();
    const running = runSonarQuality(
      depsOf({ url: server.url }),
      await scanInput(FILES),
      stop.signal,
    );
    stop.abort(new Error("stopped"));
    await assertRejects(() => running, Error, "stopped");
  });
});

Deno.test("runScan() names the server as engine and links to its page, or is in error without it", async () => {
  const { discovery, dependencies, secrets, audit, mcp } = sections();
  const stages = {
    discovery: () => Promise.resolve({ discovery, reached: [], folders: null }),
    dependencies: () => Promise.resolve(dependencies),
    secrets: () => Promise.resolve(secrets),
    audits: () =>
      Promise.resolve({ audit, mcp, compatibility: null, capabilities: null, scanned: null }),
  };
  const qualityUrl = () => "http://localhost/quality";
  const analysis = patientAnalysis();
  try {
    await withServer({}, async (server) => {
      const deps = { ...depsOf({ url: server.url }), analysis, stages, qualityUrl, log };
      const report = await runScan(deps, await scanInput(FILES));
      assertEquals(report.status, "passed");
      assertEquals(report.metadata.scanners_used[0], "sonarqube 10.7.0.96327");
      assertEquals(report.summary.quality_url, `${server.url}/dashboard?id=acme_weather`);
      server.fail("down");
      const without = await runScan(deps, await scanInput(FILES));
      assertEquals([without.status, without.quality_analysis.lines_of_code], ["error", 4]);
      assertEquals(without.summary.quality_url, "http://localhost/quality");
    });
  } finally {
    await analysis.close();
  }
});
