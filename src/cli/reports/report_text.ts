/**
 * A report for people.
 *
 * @module
 */
import { runsInWords } from "../../scan/capabilities_schema.ts";
import type { Compatibility } from "../../scan/compatibility_schema.ts";
import type { Finding, SecurityReport, Severity } from "../../scan/schema.ts";
import type { Style } from "../output/style.ts";
import { pairs } from "../output/table.ts";
import { moment, oneLine, safe } from "../output/terminal_text.ts";
import { buildSentence, otherSentence } from "../../scan/build_schema.ts";
import { problemLines, runsText } from "./build.ts";
import { findingsOf } from "../../scan/compare.ts";
import { incompleteOf } from "./findings.ts";

/** Findings that are shown in full; `--format json` has all. */
const MAX_SHOWN = 100;

function paintOf(severity: Severity, style: Style) {
  if (severity === "critical" || severity === "high") return style.red;
  return severity === "medium" ? style.yellow : style.dim;
}

/** Where a finding is: `server.py:12`. */
export function placeOf({ file, line }: Pick<Finding, "file" | "line">): string {
  if (file === null) return "";
  return line === null ? file : `${file}:${line}`;
}

/** A finding: what and where, then why it matters, what to do, and where the weakness is explained. */
export function findingLines(finding: Finding, style: Style): string {
  const { detail, explanation, fix, weakness_url } = finding;
  const severity = paintOf(finding.severity, style)(finding.severity.padEnd(8));
  const place = oneLine(placeOf(finding));
  const rule = style.dim(oneLine([finding.rule, finding.cwe].filter((x) => x).join(", ")));
  return `${severity} ${style.bold(place)}${place === "" ? "" : "  "}` +
    `${oneLine(finding.title, 300)}  ${rule}\n` +
    [
      detail === fix ? null : oneLine(detail, 600),
      explanation === undefined ? null : `Why: ${oneLine(explanation, 400)}`,
      fix === undefined ? null : `Fix: ${oneLine(fix, 400)}`,
      weakness_url === undefined ? null : style.dim(oneLine(weakness_url)),
    ].filter((line) => line !== null).map((line) => `         ${line}\n`).join("");
}

export function verdictText(status: SecurityReport["status"], style: Style): string {
  const paint = { passed: style.green, failed: style.red, error: style.yellow }[status];
  return paint(status);
}

function summary(report: SecurityReport, style: Style): string {
  const { quality_analysis: quality, dependency_audit: dependencies } = report;
  const build = report.compatibility?.build;
  const ratings = [
    `reliability ${quality.reliability_rating}`,
    `security ${quality.security_rating}`,
    `maintainability ${quality.maintainability_rating}`,
  ].join(", ");
  return pairs([
    ["verdict", verdictText(report.status, style)],
    ...(build === undefined ? [] : [["runs", runsText(build.runs, style)] as [string, string]]),
    ...runsInWords(report.capabilities ?? { runs: [] }).map((words) =>
      ["capability", words] as [string, string]
    ),
    ["repository", `${report.metadata.repo_url} at ${report.source.commit.slice(0, 12)}`],
    ["scanned", moment(report.metadata.scan_date)],
    [
      "findings",
      `${report.summary.total_issues_all_scanners}, ${report.summary.critical_issues} ` +
      "critical, high or secret",
    ],
    ["quality", `${ratings}; ${quality.lines_of_code} lines of code`],
    ["tools", `${report.tool_discovery.found.length} found`],
    ["dependencies", `${dependencies.packages_checked} checked, ${dependencies.unpinned} unpinned`],
    ["secrets", String(report.secrets_detection.total_secrets)],
  ], style);
}

function constructLines(constructs: NonNullable<Compatibility["missing"]>): string {
  return constructs.map(({ construct, file, line, hint }) =>
    `  ${oneLine(`${file}:${line}`)}  ${oneLine(construct)}: ${oneLine(hint, 200)}\n`
  ).join("");
}

