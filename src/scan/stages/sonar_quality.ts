/**
 * Stage 1 by a SonarQube server in place of the built-in analyser.
 *
 * @module
 */
import type { Weakness } from "../../../workers/analysis/weaknesses.ts";
import { createFindings, type NewFinding } from "../findings.ts";
import { type QualityAnalysis, type QualityIssue, SEVERITIES, type Severity } from "../schema.ts";
import type { SonarHotspot, SonarIssue } from "../sonar/answers.ts";
import { type SonarSettings, SonarUnavailable } from "../sonar/client.ts";
import { readSonar, type SonarAnalysis } from "../sonar/read.ts";
import type { ScanInput, StageDeps } from "../stage.ts";
import { MAX_LISTED } from "./analysed.ts";
import { failsQuality, runQuality } from "./quality.ts";
import { passesGate, type Rating, worstRating } from "./ratings.ts";

type IssueClass = QualityIssue["class"];
type Classed = NewFinding & { class: IssueClass };

const SEVERITY: Record<NonNullable<SonarIssue["severity"]>, Severity> = {
  BLOCKER: "critical",
  CRITICAL: "high",
  HIGH: "high",
  MAJOR: "medium",
  MEDIUM: "medium",
  MINOR: "low",
  LOW: "low",
  INFO: "info",
};

const CLASS: Record<string, IssueClass> = {
  BUG: "bug",
  VULNERABILITY: "vulnerability",
  CODE_SMELL: "code_smell",
  SECURITY_HOTSPOT: "security_hotspot",
  RELIABILITY: "bug",
  SECURITY: "vulnerability",
  MAINTAINABILITY: "code_smell",
};

/** Weaknesses of SonarQube's categories of hotspots; the others name no single one. */
const WEAKNESS: Readonly<Record<string, Weakness>> = {
  "sql-injection": 89,
  "command-injection": 78,
  "path-traversal-injection": 22,
  "ldap-injection": 90,
  "xpath-injection": 643,
  "rce": 94,
  "dos": 400,
  "ssrf": 918,
  "csrf": 352,
  "xss": 79,
  "log-injection": 117,
  "http-response-splitting": 113,
  "open-redirect": 601,
  "xxe": 611,
  "object-injection": 502,
  "weak-cryptography": 327,
  "auth": 287,
  "encrypt-data": 319,
};

const RATINGS: readonly Rating[] = ["A", "B", "C", "D", "E"];
const MAX_TEXT = 500;

interface Place {
  component: string;
  line?: number | undefined;
  textRange?: { startLine: number; endLine: number } | undefined;
}

/** Where a finding is: its path below the selected folder, or null outside of it. */
function placeOf(analysis: SonarAnalysis, folder: string, { component, line, textRange }: Place) {
  const prefix = folder === "" ? `${analysis.project}:` : `${analysis.project}:${folder}/`;
  if (!component.startsWith(prefix)) return null;
  const first = textRange?.startLine ?? line ?? null;
  return {
    file: component.slice(prefix.length),
    line: first,
    end_line: first === null ? null : Math.max(first, textRange?.endLine ?? first),
  };
}

function pageOf({ url }: SonarSettings, path: string, parameters: Record<string, string>): string {
  return `${url}/${path}?${new URLSearchParams(parameters)}`;
}

function ofIssue(issue: SonarIssue): { class: IssueClass; severity: Severity } {
  const [impact] = issue.impacts ?? [];
  return {
    class: CLASS[issue.type ?? impact?.softwareQuality ?? "CODE_SMELL"]!,
    severity: SEVERITY[issue.severity ?? impact?.severity ?? "MEDIUM"],
  };
}

function titleOf({ message }: SonarIssue | SonarHotspot): string {
  return message.split("\n", 1)[0]!.replace(/\.$/, "").slice(0, MAX_TEXT) || "Issue";
}

function compare(a: Classed, b: Classed): number {
  // What fails a scan comes first, so that the cut of a long list never hides it.
  const decides = (each: Classed) => failsQuality(each) ? 0 : 1;
  return decides(a) - decides(b) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    ((a.file ?? "") < (b.file ?? "") ? -1 : a.file === b.file ? 0 : 1) ||
    (a.line ?? 0) - (b.line ?? 0) || (a.rule < b.rule ? -1 : a.rule === b.rule ? 0 : 1);
}

