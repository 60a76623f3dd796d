/**
 * Examples about ended scans.
 *
 * @module
 */
import type { HistoryEntry } from "../../registry/scanning/scan_schema.ts";
import type { Finding } from "../../scan/schema.ts";

/** A stored scan in the list of its server's. */
export const HISTORY_EXAMPLE: HistoryEntry = {
  id: "b3de4f0b-9a61-4f3a-91f5-f2a76f1c2a90",
  action: "update",
  version: "1.1.0",
  commit: "3f1c7a9d5b2e8f60a4c1d7e9b3f5a8c2d6e0f4b7",
  status: "passed",
  summary: { scan_passed: true, total_issues_all_scanners: 1, critical_issues: 0 },
  new_issues: 1,
  fixed_issues: 2,
  previous: "0c9e4f51-6a0e-4f0e-9d0c-3b5f2f3b7a11",
  started_at: "2026-05-01T12:00:00.000Z",
  finished_at: "2026-05-01T12:00:07.000Z",
};

/** A finding that a scan had for the first time. */
export const NEW_FINDING_EXAMPLE: Finding = {
  id: "5f2c1b7d9e04",
  stage: "security_audit",
  rule: "S113",
  severity: "medium",
  cwe: "CWE-400",
  weakness_url: "https://cwe.mitre.org/data/definitions/400.html",
  explanation:
    "A peer that never responds, or never stops, holds a connection and its memory indefinitely",
  fix: "Give the request a timeout in seconds",
  title: "Probable use of requests call without timeout",
  detail: "Give the request a timeout in seconds",
  file: "server.py",
  line: 12,
  end_line: 12,
  fingerprint: "5f2c1b7d9e04a6c3d8f1e0b2a7c9d4e6f8b1a3c5d7e9f0b2a4c6d8e0f1a3b5c7",
  url: "https://docs.astral.sh/ruff/rules/S113/",
};
