/**
 * Findings that say again what another stage has said: of one weakness at one line a report has one
 * finding, the most severe.
 *
 * @module
 */
import { type Finding, SEVERITIES } from "./schema.ts";
import { countIssues, countSeverities } from "./tally.ts";
import type { Sections } from "./verdict.ts";

/** Weaknesses that are one: credentials in the source, whatever they are good for. */
const CREDENTIALS = new Set(["CWE-256", "CWE-257", "CWE-259", "CWE-321", "CWE-522", "CWE-798"]);

type Placed = Pick<Finding, "rule" | "file" | "line" | "end_line" | "cwe" | "severity">;

/** What a finding is about: its weakness, in its file. Null for one without either. */
function subject({ file, cwe }: Placed): string | null {
  if (file === null || cwe === null) return null;
  return `${file}\0${CREDENTIALS.has(cwe) ? "credentials" : cwe}`;
}

/** The findings by what they are about. */
function bySubject(findings: readonly Placed[]): Map<string | null, Placed[]> {
  const found = new Map<string | null, Placed[]>();
  for (const finding of findings) {
    const key = subject(finding);
    const known = found.get(key);
    if (known === undefined) found.set(key, [finding]);
    else known.push(finding);
  }
  return found;
}

function rank({ severity }: Placed): number {
  return SEVERITIES.indexOf(severity);
}

/** The audit's own rules for what stage 1 finds by the linter's. */
const UNVERIFIED = /^py\/(request|tls)-unverified$/;

/**
 * Whether `other` says what `finding` says, and is at least as severe. Of one rule, the audit knows
 * better how much it weighs: whether the code runs, and whether a user asks for it.
 */
function covers(other: Placed, finding: Placed): boolean {
  return other.line !== null && other.line === finding.line &&
    (rank(other) <= rank(finding) || other.rule === finding.rule || UNVERIFIED.test(other.rule));
}

/** Parts `findings` into those that say something new, and those that `others` have said. */
function part<T extends Placed>(findings: readonly T[], others: readonly Placed[]) {
  const said = bySubject(others);
  const kept: T[] = [];
  const dropped: T[] = [];
  for (const finding of findings) {
    const key = subject(finding);
    const same = key === null ? [] : said.get(key) ?? [];
    (same.some((other) => covers(other, finding)) ? dropped : kept).push(finding);
  }
  return { kept, dropped };
}

function ofQuality(quality: Sections["quality"], others: readonly Placed[]): Sections["quality"] {
  // Bugs and smells are of another kind, whatever is at their line.
  const isSecurity = ({ class: kind }: { class: string }) =>
    kind === "vulnerability" || kind === "security_hotspot";
  const { dropped } = part(quality.issues.filter(isSecurity), others);
  if (dropped.length === 0) return quality;
  const echoes = new Set(dropped);
  const counts = { ...quality, issues: quality.issues.filter((one) => !echoes.has(one)) };
  counts.total_issues -= countIssues(dropped);
  for (const { class: kind } of dropped) {
    counts[kind === "vulnerability" ? "vulnerabilities" : "security_hotspots"] -= 1;
  }
  return counts;
}

function ofAudit(audit: Sections["audit"], others: readonly Placed[]): Sections["audit"] {
  const { kept, dropped } = part(audit.issues, others);
  if (dropped.length === 0) return audit;
  const less = countSeverities(dropped);
  const { high, medium, low } = audit.severity_counts;
  return {
    ...audit,
    issues: kept,
    total_issues: audit.total_issues - countIssues(dropped),
    severity_counts: {
      high: high - less.high,
      medium: medium - less.medium,
      low: low - less.low,
    },
  };
}

/**
 * The sections without echoes. A secret speaks for what other stages say of its line, the audit for
 * what stage 1 reports at the same or a lower severity; ratings are stage 1's own and stay.
 */
export function withoutEchoes<S extends Pick<Sections, "quality" | "secrets" | "audit">>(
  sections: S,
): S {
  const secrets = sections.secrets.secrets.filter(({ cwe }) => CREDENTIALS.has(cwe ?? ""));
  const audit = ofAudit(sections.audit, secrets);
  const quality = ofQuality(sections.quality, [...secrets, ...audit.issues]);
  return { ...sections, quality, audit };
}
