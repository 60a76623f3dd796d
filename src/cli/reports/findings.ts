/**
 * The findings of a report against what is allowed.
 *
 * @module
 */
import type { FailOn } from "../definitions/choices.ts";
import { auditOf, findingsOf } from "../../scan/compare.ts";
import { decisiveOf } from "../../scan/decisive.ts";
import type { Finding, SecurityReport } from "../../scan/schema.ts";
import { SEVERITIES } from "../../scan/schema.ts";

/** The stages that could not finish. */
export function incompleteOf(report: SecurityReport): string[] {
  const sections: [string, { error: { message: string } | null } | undefined][] = [
    ["Quality", report.quality_analysis],
    ["Tools", report.tool_discovery],
    ["Dependencies", report.dependency_audit],
    ["Secrets", report.secrets_detection],
    ["Security", auditOf(report)],
    ["MCP", report.mcp_audit],
  ];
  return sections.flatMap(([name, section]) =>
    section?.error ? [`${name}: ${section.error.message}`] : []
  );
}

/** The findings that `failOn` does not allow. */
export function refusedBy(report: SecurityReport, failOn: FailOn): Finding[] {
  if (failOn === "never") return [];
  if (failOn === "verdict") return decisiveOf(report);
  const least = SEVERITIES.indexOf(failOn);
  return findingsOf(report).filter((finding) => SEVERITIES.indexOf(finding.severity) <= least);
}

/** Whether `report` is worse than `failOn` allows. What could not be looked at is never fine. */
export function isWorse(report: SecurityReport, failOn: FailOn): boolean {
  if (failOn === "never") return false;
  if (failOn === "verdict") return report.status !== "passed";
  return incompleteOf(report).length > 0 || refusedBy(report, failOn).length > 0;
}
