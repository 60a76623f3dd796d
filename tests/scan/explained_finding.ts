/**
 * A finding with all that a report says of one.
 *
 * @module
 */
import type { Finding } from "../../src/scan/schema.ts";

/** Of stage 5, with a path that needs encoding. */
export const FINDING: Finding = {
  id: "a",
  stage: "security_audit",
  rule: "S307",
  severity: "high",
  cwe: "CWE-78",
  weakness_url: "https://cwe.mitre.org/data/definitions/78.html",
  explanation: "Text run as code can do everything that the server can",
  fix: "Parse the expected values",
  title: "Use of eval",
  detail: "Parse the expected values",
  file: "src/a b.py",
  line: 3,
  end_line: 4,
  fingerprint: "f".repeat(64),
  url: "https://docs.astral.sh/ruff/rules/S307/",
};