function findingsOf(settings: SonarSettings, analysis: SonarAnalysis, folder: string): Classed[] {
  const { project, branch } = analysis;
  const of = { id: project, ...(branch === undefined ? {} : { branch }) };
  const issues = analysis.issues.flatMap((issue): Classed[] => {
    const place = placeOf(analysis, folder, issue);
    if (place === null) return [];
    return [{
      ...place,
      ...ofIssue(issue),
      rule: issue.rule.slice(0, 100),
      cwe: null,
      title: titleOf(issue),
      detail: issue.message.slice(0, MAX_TEXT),
      url: pageOf(settings, "project/issues", { ...of, open: issue.key }),
    }];
  });
  const hotspots = analysis.hotspots.flatMap((hotspot): Classed[] => {
    const place = placeOf(analysis, folder, hotspot);
    const weakness = WEAKNESS[hotspot.securityCategory];
    if (place === null) return [];
    return [{
      ...place,
      class: "security_hotspot",
      severity: "low",
      rule: (hotspot.ruleKey ?? hotspot.securityCategory).slice(0, 100),
      cwe: weakness === undefined ? null : `CWE-${weakness}`,
      title: titleOf(hotspot),
      detail: hotspot.message.slice(0, MAX_TEXT),
      url: pageOf(settings, "security_hotspots", { ...of, hotspots: hotspot.key }),
    }];
  });
  return [...issues, ...hotspots].sort(compare);
}

function sectionOf(
  settings: SonarSettings,
  analysis: SonarAnalysis,
  { repository }: ScanInput,
): QualityAnalysis {
  const { measures } = analysis;
  const all = findingsOf(settings, analysis, repository.folder);
  const severities = (kind: IssueClass) =>
    all.filter((each) => each.class === kind).map(({ severity }) => severity);
  const whole = (metric: string, otherwise = 0) => Math.round(measures.get(metric) ?? otherwise);
  const counted = (metric: string, kind: IssueClass) => whole(metric, severities(kind).length);
  // Numbers from 1 to 5; a server without the measure has the issues that make it.
  const rating = (metrics: string[], kind: IssueClass | null): Rating => {
    const value = metrics.map((metric) => measures.get(metric)).find((each) => each !== undefined);
    const known = value === undefined ? undefined : RATINGS[Math.round(value) - 1];
    return known ?? (kind === null ? "A" : worstRating(severities(kind)));
  };
  const percent = (metric: string) =>
    Math.min(100, Math.round((measures.get(metric) ?? 0) * 10) / 10);
  const counts = {
    bugs: counted("bugs", "bug"),
    vulnerabilities: counted("vulnerabilities", "vulnerability"),
    code_smells: counted("code_smells", "code_smell"),
    security_hotspots: counted("security_hotspots", "security_hotspot"),
  };
  const ratings = {
    reliability_rating: rating(
      ["reliability_rating", "software_quality_reliability_rating"],
      "bug",
    ),
    security_rating: rating(
      ["security_rating", "software_quality_security_rating"],
      "vulnerability",
    ),
    maintainability_rating: rating(
      ["sqale_rating", "software_quality_maintainability_rating"],
      null,
    ),
  };
  const duplications = percent("duplicated_lines_density");
  const finding = createFindings("quality_analysis", repository.files);
  return {
    scan_passed: !all.some(failsQuality),
    total_issues: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...counts,
    quality_gate: analysis.gate === "NONE"
      ? passesGate({ ...ratings, duplications }) ? "OK" : "ERROR"
      : analysis.gate === "ERROR"
      ? "ERROR"
      : "OK",
    ...ratings,
    coverage: percent("coverage"),
    coverage_measured: measures.has("coverage"),
    duplications,
    lines_of_code: whole("ncloc"),
    debt_minutes: whole("sqale_index"),
    complexity: { total: whole("complexity"), functions: whole("functions"), highest: [] },
    issues: all.slice(0, MAX_LISTED).map((each) => ({ ...finding(each), class: each.class })),
    analyser: `sonarqube ${analysis.version}`,
    url: pageOf(settings, "dashboard", {
      id: analysis.project,
      ...(analysis.branch === undefined ? {} : { branch: analysis.branch }),
    }),
    duration_ms: 0,
    error: null,
  };
}

/**
 * Runs stage 1 by the server. Where that has nothing to say of the commit, the section holds what
 * the built-in analyser finds, and the error that makes the scan be repeated: so a repository gains
 * nothing by not being analysed.
 */
export async function runSonarQuality(
  deps: StageDeps & { sonar: SonarSettings },
  input: ScanInput,
  signal: AbortSignal,
): Promise<QualityAnalysis> {
  try {
    return sectionOf(
      deps.sonar,
      await readSonar(deps.sonar, input.repository, signal),
      input,
    );
  } catch (error) {
    if (!(error instanceof SonarUnavailable)) throw error;
    deps.sonar.note(error);
    const section = await runQuality(deps, input, signal);
    const message = `${error.message}. The figures come from the built-in analyser`;
    return {
      ...section,
      scan_passed: false,
      error: section.error ?? { code: "unavailable", message },
    };
  }
}
