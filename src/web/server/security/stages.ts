/**
 * The five stages of a report, in order, each with what it looked at.
 *
 * @module
 */
import { auditOf } from "../../../scan/compare.ts";
import type { SecurityReport, StageError, StageName } from "../../../scan/schema.ts";
import { plural } from "../../../text/plural.ts";

export interface StageView {
  id: StageName;
  title: string;
  passed: boolean;
  issues: number;
  /** What it looked at. */
  looked: string;
  milliseconds: number;
  error: StageError | null;
}

/** Names of the stages. */
export const STAGE_TITLES: Record<StageName, string> = {
  quality_analysis: "Code quality",
  tool_discovery: "Tools",
  dependency_audit: "Dependencies",
  secrets_detection: "Secrets",
  security_audit: "Security",
};

export function stagesOf(report: SecurityReport): StageView[] {
  const { quality_analysis: quality, tool_discovery: tools, dependency_audit: dependencies } =
    report;
  const { secrets_detection: secrets, mcp_audit: mcp } = report;
  const audit = auditOf(report);
  const manifests = dependencies.manifests;
  return [
    {
      id: "quality_analysis",
      passed: quality.scan_passed,
      issues: quality.total_issues,
      looked: `${plural(quality.lines_of_code, "line")} of code`,
      milliseconds: quality.duration_ms,
      error: quality.error,
    },
    {
      id: "tool_discovery",
      passed: tools.scan_passed,
      issues: tools.total_issues,
      looked: `${plural(tools.files_scanned, "file")}, ${plural(tools.found.length, "tool")} found`,
      milliseconds: tools.duration_ms,
      error: tools.error,
    },
    {
      id: "dependency_audit",
      passed: dependencies.scan_passed,
      issues: dependencies.total_issues,
      looked: `${plural(dependencies.packages_checked, "package")}` +
        (manifests.length === 0 ? ", no manifest" : ` in ${manifests.slice(0, 4).join(", ")}`),
      milliseconds: dependencies.duration_ms,
      error: dependencies.error,
    },
    {
      id: "secrets_detection",
      passed: secrets.scan_passed,
      issues: secrets.secrets.length,
      looked: plural(secrets.files_scanned, "file"),
      milliseconds: secrets.duration_ms,
      error: secrets.error,
    },
    {
      id: "security_audit",
      passed: (audit?.scan_passed ?? true) && mcp.scan_passed,
      issues: (audit?.total_issues ?? 0) + mcp.total_issues,
      looked: `${plural(audit?.total_lines_scanned ?? 0, "line")} and the tool descriptions`,
      milliseconds: (audit?.duration_ms ?? 0) + mcp.duration_ms,
      error: audit?.error ?? mcp.error,
    },
  ].map((stage) => ({ ...stage, title: STAGE_TITLES[stage.id as StageName] })) as StageView[];
}
