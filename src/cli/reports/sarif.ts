/**
 * A report as SARIF 2.1.0, which code hosts show beside the source.
 *
 * @module
 */
import type { Finding, SecurityReport, Severity } from "../../scan/schema.ts";
import { VERSION } from "../version.ts";
import { findingsOf } from "./findings.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const LEVEL: Record<Severity, string> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "note",
};
/** What code hosts sort by, on the scale of CVSS. */
const SCORE: Record<Severity, string> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "3.0",
  info: "0.0",
};

function ruleId(finding: Finding): string {
  return `${finding.stage}/${finding.rule}`;
}

/** The rules of `findings`, each once. */
function rulesOf(findings: Finding[]) {
  const rules = new Map(findings.map((finding) => [ruleId(finding), finding]));
  return [...rules].map(([id, finding]) => ({
    id,
    name: finding.rule,
    shortDescription: { text: finding.title },
    ...(finding.url === null ? {} : { helpUri: finding.url }),
    properties: {
      tags: ["security", ...(finding.cwe === null ? [] : [`external/cwe/${finding.cwe}`])],
      "security-severity": SCORE[finding.severity],
    },
  }));
}

function resultOf(finding: Finding) {
  const region = finding.line === null
    ? {}
    : { region: { startLine: finding.line, endLine: finding.end_line ?? finding.line } };
  return {
    ruleId: ruleId(finding),
    level: LEVEL[finding.severity],
    message: { text: `${finding.title}. ${finding.detail}` },
    locations: finding.file === null ? [] : [{
      physicalLocation: {
        artifactLocation: { uri: encodeURI(finding.file), uriBaseId: "%SRCROOT%" },
        ...region,
      },
    }],
    partialFingerprints: { "berth/v1": finding.fingerprint },
  };
}

/** The report as a SARIF log. */
export function reportSarif(report: SecurityReport) {
  const findings = findingsOf(report);
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [{
      tool: { driver: { name: "Berth", version: VERSION, rules: rulesOf(findings) } },
      columnKind: "utf16CodeUnits",
      results: findings.map(resultOf),
    }],
  };
}
