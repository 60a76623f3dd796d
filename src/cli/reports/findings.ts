/**
 * The findings of a report against what is allowed.
 *
 * @module
 */
import type { FailOn } from "../definitions/choices.ts";
import { auditOf, findingsOf } from "../../scan/compare.ts";
import type { SecurityReport } from "../../scan/schema.ts";
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

/** Whether `report` is worse than `failOn` allows. What could not be looked at is never fine. */
export function isWorse(report: SecurityReport, failOn: FailOn): boolean {
  if (failOn === "never") return false;
  if (failOn === "verdict") return report.status !== "passed";
  const least = SEVERITIES.indexOf(failOn);
  return incompleteOf(report).length > 0 ||
    findingsOf(report).some(({ severity }) => SEVERITIES.indexOf(severity) <= least);
}
