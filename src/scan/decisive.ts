/**
 * Which findings of a stored report fail its scan.
 *
 * @module
 */
import { auditOf } from "./compare.ts";
import type { Finding, SecurityReport } from "./schema.ts";
import { DECISIVE } from "./verdict.ts";

/** The findings that fail the scan by the registry's rules. */
export function decisiveOf(report: SecurityReport): Finding[] {
  const audit = auditOf(report);
  return [
    ...DECISIVE.quality(report.quality_analysis),
    ...DECISIVE.discovery(report.tool_discovery),
    ...DECISIVE.dependencies(report.dependency_audit),
    ...DECISIVE.secrets(report.secrets_detection),
    ...audit === undefined ? [] : DECISIVE.audit(audit),
    ...DECISIVE.mcp(report.mcp_audit),
  ];
}
