/**
 * The findings of a report, filtered and grouped as the visitor asks.
 *
 * @module
 */
import { findingsOf } from "../../../scan/compare.ts";
import { decisiveOf } from "../../../scan/decisive.ts";
import { plainProse } from "../../layout/prose.tsx";
import {
  type Finding,
  type SecurityReport,
  SEVERITIES,
  type Severity,
  type StageName,
  STAGES,
} from "../../../scan/schema.ts";
import { readDigits } from "../../../numbers.ts";

/** Rows of one page, each a finding or several of a kind. */
const ROWS_PAGE = 50;
/** From how many of a kind on they are one row. */
const KIND_FROM = 3;

/** How findings can be grouped. */
const GROUPINGS = ["severity", "stage", "file", "rule"] as const;
export type Grouping = typeof GROUPINGS[number];

/** What the visitor asks for. */
export interface FindingsQuery {
  severity: Severity | null;
  stage: StageName | null;
  /** A weakness category. */
  cwe: string | null;
  /** Only what fails the scan. */
  failing: boolean;
  /** Id of the only finding that is asked for: the same in every scan that has it. */
  finding: string | null;
  group: Grouping;
  /** From 0. */
  page: number;
}

/** Reads the address; what it does not know counts as not asked for. */
export function readFindingsQuery(parameters: URLSearchParams): FindingsQuery {
  const pick = <T extends string>(name: string, known: readonly T[]) =>
    known.find((one) => one === parameters.get(name)) ?? null;
  const cwe = parameters.get("cwe") ?? "";
  const page = readDigits(parameters.get("page") ?? "") ?? 1;
  return {
    severity: pick("severity", SEVERITIES),
    stage: pick("stage", STAGES),
    cwe: /^CWE-\d{1,6}$/.test(cwe) ? cwe : null,
    failing: parameters.get("failing") === "true",
    finding: /^[0-9a-f]{12}$/.exec(parameters.get("finding") ?? "")?.[0] ?? null,
    group: pick("group", GROUPINGS) ?? "severity",
    page: Math.max(page, 1) - 1,
  };
}

/** Findings that belong together. */
export interface FindingGroup {
  title: string;
  /** How many there are, on this page. */
  count: number;
  /** Each a finding, or several of a kind. */
  rows: Finding[][];
}

export interface FindingsView {
  groups: FindingGroup[];
  /** All that match. */
  matching: number;
  total: number;
  counts: Record<Severity, number>;
  /** Weakness categories of the report, with how many findings each has. */
  weaknesses: [cwe: string, count: number][];
  /** Fingerprints of the findings that fail the scan. */
  decisive: ReadonlySet<string>;
  pages: number;
}

function rank({ severity }: Finding): number {
  return SEVERITIES.indexOf(severity);
}

function titleOf(finding: Finding, group: Grouping): string {
  if (group === "severity") return finding.severity;
  if (group === "stage") return finding.stage;
  if (group === "file") return finding.file ?? "The repository as a whole";
  return `${finding.rule}: ${plainProse(finding.title)}`;
}

function weaknessesOf(findings: readonly Finding[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { cwe } of findings) if (cwe !== null) counts.set(cwe, (counts.get(cwe) ?? 0) + 1);
  const number = (cwe: string) => Number(cwe.slice("CWE-".length));
  return [...counts].toSorted(([a], [b]) => number(a) - number(b));
}

/** Findings of one rule and severity are of a kind; a few are shown each for itself. */
function rowsOf(findings: readonly Finding[]): Finding[][] {
  const kinds = Map.groupBy(findings, ({ rule, severity }) => `${severity} ${rule}`);
  return [...kinds.values()].flatMap((kind) =>
    kind.length < KIND_FROM ? kind.map((finding) => [finding]) : [kind]
  );
}

/** The findings that `query` asks for: worst first, then as the report has them. */
export function viewFindings(report: SecurityReport, query: FindingsQuery): FindingsView {
  const all = findingsOf(report);
  const counts = Object.fromEntries(SEVERITIES.map((severity) => [
    severity,
    all.filter((finding) => finding.severity === severity).length,
  ])) as Record<Severity, number>;
  const decisive = new Set(decisiveOf(report).map(({ fingerprint }) => fingerprint));
  const matching = all
    .filter(({ severity }) => query.severity === null || severity === query.severity)
    .filter(({ stage }) => query.stage === null || stage === query.stage)
    .filter(({ cwe }) => query.cwe === null || cwe === query.cwe)
    .filter(({ fingerprint }) => !query.failing || decisive.has(fingerprint))
    .filter(({ id }) => query.finding === null || id === query.finding)
    .toSorted((a, b) => rank(a) - rank(b));
  // Groups in the order of their worst finding; a page may begin in the middle of one.
  const byTitle = Map.groupBy(matching, (finding) => titleOf(finding, query.group));
  const ordered = [...byTitle].flatMap(([title, findings]) =>
    rowsOf(findings).map((row) => ({ title, row }))
  );
  const from = query.page * ROWS_PAGE;
  const shown = ordered.slice(from, from + ROWS_PAGE);
  const groups = [...Map.groupBy(shown, ({ title }) => title)].map(([title, parts]) => {
    const rows = parts.map(({ row }) => row);
    return { title, rows, count: rows.reduce((sum, row) => sum + row.length, 0) };
  });
  return {
    groups,
    matching: matching.length,
    total: all.length,
    counts,
    weaknesses: weaknessesOf(all),
    decisive,
    pages: Math.max(1, Math.ceil(ordered.length / ROWS_PAGE)),
  };
}

/** The address of `query` below `base`. */
export function findingsAddress(base: string, query: FindingsQuery): string {
  const parameters = new URLSearchParams();
  if (query.severity !== null) parameters.set("severity", query.severity);
  if (query.stage !== null) parameters.set("stage", query.stage);
  if (query.cwe !== null) parameters.set("cwe", query.cwe);
  if (query.failing) parameters.set("failing", "true");
  if (query.finding !== null) parameters.set("finding", query.finding);
  if (query.group !== "severity") parameters.set("group", query.group);
  if (query.page > 0) parameters.set("page", String(query.page + 1));
  const text = parameters.toString();
  return text === "" ? base : `${base}?${text}`;
}
