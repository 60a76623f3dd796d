import { assert, assertEquals } from "@std/assert";
import { QualityAnalysis, type QualityIssue, type Severity } from "../../../src/scan/schema.ts";
import {
  debtRating,
  passesGate,
  type Rating,
  worstRating,
} from "../../../src/scan/stages/ratings.ts";
import { ruleUrl, runQuality } from "../../../src/scan/stages/quality.ts";
import { withStage } from "../../helpers/analysis.ts";

// SonarQube's metric definitions: the worst issue decides; minor B, major C, critical D, blocker E.
const WORST: [Severity[], Rating][] = [
  [[], "A"],
  [["info", "info"], "A"],
  [["low"], "B"],
  [["info", "medium"], "C"],
  [["high", "low", "medium"], "D"],
  [["low", "critical"], "E"],
];

// Remediation in relation to 30 minutes a line: up to 5 % A, 10 % B, 20 % C, 50 % D, above E.
const DEBT: [number, number, Rating][] = [
  [0, 0, "A"],
  [60, 0, "A"],
  [150, 100, "A"],
  [151, 100, "B"],
  [300, 100, "B"],
  [301, 100, "C"],
  [600, 100, "C"],
  [601, 100, "D"],
  [1500, 100, "D"],
  [1501, 100, "E"],
];

const GATE: [Rating, Rating, number, boolean][] = [
  ["A", "A", 0, true],
  ["A", "A", 3, true],
  ["A", "A", 3.1, false],
  ["B", "A", 0, false],
  ["A", "B", 0, false],
  ["E", "E", 100, false],
];

Deno.test("ratings and gate follow the published grids", () => {
  for (const [severities, rating] of WORST) {
    assertEquals(worstRating(severities), rating, severities.join());
  }
  for (const [minutes, lines, rating] of DEBT) {
    assertEquals(debtRating(minutes, lines), rating, `${minutes} of ${lines}`);
  }
  for (const [reliability_rating, security_rating, duplications, passes] of GATE) {
    assertEquals(passesGate({ reliability_rating, security_rating, duplications }), passes);
  }
});

Deno.test("runQuality() rates by class: hotspots and smells touch no rating of faults", async () => {
  const issue = { cwe: null, title: "x", detail: "x", file: "a.py", line: 1, end_line: 1 };
  type Given = [QualityIssue["class"], Severity][];
  const figures = async (given: Given, size: { lines: number; duplicated_lines: number }) => {
    const section = await runQuality({
      now: () => new Date(0),
      analysis: {
        run: () =>
          Promise.resolve({
            kind: "done",
            notAnalysable: [],
            result: {
              ...size,
              lines_of_code: 10,
              coverage: null,
              complexity: { total: 0, functions: 0, highest: [] },
              issues: given.map(([kind, severity], index) => ({
                ...issue,
                rule: `r${index}`,
                class: kind,
                severity,
              })),
            },
          }),
      },
    }, { repository: { files: new Map() }, lang: "python", entrypoint: "a.py" });
    const { reliability_rating, security_rating, maintainability_rating } = section;
    const ratings = `${reliability_rating}${security_rating}${maintainability_rating}`;
    return [ratings, section.debt_minutes, section.duplications, section.quality_gate] as const;
  };
  const size = { lines: 200, duplicated_lines: 6 };
  assertEquals(await figures([], size), ["AAA", 0, 3, "OK"]);
  assertEquals(await figures([], { lines: 0, duplicated_lines: 0 }), ["AAA", 0, 0, "OK"]);
  assertEquals(await figures([], { lines: 200, duplicated_lines: 7 }), ["AAA", 0, 3.5, "ERROR"]);
  assertEquals(await figures([["security_hotspot", "critical"]], size), ["AAA", 0, 3, "OK"]);
  assertEquals(await figures([["code_smell", "critical"]], size), ["AAC", 60, 3, "OK"]);
  assertEquals(await figures([["bug", "low"]], size), ["BAA", 0, 3, "ERROR"]);
  assertEquals(await figures([["vulnerability", "high"]], size), ["ADA", 0, 3, "ERROR"]);
});

Deno.test("ruleUrl() leads to the linter's page of a rule", () => {
  assertEquals(ruleUrl("B006", "python"), "https://docs.astral.sh/ruff/rules/B006/");
  assertEquals(ruleUrl("no-eval", "javascript"), "https://eslint.org/docs/latest/rules/no-eval");
  assertEquals(
    ruleUrl("ts/no-misused-new", "typescript"),
    "https://typescript-eslint.io/rules/no-misused-new/",
  );
  assertEquals(
    ruleUrl("security/detect-unsafe-regex", "javascript"),
    "https://github.com/eslint-community/eslint-plugin-security/blob/main/docs/rules/" +
      "detect-unsafe-regex.md",
  );
  for (const [rule, lang] of [["js/shell", "javascript"], ["invalid-syntax", "python"]] as const) {
    assertEquals(ruleUrl(rule, lang), null, rule);
  }
});

Deno.test("runQuality() builds the section and gives the same one twice", async () => {
  await withStage(async ({ deps, input }) => {
    const files = {
      "server.py": `import ssl, requests
def tool(a):
    requests.get(a, verify=False, timeout=1)
    return nowhere
`,
      "coverage.xml": `<coverage line-rate="0.5">`,
    };
    const first = await runQuality(deps, input(files));
    const second = await runQuality(deps, input(files));
    assertEquals({ ...second, duration_ms: 0 }, { ...first, duration_ms: 0 });
    QualityAnalysis.parse(first);
    assertEquals(first.scan_passed, false);
    assertEquals(first.quality_gate, "ERROR");
    assertEquals([first.reliability_rating, first.security_rating], ["D", "D"]);
    assertEquals([first.coverage, first.coverage_measured], [50, true]);
    assertEquals(
      first.total_issues,
      first.bugs + first.vulnerabilities + first.code_smells + first.security_hotspots,
    );
    assertEquals(new Set(first.issues.map(({ id }) => id)).size, first.issues.length);
  });
});

Deno.test("runQuality() passes clean code and fails what it cannot analyse", async () => {
  await withStage(async ({ deps, input }) => {
    const clean = await runQuality(deps, input({ "server.py": "print(1)\n" }));
    assertEquals([clean.scan_passed, clean.quality_gate, clean.error], [true, "OK", null]);
    const deep = await runQuality(
      deps,
      input({ "server.py": "x = " + "(".repeat(3000) + ")".repeat(3000) }),
    );
    assertEquals(deep.scan_passed, false);
    assertEquals(deep.error?.code, "not_analysable");
    assert(deep.error?.message.includes("server.py"));
  });
});

Deno.test("runQuality() takes a failed or senseless analysis for a failure", async () => {
  const base = { now: () => new Date(0) };
  const input = { repository: { files: new Map() }, lang: "python", entrypoint: "a.py" } as const;
  const timeout = await runQuality({
    ...base,
    analysis: { run: () => Promise.resolve({ kind: "failed", code: "timeout", message: "Slow" }) },
  }, input);
  assertEquals(timeout.error, { code: "timeout", message: "Slow" });
  assertEquals([timeout.scan_passed, timeout.quality_gate], [false, "ERROR"]);
  const forged = await runQuality({
    ...base,
    analysis: {
      run: () => Promise.resolve({ kind: "done", result: { lines: "many" }, notAnalysable: [] }),
    },
  }, input);
  assertEquals(forged.error?.code, "crashed");
});
