/**
 * What two reports on a server have in common. Fingerprints tell: they stay the same while a finding
 * does, whatever comes and goes around it.
 *
 * @module
 */
import type { Audit, Finding, SecurityReport } from "./schema.ts";

/** What changed from one report to another. */
export interface Comparison {
  /** Findings that the earlier report had not. */
  new: Finding[];
  /** Findings of the earlier report that are gone. */
  fixed: Finding[];
  /** How many findings both have. */
  unchanged: number;
}

/** The section of the security audit, whatever the server's language. */
export function auditOf(report: SecurityReport): Audit | undefined {
  return report.python_audit ?? report.code_audit;
}

/** Every finding of a stored report in stage order, what is listed for information included. */
export function findingsOf(report: SecurityReport): Finding[] {
  return [
    ...report.quality_analysis.issues,
    ...report.tool_discovery.issues,
    ...report.dependency_audit.issues,
    ...report.secrets_detection.secrets,
    ...auditOf(report)?.issues ?? [],
    ...report.mcp_audit.issues,
  ];
}

/** Compares two reports; without an earlier one everything is new. */
export function compareReports(before: SecurityReport | null, after: SecurityReport): Comparison {
  const earlier = before === null ? [] : findingsOf(before);
  const later = findingsOf(after);
  const known = new Set(earlier.map(({ fingerprint }) => fingerprint));
  const still = new Set(later.map(({ fingerprint }) => fingerprint));
  return {
    new: later.filter(({ fingerprint }) => !known.has(fingerprint)),
    fixed: earlier.filter(({ fingerprint }) => !still.has(fingerprint)),
    unchanged: later.filter(({ fingerprint }) => known.has(fingerprint)).length,
  };
}