/** What each profile of the interpreter will do, and which variables a client may have to pass. */
function compatibilityText(compatibility: Compatibility | undefined, style: Style): string[] {
  if (compatibility === undefined) return [];
  const { restricted, refused, full, missing = [], environment = [], build } = compatibility;
  const runs = (profile: boolean) => profile ? "supported" : "not supported, see below";
  const parts = [
    style.bold("Interpreter profiles") + "\n" + pairs([
      ["restricted", runs(restricted)],
      ...(full === undefined ? [] : [["full", runs(full)] as [string, string]]),
    ], style),
  ];
  if (refused.length > 0) {
    const title = "Not available in the restricted profile";
    parts.push(`${style.bold(title)}\n${constructLines(refused)}`);
  }
  if (missing.length > 0) {
    const title = "Not available in any profile: fails when reached";
    parts.push(`${style.bold(title)}\n${constructLines(missing)}`);
  }
  if (environment.length > 0) {
    const lines = environment.map(({ name, required, file, line }) =>
      `  ${oneLine(name)}  ${required ? "required" : "optional"}, ${oneLine(`${file}:${line}`)}\n`
    ).join("");
    parts.push(`${style.bold("Environment variables that the code reads")}\n${lines}`);
  }
  if (build !== undefined) {
    const lines = problemLines(build).map((line) => `  ${line}\n`).join("");
    const other = otherSentence(compatibility.other_build);
    const beside = other === null ? "" : `  ${oneLine(other, 400)}\n`;
    parts.push(
      `${style.bold("Runs on the registry's nodes")}\n  ${
        oneLine(buildSentence(build), 400)
      }\n${lines}${beside}`,
    );
  }
  return parts;
}

const MAX_PACKAGES = 50;

function listText(title: string, lines: readonly string[], style: Style): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MAX_PACKAGES).map((line) => `  ${oneLine(line, 300)}\n`).join("");
  const rest = lines.length - MAX_PACKAGES;
  const more = rest > 0 ? style.dim(`  … and ${rest} more. Use --format json to see all\n`) : "";
  return [`${style.bold(title)}\n${shown}${more}`];
}

/** The packages that sessions get, those that they do without, and those that nothing declares. */
function packagesText({ packages }: SecurityReport, style: Style): string[] {
  if (packages === undefined) return [];
  const { resolved, missing, undeclared, problem } = packages;
  return [
    ...listText("Packages not resolved", problem === null ? [] : [problem], style),
    ...listText(
      "Packages of its sessions",
      resolved.map(({ name, version, source, instead }) =>
        `${name} ${version} (${source})${instead === null ? "" : `, instead of ${instead}`}`
      ),
      style,
    ),
    ...listText(
      "Missing packages",
      missing.map(({ requirement, by, reason }) =>
        `${requirement}${by === "" ? "" : ` (required by ${by})`}: ${reason}`
      ),
      style,
    ),
    ...listText(
      "Imported, but not declared in requirements.txt or pyproject.toml",
      undeclared,
      style,
    ),
  ];
}

export function reportText(report: SecurityReport, style: Style): string {
  const findings = findingsOf(report);
  const incomplete = incompleteOf(report);
  const parts = [summary(report, style)];
  if (incomplete.length > 0) {
    const lines = incomplete.map((line) => `  ${oneLine(line, 300)}\n`).join("");
    parts.push(`${style.bold("Not finished")}\n${lines}`);
  }
  if (findings.length > 0) {
    const shown = findings.slice(0, MAX_SHOWN).map((one) => findingLines(one, style)).join("");
    const rest = findings.length - MAX_SHOWN;
    const more = rest > 0 ? style.dim(`… and ${rest} more. Use --format json to see all\n`) : "";
    parts.push(`${style.bold("Findings")}\n${shown}${more}`);
  }
  parts.push(...packagesText(report, style));
  parts.push(...compatibilityText(report.compatibility, style));
  if (report.recommendations.length > 0) {
    const lines = report.recommendations.map((text) => `  - ${safe(text)}\n`).join("");
    parts.push(`${style.bold("Recommendations")}\n${lines}`);
  }
  return parts.join("\n");
}
