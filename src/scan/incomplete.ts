/**
 * Sections of stages that have no result: nothing found, nothing passed.
 *
 * @module
 */
import type {
  Audit,
  DependencyAudit,
  QualityAnalysis,
  SecretsDetection,
  StageError,
  ToolDiscovery,
} from "./schema.ts";
import type { AuditSections, Discovered, ScanInput } from "./stage.ts";

const NO_COUNTS = { high: 0, medium: 0, low: 0 };

function audit(error: StageError): Audit {
  return {
    scan_passed: false,
    total_issues: 0,
    severity_counts: NO_COUNTS,
    total_lines_scanned: 0,
    issues: [],
    duration_ms: 0,
    error,
  };
}

function quality(error: StageError): QualityAnalysis {
  return {
    scan_passed: false,
    total_issues: 0,
    bugs: 0,
    vulnerabilities: 0,
    code_smells: 0,
    security_hotspots: 0,
    quality_gate: "ERROR",
    // Unknown is not good: the worst grades, beside the error that explains them.
    reliability_rating: "E",
    security_rating: "E",
    maintainability_rating: "E",
    coverage: 0,
    coverage_measured: false,
    duplications: 0,
    lines_of_code: 0,
    debt_minutes: 0,
    complexity: { total: 0, functions: 0, highest: [] },
    issues: [],
    duration_ms: 0,
    error,
  };
}

function discovery(error: StageError, input: ScanInput): Discovered {
  const discovery: ToolDiscovery = {
    scan_passed: false,
    total_issues: 0,
    reported: input.tools ?? [],
    found: [],
    missing: [],
    undeclared: [],
    unverified: input.tools ?? [],
    dynamic: false,
    issues: [],
    files_scanned: 0,
    duration_ms: 0,
    error,
  };
  return { discovery, reached: [], folders: null };
}

function dependencies(error: StageError): DependencyAudit {
  return { ...audit(error), issues: [], packages_checked: 0, unpinned: 0, manifests: [] };
}

function secrets(error: StageError): SecretsDetection {
  return {
    scan_passed: false,
    total_secrets: 0,
    secrets: [],
    files_scanned: 0,
    duration_ms: 0,
    error,
  };
}

function audits(error: StageError): AuditSections {
  return {
    audit: audit(error),
    mcp: audit(error),
    compatibility: null,
    capabilities: null,
    scanned: null,
  };
}

/** What each stage gives when the stage ended with `error` and nothing else. */
export const INCOMPLETE = { quality, discovery, dependencies, secrets, audits };
