/**
 * Stage 1: code quality and vulnerabilities, with the figures that SonarQube would show.
 *
 * @module
 */
import { z } from "zod";
import { isWantedSource } from "../../../workers/analysis/sources.ts";
import { createFindings } from "../findings.ts";
import type { Language, QualityAnalysis, QualityIssue } from "../schema.ts";
import {
  analysed,
  type AnalysedDeps,
  type AnalysedInput,
  MAX_LISTED,
  RawFinding,
} from "./analysed.ts";
import { DEBT_MINUTES, debtRating, passesGate, worstRating } from "./ratings.ts";

const count = z.int().min(0);

const RawIssue = RawFinding.extend({
  class: z.enum(["bug", "vulnerability", "code_smell", "security_hotspot"]),
});

const QualityResult = z.object({
  lines: count,
  lines_of_code: count,
  duplicated_lines: count,
  coverage: z.number().min(0).max(100).nullable(),
  complexity: z.object({
    total: count,
    functions: count,
    highest: z.array(z.object({
      function: z.string().max(200),
      file: z.string().max(4096),
      line: z.int().min(1),
      complexity: count,
    })).max(100),
  }),
  issues: z.array(RawIssue).max(20_000),
});
type QualityResult = z.infer<typeof QualityResult>;

const DEADLINE_MS = 60_000;
const REPORTS =
  /(^|\/)((coverage|cobertura|cobertura-coverage)\.xml|lcov\.info|coverage\.(lcov|txt)|(c|cover|coverage|profile)\.(out|cov))$/;

const NOTHING: QualityResult = {
  lines: 0,
  lines_of_code: 0,
  duplicated_lines: 0,
  coverage: null,
  complexity: { total: 0, functions: 0, highest: [] },
  issues: [],
};

/** Rules of our own whose names have no prefix. */
const OWN = new Set([
  "complex-function",
  "invalid-syntax",
  "not-linted",
  "suppressed-findings",
  "too-many-issues",
]);

/** Whether an issue of stage 1 fails a scan: only vulnerabilities do, and only critical and high ones. */
export function failsQuality(issue: Pick<QualityIssue, "class" | "severity">): boolean {
  return issue.class === "vulnerability" &&
    (issue.severity === "critical" || issue.severity === "high");
}

const PLUGINS: Record<string, string> = {
  ts: "https://typescript-eslint.io/rules/",
  security: "https://github.com/eslint-community/eslint-plugin-security/blob/main/docs/rules/",
  "no-unsanitized":
    "https://github.com/mozilla/eslint-plugin-no-unsanitized/blob/master/docs/rules/",
};

/** Where the linter explains a rule; null for rules of our own, which explain themselves. */
export function ruleUrl(rule: string, lang: Language): string | null {
  const [name, plugin] = rule.split("/").toReversed();
  if (lang === "python" && plugin === undefined && /^[A-Z]+\d+$/.test(rule)) {
    return `https://docs.astral.sh/ruff/rules/${rule}/`;
  }
  if (lang !== "javascript" && lang !== "typescript") return null;
  if (plugin !== undefined) {
    const folder = PLUGINS[plugin];
    return folder === undefined ? null : `${folder}${name}${plugin === "ts" ? "/" : ".md"}`;
  }
  return OWN.has(rule) ? null : `https://eslint.org/docs/latest/rules/${rule}`;
}

export async function runQuality(
  deps: AnalysedDeps,
  input: AnalysedInput,
  signal?: AbortSignal,
): Promise<QualityAnalysis> {
  const { result, error, durationMs } = await analysed(deps, input, {
    analyser: "quality",
    schema: QualityResult,
    deadlineMs: DEADLINE_MS,
    needs: (path) => isWantedSource(path, input.lang, input.entrypoint) || REPORTS.test(path),
    signal,
  });
  const { issues, complexity, coverage, ...size } = result ?? NOTHING;
  const severities = (kind: QualityIssue["class"]) =>
    issues.filter((issue) => issue.class === kind).map(({ severity }) => severity);
  const bugs = severities("bug");
  const vulnerabilities = severities("vulnerability");
  const smells = severities("code_smell");
  const debt = smells.reduce((sum, severity) => sum + DEBT_MINUTES[severity], 0);
  const duplications = size.lines === 0
    ? 0
    : Math.min(100, Math.round(size.duplicated_lines / size.lines * 1000) / 10);
  const ratings = {
    reliability_rating: worstRating(bugs),
    security_rating: worstRating(vulnerabilities),
  };
  const finding = createFindings("quality_analysis", input.repository.files);
  return {
    scan_passed: error === null && !issues.some(failsQuality),
    total_issues: issues.length,
    bugs: bugs.length,
    vulnerabilities: vulnerabilities.length,
    code_smells: smells.length,
    security_hotspots: severities("security_hotspot").length,
    quality_gate: result !== null && passesGate({ ...ratings, duplications }) ? "OK" : "ERROR",
    ...ratings,
    maintainability_rating: debtRating(debt, size.lines_of_code),
    coverage: coverage ?? 0,
    coverage_measured: coverage !== null,
    duplications,
    lines_of_code: size.lines_of_code,
    debt_minutes: debt,
    complexity,
    issues: issues.slice(0, MAX_LISTED).map((issue) => ({
      ...finding({ ...issue, url: ruleUrl(issue.rule, input.lang) }),
      class: issue.class,
    })),
    duration_ms: durationMs,
    error,
  };
}
