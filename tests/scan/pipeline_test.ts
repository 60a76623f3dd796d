import { assert, assertEquals, assertRejects } from "@std/assert";
import { createLogger } from "../../src/log.ts";
import { AdvisoriesUnavailable } from "../../src/scan/advisories/advisories.ts";
import { runScan, type ScanDeps } from "../../src/scan/pipeline.ts";
import { SecurityReport, type StageProgress } from "../../src/scan/schema.ts";
import { StageFailure } from "../../src/scan/stage.ts";
import type { StageTable } from "../../src/scan/stages/table.ts";
import { scanInput } from "./input.ts";
import { finding, sections } from "./sections.ts";

function cleanStages(): StageTable {
  const { quality, discovery, dependencies, secrets, audit, mcp } = sections();
  return {
    quality: () => Promise.resolve(quality),
    discovery: () => Promise.resolve({ discovery, reached: [], folders: null }),
    dependencies: () => Promise.resolve(dependencies),
    secrets: () => Promise.resolve(secrets),
    audits: () =>
      Promise.resolve({ audit, mcp, compatibility: null, capabilities: null, scanned: null }),
  };
}

function depsWith(stages: Partial<StageTable>, deadlines: ScanDeps["deadlines"] = {}): ScanDeps {
  let time = Date.parse("2026-11-01T10:00:00Z");
  return {
    analysis: {
      engines: ["ruff 0.17.4", "tree-sitter-wasm 0.3.1", "secretlint 13.1.0"],
      begin: () => ({
        run: () => Promise.reject(new Error("not used")),
        close: () => Promise.resolve(),
      }),
    },
    advisories: {
      engine: "osv-api v1",
      query: () => Promise.reject(new AdvisoriesUnavailable("not used")),
      byIds: () => Promise.resolve(new Map()),
    },
    now: () => new Date(time -= 10),
    qualityUrl: (name) => `http://localhost/api/v1/servers/${name}`,
    log: createLogger({ level: "error", format: "json", write() {} }),
    stages: { ...cleanStages(), ...stages },
    deadlines,
  };
}

const FILES = { "server.py": "print(1)\n" };

Deno.test("runScan() reports as specified", async () => {
  const report = await runScan(depsWith({}), await scanInput(FILES));
  assertEquals(SecurityReport.parse(report), report);
  assertEquals(report.status, "passed");
  assertEquals(report.metadata, {
    repository: "acme/weather",
    repo_url: "https://github.com/acme/weather",
    scan_date: "2026-11-01T09:59:59.990Z",
    scanners_used: ["ruff 0.17.4", "tree-sitter-wasm 0.3.1", "osv-api v1", "secretlint 13.1.0"],
  });
  assertEquals(report.summary, {
    scan_passed: true,
    total_issues_all_scanners: 0,
    critical_issues: 0,
    quality_url: "http://localhost/api/v1/servers/weather",
  });
  assert(report.python_audit !== undefined && report.code_audit === undefined);
  assertEquals([report.source.files, report.source.bytes], [1, 9]);
  assertEquals(report.recommendations, []);
});

Deno.test("runScan() names stage 5 of other languages code_audit", async () => {
  const { audit, mcp } = sections();
  const audits = () =>
    Promise.resolve({ audit, mcp, compatibility: null, capabilities: null, scanned: null });
  const report = await runScan(depsWith({ audits }), await scanInput(FILES, { lang: "go" }));
  assert(report.python_audit === undefined && report.code_audit !== undefined);
  assert(report.compatibility === undefined);
});

Deno.test("runScan() tells the progress of the stages in order", async () => {
  const seen: string[] = [];
  const onProgress = (progress: StageProgress[]) =>
    void seen.push(progress.map(({ state }) => state[0]).join(""));
  const stages = { discovery: () => Promise.reject(new Error("boom")) };
  await runScan(depsWith(stages), await scanInput(FILES), { onProgress });
  assertEquals(seen, [
    "rwwww",
    "dwwww",
    "drwww",
    "dfwww",
    "dfrww",
    "dfdww",
    "dfdrw",
    "dfddw",
    "dfddr",
    "dfddd",
  ]);
});

