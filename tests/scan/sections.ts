/** Sections of a clean scan, and findings, for tests. */
import { INCOMPLETE } from "../../src/scan/incomplete.ts";
import type { Finding, Severity } from "../../src/scan/schema.ts";
import type { Sections } from "../../src/scan/verdict.ts";

const NO_ERROR = { code: "limit", message: "" } as const;
let serial = 0;

/** A finding of that severity. */
export function finding(severity: Severity, changes: Partial<Finding> = {}): Finding {
  const fingerprint = (++serial).toString(16).padStart(64, "0");
  return {
    id: fingerprint.slice(-12),
    stage: "security_audit",
    rule: "S602",
    severity,
    cwe: "CWE-78",
    title: "Shell command with input",
    detail: "Pass a list of arguments",
    file: "server.py",
    line: 3,
    end_line: 3,
    fingerprint,
    url: null,
    ...changes,
  };
}

/** The sections of a scan that found nothing. */
export function sections(): Sections {
  const clean = { scan_passed: true, error: null };
  const audits = INCOMPLETE.audits(NO_ERROR);
  const quality = INCOMPLETE.quality(NO_ERROR);
  const dependencies = INCOMPLETE.dependencies(NO_ERROR);
  const secrets = INCOMPLETE.secrets(NO_ERROR);
  return {
    quality: { ...quality, ...clean, quality_gate: "OK", issues: [] },
    discovery: {
      ...clean,
      total_issues: 0,
      reported: [],
      found: [],
      missing: [],
      undeclared: [],
      unverified: [],
      dynamic: false,
      issues: [],
      files_scanned: 0,
      duration_ms: 0,
    },
    dependencies: { ...dependencies, ...clean, issues: [] },
    secrets: { ...secrets, ...clean, secrets: [] },
    audit: { ...audits.audit, ...clean, issues: [] },
    mcp: { ...audits.mcp, ...clean, issues: [] },
  };
}
