/**
 * Reports with findings of a test's choice.
 *
 * @module
 */
import type { Finding, ScanStatus, SecurityReport } from "../../../src/scan/schema.ts";

/** A report that has `issues` in its security audit, and nothing else of interest. */
export function reportOf(issues: Finding[], status: ScanStatus = "passed"): SecurityReport {
  const stage = { issues: [], total_issues: 0, scan_passed: true, error: null, duration_ms: 1 };
  return {
    status,
    summary: {
      scan_passed: status === "passed",
      total_issues_all_scanners: issues.length,
      critical_issues: 0,
      quality_url: "",
    },
    quality_analysis: { ...stage, lines_of_code: 1 },
    tool_discovery: { ...stage, files_scanned: 1, found: [], missing: [], dynamic: false },
    dependency_audit: { ...stage, packages_checked: 0, manifests: [] },
    secrets_detection: { ...stage, secrets: [], files_scanned: 1 },
    python_audit: { ...stage, issues, total_issues: issues.length, total_lines_scanned: 1 },
    mcp_audit: stage,
  } as unknown as SecurityReport;
}