Deno.test("runScan() tells how long stages took while the clock is set back", async () => {
  let last: StageProgress[] = [];
  const onProgress = (progress: StageProgress[]) => void (last = progress);
  const report = await runScan(depsWith({}), await scanInput(FILES), { onProgress });
  assertEquals(SecurityReport.parse(report), report);
  const took = last.map((one) => Date.parse(one.finished_at!) - Date.parse(one.started_at!));
  assert(took.every((ms) => ms >= 0), took.join());
  assertEquals(report.quality_analysis.duration_ms, took[0]);
});

Deno.test("runScan() fails, and continues, when a stage crashes, without its message", async () => {
  const stages = { quality: () => Promise.reject(new Error("secret internals")) };
  const report = await runScan(depsWith(stages), await scanInput(FILES));
  assertEquals(report.status, "failed");
  assertEquals(report.quality_analysis.error?.code, "crashed");
  assertEquals(report.secrets_detection.scan_passed, true);
  assert(!JSON.stringify(report).includes("internals"));
  const told = () => Promise.reject(new StageFailure("limit", "Too much of it"));
  const limited = await runScan(depsWith({ secrets: told }), await scanInput(FILES));
  assertEquals(limited.secrets_detection.error, { code: "limit", message: "Too much of it" });
  assertEquals(limited.recommendations, [
    "Too much of it. Correct or remove the files that could not be analysed.",
  ]);
});

Deno.test("runScan() ends a stage that does not end by itself", async () => {
  const stages = { audits: () => new Promise<never>(() => {}) };
  const deps = depsWith(stages, { security_audit: 20 });
  const report = await runScan(deps, await scanInput(FILES));
  assertEquals([report.status, report.python_audit?.error?.code], ["failed", "timeout"]);
  assertEquals(report.mcp_audit.error?.code, "timeout");
});

Deno.test("runScan() gives stages more time where the machine is crowded", async () => {
  // Milliseconds; longer than a timer is late, shorter than anybody would wait for.
  const slow = async (_deps: unknown, _input: unknown, signal: AbortSignal) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    signal.throwIfAborted();
    return sections().secrets;
  };
  for (const [patience, code] of [[() => 1, "timeout"], [() => 1000, undefined]] as const) {
    const deps = { ...depsWith({ secrets: slow }, { secrets_detection: 20 }), patience };
    const report = await runScan(deps, await scanInput(FILES));
    assertEquals(report.secrets_detection.error?.code, code);
  }
});

Deno.test("runScan() stops with its caller", async () => {
  const controller = new AbortController();
  const stages = {
    dependencies: () => {
      controller.abort(new Error("gone"));
      return new Promise<never>(() => {});
    },
  };
  const input = await scanInput(FILES);
  const { signal } = controller;
  await assertRejects(() => runScan(depsWith(stages), input, { signal }), Error, "gone");
});

Deno.test("runScan() counts issues and critical ones over all stages", async () => {
  const made = sections();
  made.quality.issues.push({ ...finding("high"), class: "bug" }, {
    ...finding("info"),
    class: "code_smell",
  });
  made.quality.total_issues = 2;
  made.audit.issues.push(finding("critical"), finding("low"));
  made.audit.total_issues = 2;
  made.secrets.secrets.push(
    { ...finding("critical"), kind: "jwt", masked: "eyJ0…" },
    { ...finding("info"), kind: "certificate", masked: "MIIE…" },
  );
  made.secrets.total_secrets = 1;
  const report = await runScan(
    depsWith({
      quality: () => Promise.resolve(made.quality),
      secrets: () => Promise.resolve(made.secrets),
      audits: () =>
        Promise.resolve({
          audit: made.audit,
          mcp: made.mcp,
          compatibility: null,
          capabilities: null,
          scanned: null,
        }),
    }),
    await scanInput(FILES),
  );
  assertEquals(report.summary.total_issues_all_scanners, 4);
  assertEquals(report.summary.critical_issues, 3);
  assertEquals(report.recommendation_details.map(({ priority }) => priority), [
    "critical",
    "critical",
  ]);
  assert(report.recommendations[0]?.startsWith("The repository contains a secret of kind jwt"));
});

Deno.test("runScan() gives findings unique ids", async () => {
  const same = finding("low");
  const { audit, mcp } = sections();
  audit.issues.push({ ...same }, { ...same }, { ...same });
  const audits = () =>
    Promise.resolve({ audit, mcp, compatibility: null, capabilities: null, scanned: null });
  const report = await runScan(depsWith({ audits }), await scanInput(FILES));
  const ids = report.python_audit!.issues.map(({ id }) => id);
  assertEquals(new Set(ids).size, 3);
});
