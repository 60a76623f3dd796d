/**
 * Examples of the API documentation, those about users included. Tests hold them against the schemas.
 *
 * @module
 */
import type { ServerDetail, ServerListed } from "../../registry/schema.ts";
import type { AuthenticationFailure, GeneralFailure } from "../envelopes.ts";
import type { ShownScan } from "../scan_view.ts";
import { REQUEST_ID } from "./example_facts.ts";

export * from "./examples_scans.ts";
export * from "./examples_users.ts";

const SCANNED_AT = "2026-05-01T12:00:07.000Z";

export function failureExample(detail: string): GeneralFailure {
  return { status: "error", detail, request_id: REQUEST_ID };
}

export function authenticationExample(
  code: AuthenticationFailure["error"]["code"],
  message: string,
  details: Record<string, string>,
): AuthenticationFailure {
  return { success: false, error: { code, message, details }, request_id: REQUEST_ID };
}

/** A registration. */
export const CREATE_EXAMPLE = {
  name: "weather",
  version: "1.0.0",
  description: "Weather by city: current conditions and a five-day forecast.",
  author: "acme",
  lang: "python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { type: "git", url: "https://github.com/acme/weather" },
  tools: { names: ["current", "forecast"] },
  pricing: { currency: "USD", amount: 0 },
  category: "places" as const,
  tags: ["weather"],
};

const SHOWN = {
  ...CREATE_EXAMPLE,
  lang: "python" as const,
  tools: { count: 2, names: ["current", "forecast"] },
  build: { runs: "yes" as const, reason: null },
  publisher_verified: true,
  capabilities: [],
  visibility: "public" as const,
};

const SUMMARY = { scan_passed: true, total_issues_all_scanners: 1, critical_issues: 0 };

/** A server in a list. */
export const LISTED_EXAMPLE: ServerListed = { ...SHOWN, security_report: { summary: SUMMARY } };

const AUDIT = {
  scan_passed: true,
  total_issues: 0,
  severity_counts: { high: 0, medium: 0, low: 0 },
  total_lines_scanned: 120,
  issues: [],
  duration_ms: 12,
  error: null,
};

const SOURCE = {
  commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  ref: null,
  folder: "",
  archive_sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
  files: 3,
  bytes: 5120,
};

const TOOLS_FOUND = ["current", "forecast"].map((name, index) => ({
  name,
  file: "server.py",
  line: 9 + 12 * index,
  signature: "city: str",
  description: null,
  declaration: "@mcp.tool()",
}));

/** A server's detail. */
export const DETAIL_EXAMPLE: ServerDetail = {
  ...SHOWN,
  capability_decision: null,
  payment_required: false,
  repository_private: false,
  configuration: null,
  variables: [{
    name: "API_KEY",
    required: false,
    secret: true,
    description: null,
    default: null,
    format: "text",
    choices: [],
    hosts: [],
    proposed_hosts: ["api.openweathermap.org"],
    exposed: false,
    delivery: "plain",
    oauth: null,
    from: "scan",
  }],
  security_report: {
    status: "passed",
    metadata: {
      repository: "acme/weather",
      repo_url: "https://github.com/acme/weather",
      scan_date: SCANNED_AT,
      scanners_used: ["ruff 0.17.4", "tree-sitter 0.27.2", "OSV", "secretlint 13.1.0"],
    },
    summary: {
      ...SUMMARY,
      quality_url: "https://berth.example/api/v1/servers/weather",
    },
    quality_analysis: {
      scan_passed: true,
      total_issues: 1,
      bugs: 0,
      vulnerabilities: 0,
      code_smells: 1,
      security_hotspots: 0,
      quality_gate: "OK",
      reliability_rating: "A",
      security_rating: "A",
      maintainability_rating: "A",
      coverage: 0,
      coverage_measured: false,
      duplications: 0,
      lines_of_code: 96,
      debt_minutes: 5,
      complexity: {
        total: 7,
        functions: 2,
        highest: [{ function: "forecast", file: "server.py", line: 21, complexity: 4 }],
      },
      issues: [{
        id: "6f1c2a90b3de",
        stage: "quality_analysis",
        rule: "F401",
        severity: "low",
        cwe: "CWE-710",
        weakness_url: "https://cwe.mitre.org/data/definitions/710.html",
        explanation:
          "Code that breaks the conventions of its language is easily misread, and bugs hide in it",
        fix: "Remove unused import: `os`",
        title: "Unused import",
        detail: '"os" is imported but not used: remove the import',
        file: "server.py",
        line: 1,
        end_line: 1,
        fingerprint: "6f1c2a90b3de4f0b9a613f3ad1f5f2a76f1c2a90b3de4f0b9a613f3ad1f5f2a7",
        url: "https://docs.astral.sh/ruff/rules/unused-import/",
        class: "code_smell",
      }],
      duration_ms: 41,
      error: null,
    },
    tool_discovery: {
      scan_passed: true,
      total_issues: 0,
      reported: ["current", "forecast"],
      found: TOOLS_FOUND,
      missing: [],
      undeclared: [],
      unverified: [],
      dynamic: false,
      issues: [],
      files_scanned: 2,
      duration_ms: 18,
      error: null,
    },
    dependency_audit: {
      ...AUDIT,
      packages_checked: 1,
      unpinned: 0,
      manifests: ["requirements.txt"],
    },
    secrets_detection: {
      scan_passed: true,
      total_secrets: 0,
      secrets: [],
      files_scanned: 3,
      duration_ms: 25,
      error: null,
    },
    python_audit: AUDIT,
    mcp_audit: AUDIT,
    compatibility: {
      restricted: true,
      refused: [],
      full: true,
      missing: [],
      environment: [{ name: "API_KEY", required: false, file: "server.py", line: 7 }],
      build: {
        runs: "yes",
        profile: "restricted",
        problem: null,
        reason: null,
        tools_listed: 2,
        duration_ms: 140,
      },
    },
    source: SOURCE,
    recommendations: ["Remove the unused import in server.py"],
    recommendation_details: [{
      priority: "low",
      title: "Unused import",
      action: "Remove the unused import in server.py",
      findings: ["6f1c2a90b3de"],
    }],
  },
  source: SOURCE,
  created_at: "2026-05-01T12:00:07.000Z",
  updated_at: "2026-05-01T12:00:07.000Z",
};

const STAGE_NAMES = [
  "quality_analysis",
  "tool_discovery",
  "dependency_audit",
  "secrets_detection",
  "security_audit",
] as const;

/** A scan in its second stage. */
export const SCAN_EXAMPLE: ShownScan = {
  id: "b3de4f0b-9a61-4f3a-91f5-f2a76f1c2a90",
  server: "weather",
  action: "create",
  state: "running",
  stages: STAGE_NAMES.map((stage, index) => ({
    stage,
    state: index === 0 ? "done" : index === 1 ? "running" : "waiting",
    started_at: index < 2 ? "2026-05-01T12:00:01.000Z" : null,
    finished_at: index < 1 ? "2026-05-01T12:00:02.000Z" : null,
    issues: index < 1 ? 1 : null,
  })),
  outcome: null,
  failure: null,
  failure_status: null,
  started_at: "2026-05-01T12:00:00.000Z",
  finished_at: null,
};
