import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { getServer } from "../../../src/registry/servers/get.ts";
import { recheckAdvisories } from "../../../src/registry/scanning/recheck.ts";
import { listScans } from "../../../src/registry/scanning/scan_history.ts";
import type { Packages } from "../../../src/scan/packages_schema.ts";
import type { DependencyAudit, DependencyIssue, StageError } from "../../../src/scan/schema.ts";
import { runDependencies } from "../../../src/scan/stages/dependencies.ts";
import type { ScanInput } from "../../../src/scan/stage.ts";
import { advisory, rated } from "../../helpers/advisory_records.ts";
import { patientAnalysis } from "../../helpers/analysis.ts";
import { describeDatabases, openTestDatabase } from "../../helpers/database.ts";
import { alice, context, reportOn, serverInput, testRegistry } from "../../helpers/registry.ts";

function issueOf(rule: string, severity: DependencyIssue["severity"]): DependencyIssue {
  return {
    id: rule,
    stage: "dependency_audit",
    rule,
    severity,
    cwe: null,
    title: rule,
    detail: rule,
    file: "requirements.txt",
    line: 1,
    end_line: 1,
    fingerprint: rule.repeat(8),
    url: null,
    package: "requests",
    ecosystem: "PyPI",
    requirement: "requests==2",
    possible: false,
    aliases: [],
    fixed_version: null,
  };
}

describeDatabases((kind, open) => {
  Deno.test(`recheckAdvisories() scans again what other advisories apply to, on ${kind}`, async () => {
    const database = await open();
    let issues: DependencyIssue[] = [];
    let error: StageError | null = null;
    let checks = 0;
    const section = (audit: DependencyAudit): DependencyAudit => ({ ...audit, issues, error });
    const deps = testRegistry(database, {
      scan(request) {
        const report = reportOn(request);
        return Promise.resolve({ ...report, dependency_audit: section(report.dependency_audit) });
      },
      checkDependencies(request) {
        checks++;
        return Promise.resolve(section(reportOn(request).dependency_audit));
      },
    });
    const pass = (hours: number) => {
      deps.clock.time = new Date(deps.clock.time.getTime() + hours * 3_600_000);
    };
    try {
      await createServer(deps, alice, serverInput("weather"), context);
      assertEquals([await recheckAdvisories(deps), checks], [[], 0]);
      pass(24);
      assertEquals([await recheckAdvisories(deps), checks], [[], 1]);
      assertEquals([await recheckAdvisories(deps), checks], [[], 1]);

      issues = [issueOf("GHSA-1", "medium")];
      pass(24);
      assertEquals(await recheckAdvisories(deps), ["weather"]);
      const { server } = await getServer(deps, "weather", null);
      assertEquals(server.security_report.dependency_audit.issues.length, 1);
      const [scan] = (await listScans(deps, "weather", { limit: 1 }, null)).scans;
      assertEquals([scan!.action, scan!.new_issues], ["advisories", 1]);
      assertEquals(deps.fetched.length, 1);

      pass(23);
      assertEquals([await recheckAdvisories(deps), checks], [[], 2]);
      issues = [issueOf("GHSA-1", "high")];
      pass(1);
      assertEquals(await recheckAdvisories(deps), ["weather"]);

      // An unavailable service is asked again after an hour, and changes no record.
      error = { code: "unavailable", message: "No advisories" };
      pass(24);
      assertEquals([await recheckAdvisories(deps), checks], [[], 4]);
      pass(1);
      error = null;
      issues = [];
      assertEquals([await recheckAdvisories(deps), checks], [["weather"], 5]);
    } finally {
      await database.close();
    }
  });
});

/** As two resolutions of the same give it: one package is required by the other alone. */
function resolvedPackages(uploaded: string): Packages {
  const resolved = (name: string, version: string, requires: string[]) => ({
    name,
    version,
    source: "index" as const,
    sha256: null,
    requires,
    direct: requires.length > 0,
    instead: null,
    python_part: false,
    yanked: false,
    uploaded,
    modules: [name],
  });
  return {
    resolved: [resolved("direct", "1.0", ["deep"]), resolved("deep", "1.0", [])],
    missing: [],
    undeclared: [],
    files: ["server.py"],
    problem: null,
    duration_ms: 1,
  };
}

Deno.test("recheckAdvisories() checks what was resolved, too: once for each new advisory", async () => {
  const database = await openTestDatabase();
  const analysis = patientAnalysis();
  const of = (name: string) => advisory(`GHSA-${name}`, name, null, rated("HIGH"));
  let records = [of("direct")];
  const advisories = {
    engine: "test",
    query: (queries: readonly { name: string }[]) =>
      Promise.resolve(
        queries.map(({ name }) =>
          records.filter(({ affected }) => affected?.some((each) => each.package?.name === name))
        ),
      ),
    byIds: () => Promise.resolve(new Map()),
  };
  const check = (input: ScanInput, signal: AbortSignal) =>
    runDependencies({ advisories, analysis, now: () => deps.clock.time }, input, signal);
  const deps: ReturnType<typeof testRegistry> = testRegistry(database, {
    async scan(request) {
      const packages = resolvedPackages(uploaded);
      const signal = new AbortController().signal;
      const dependency_audit = await check({ ...request, packages }, signal);
      return { ...reportOn(request), dependency_audit, packages };
    },
    checkDependencies: check,
  });
  const uploaded = new Date(deps.clock.time.getTime() - 6 * 24 * 3_600_000).toISOString();
  const day = async () => {
    deps.clock.time = new Date(deps.clock.time.getTime() + 24 * 3_600_000);
    return await recheckAdvisories(deps);
  };
  const rules = async () => {
    const { server } = await getServer(deps, "weather", null);
    return server.security_report.dependency_audit.issues.map(({ rule }) => rule);
  };
  try {
    await createServer(deps, alice, serverInput("weather"), context);
    assertEquals(await rules(), ["GHSA-direct", "pkg/young", "pkg/young"]);
    // That packages are not young any more is no reason for a scan.
    assertEquals([await day(), await day()], [[], []]);
    records = [...records, of("deep")];
    assertEquals([await day(), await day()], [["weather"], []]);
    assertEquals((await rules()).sort(), ["GHSA-deep", "GHSA-direct"]);
  } finally {
    await analysis.close();
    await database.close();
  }
});
