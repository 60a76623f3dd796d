/**
 * What analysers report about source. The stage gives ids and fingerprints to it.
 *
 * @module
 */

/** Severities of the report, from worst to least. */
export type Severity = "critical" | "high" | "medium" | "low" | "info";
/** Classes of stage 1, as SonarQube names them. */
export type IssueClass = "bug" | "vulnerability" | "code_smell" | "security_hotspot";

/** A finding at a place in a file. Lines count from 1. */
export interface RawFinding {
  rule: string;
  severity: Severity;
  cwe: string | null;
  title: string;
  /** What is wrong and what to do. */
  detail: string;
  /** What to do; without it, `detail` says only that. */
  fix?: string;
  file: string;
  line: number;
  end_line: number;
}

/** A finding of stage 1. */
export interface RawIssue extends RawFinding {
  class: IssueClass;
}

const ORDER: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

function compare(a: RawFinding, b: RawFinding): number {
  return ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);
}

/** Findings in report order (worst first, then by place), without repeats, at most `limit`. */
export function inReportOrder<T extends RawFinding>(findings: readonly T[], limit: number): T[] {
  const seen = new Set<string>();
  const unique = findings.filter((each) => {
    const key = `${each.rule}\0${each.file}\0${each.line}\0${each.title}`;
    return !seen.has(key) && seen.add(key);
  });
  return unique.sort(compare).slice(0, limit);
}
