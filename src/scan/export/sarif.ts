/**
 * Reports as SARIF 2.1.0 (OASIS), which code hosts and editors read.
 *
 * @module
 */
import { weaknessNumber } from "../../../workers/analysis/weaknesses.ts";
import { auditOf, findingsOf } from "../compare.ts";
import { weaknessUrl } from "../findings.ts";
import type { Finding, SecurityReport, Severity } from "../schema.ts";

/** Media type of SARIF (registered with IANA). */
export const SARIF_TYPE = "application/sarif+json";

const LEVEL: Record<Severity, "error" | "warning" | "note"> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "note",
};
/** `security-severity`, by which code hosts rank (0 to 10). */
const SCORE: Record<Severity, string> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "3.0",
  info: "0.0",
};

function ruleId({ stage, rule }: Finding): string {
  return `${stage}/${rule}`;
}

/** The address that explains a rule: of an advisory its own, else that of the weakness. */
function helpUriOf({ stage, url, weakness_url }: Finding): string | null {
  return (stage === "dependency_audit" ? url ?? weakness_url : weakness_url ?? url) ?? null;
}

function ruleOf(finding: Finding) {
  const { cwe, explanation, fix = finding.detail, url } = finding;
  const helpUri = helpUriOf(finding);
  const weakness = cwe === null ? null : weaknessNumber(cwe);
  return {
    id: ruleId(finding),
    name: finding.rule,
    shortDescription: { text: finding.title },
    ...(explanation === undefined ? {} : { fullDescription: { text: `${explanation}.` } }),
    help: {
      text: [`${explanation ?? finding.title}.`, `${fix}.`, ...(url === null ? [] : [url])]
        .join("\n"),
    },
    ...(helpUri === null ? {} : { helpUri }),
    defaultConfiguration: { level: LEVEL[finding.severity] },
    ...(weakness === null ? {} : {
      relationships: [{
        target: { id: String(weakness), toolComponent: { name: "CWE" } },
        kinds: ["superset"],
      }],
    }),
    properties: {
      "security-severity": SCORE[finding.severity],
      // The form by which code hosts link a weakness.
      tags: [
        "security",
        finding.stage,
        ...(finding.cwe === null ? [] : [`external/cwe/${finding.cwe.toLowerCase()}`]),
      ],
    },
  };
}

/** The weaknesses that the findings name, as the taxonomy that rules refer to. */
function taxonomyOf(findings: readonly Finding[]) {
  const urls = new Map<number, string>();
  for (const { cwe } of findings) {
    const number = cwe === null ? null : weaknessNumber(cwe);
    if (number !== null) urls.set(number, weaknessUrl(cwe!));
  }
  return {
    name: "CWE",
    organization: "MITRE",
    shortDescription: { text: "The MITRE Common Weakness Enumeration" },
    informationUri: "https://cwe.mitre.org/",
    taxa: [...urls].sort(([a], [b]) => a - b).map(([number, helpUri]) => ({
      id: String(number),
      helpUri,
    })),
  };
}

/** Paths as URI references: each segment encoded. */
function uriOf(file: string): string {
  return file.split("/").map(encodeURIComponent).join("/");
}

function locationOf({ file, line, end_line }: Finding) {
  if (file === null) return [];
  const region = line === null
    ? {}
    : { region: { startLine: line, ...(end_line === null ? {} : { endLine: end_line }) } };
  const artifactLocation = { uri: uriOf(file), uriBaseId: "SRCROOT" };
  return [{ physicalLocation: { artifactLocation, ...region } }];
}

function resultOf(finding: Finding, index: number) {
  return {
    ruleId: ruleId(finding),
    ruleIndex: index,
    level: LEVEL[finding.severity],
    message: { text: `${finding.title}. ${finding.detail}` },
    locations: locationOf(finding),
    partialFingerprints: { "berth/v1": finding.fingerprint },
    properties: { severity: finding.severity, "security-severity": SCORE[finding.severity] },
  };
}

/** What a SARIF document says beside the report. */
export interface SarifContext {
  /** Name of the record; of the repository where there is none. */
  server: string;
}

/** The report as a SARIF log with one run. */
export function sarifOf(report: SecurityReport, { server }: SarifContext) {
  const findings = findingsOf(report);
  const rules = new Map<string, ReturnType<typeof ruleOf>>();
  for (const finding of findings) {
    if (!rules.has(ruleId(finding))) rules.set(ruleId(finding), ruleOf(finding));
  }
  const order = new Map(rules.keys().map((id, index) => [id, index]));
  const errors = [
    report.quality_analysis.error,
    report.tool_discovery.error,
    report.dependency_audit.error,
    report.secrets_detection.error,
    auditOf(report)?.error ?? null,
    report.mcp_audit.error,
  ].filter((error) => error !== null);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0" as const,
    runs: [{
      tool: {
        driver: {
          name: "Berth",
          rules: [...rules.values()],
          supportedTaxonomies: [{ name: "CWE" }],
        },
        extensions: report.metadata.scanners_used.map((engine) => {
          const [name = engine, version] = engine.split(/\s+(?=[\d.]+$)/);
          return { name, ...(version === undefined ? {} : { version }) };
        }),
      },
      taxonomies: [taxonomyOf(findings)],
      automationDetails: { id: `${server}/${report.source.commit}` },
      invocations: [{
        executionSuccessful: errors.length === 0,
        endTimeUtc: report.metadata.scan_date,
        toolExecutionNotifications: errors.map(({ code, message }) => ({
          level: "error" as const,
          message: { text: `${code}: ${message}` },
        })),
      }],
      // A folder on somebody's machine need not come from anywhere.
      ...(URL.canParse(report.metadata.repo_url)
        ? {
          versionControlProvenance: [{
            repositoryUri: report.metadata.repo_url,
            revisionId: report.source.commit,
          }],
        }
        : {}),
      originalUriBaseIds: {
        SRCROOT: { description: { text: "The selected folder of the repository" } },
      },
      results: findings.map((finding) => resultOf(finding, order.get(ruleId(finding))!)),
      columnKind: "utf16CodeUnits" as const,
    }],
  };
}
