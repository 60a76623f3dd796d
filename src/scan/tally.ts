/**
 * Counting findings as reports show them.
 *
 * @module
 */
import type { Finding } from "./schema.ts";

type Rated = Pick<Finding, "severity">;

/** Whether a finding is critical or high. */
export function isGrave({ severity }: Rated): boolean {
  return severity === "critical" || severity === "high";
}

/** Counts by severity: critical counts as high, info is not counted. */
export function countSeverities(findings: readonly Rated[]) {
  const counts = { high: 0, medium: 0, low: 0 };
  for (const finding of findings) {
    if (isGrave(finding)) counts.high++;
    else if (finding.severity === "medium" || finding.severity === "low") {
      counts[finding.severity]++;
    }
  }
  return counts;
}

/** Number of findings that count as issues: all but `info`. */
export function countIssues(findings: readonly Rated[]): number {
  return findings.filter(({ severity }) => severity !== "info").length;
}

/** Gives findings whose ids are taken longer ones, in order, so that ids are unique. */
export function makeIdsUnique(findings: readonly Finding[]): void {
  const taken = new Set<string>();
  for (const finding of findings) {
    for (let digits = finding.id.length; taken.has(finding.id); digits++) {
      finding.id = digits < finding.fingerprint.length
        ? finding.fingerprint.slice(0, digits + 1)
        : `${finding.fingerprint}-${digits}`;
    }
    taken.add(finding.id);
  }
}
