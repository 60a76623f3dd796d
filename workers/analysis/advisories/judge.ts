/**
 * What advisories mean for one requirement.
 *
 * @module
 */
import type { Allowed, Requirement as Asked } from "../manifests/requirement.ts";
import type { Severity } from "../finding.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { affects, fixedVersion, overlapWith } from "./affected.ts";
import { groupByAlias } from "./alias_groups.ts";
import { EVERYTHING, type Interval, type Overlap } from "./intervals.ts";
import type { OsvRecord } from "./osv_schema.ts";
import { pythonIntervals } from "./pep440_ranges.ts";
import { npmIntervals } from "./semver_ranges.ts";
import { severityOf } from "./severity.ts";

/** What is judged of a requirement. */
type Requirement = Pick<Asked, "ecosystem" | "name" | "allowed">;

/** One flaw that a requirement is open to. */
export interface Hit {
  /** The id to show. */
  id: string;
  /** Its other ids. */
  aliases: string[];
  /** As judged: at most low when only some of the allowed versions are affected. */
  severity: Severity;
  /** As the advisory has it. */
  stated: Severity;
  possible: boolean;
  fixed: string | null;
  record: OsvRecord;
}

const ORDER: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** The versions that a requirement allows; what is not understood allows everything. */
export function allowedIntervals(ecosystem: Ecosystem, allowed: Allowed): readonly Interval[] {
  if (allowed.kind !== "range") return EVERYTHING;
  const parse = ecosystem === "PyPI" ? pythonIntervals : npmIntervals;
  return allowed.ranges.flatMap((range) => parse(range) ?? EVERYTHING);
}

function overlapOfRecord(record: OsvRecord, requirement: Requirement): Overlap {
  const { ecosystem, name, allowed } = requirement;
  if (allowed.kind === "exact") {
    return affects(record, ecosystem, name, allowed.version) ? "all" : "none";
  }
  return overlapWith(record, ecosystem, name, allowedIntervals(ecosystem, allowed));
}

/** Databases by how much their records say. */
function rankOf(id: string): number {
  const rank = ["MAL-", "GHSA-", "PYSEC-", "RUSTSEC-", "GO-"].findIndex((p) => id.startsWith(p));
  return rank < 0 ? 9 : rank;
}

function worst(severities: readonly (Severity | null)[]): Severity | null {
  return ORDER.find((severity) => severities.includes(severity)) ?? null;
}

function judgeGroup(
  group: readonly OsvRecord[],
  requirement: Requirement,
  known: ReadonlyMap<string, OsvRecord>,
): Hit | null {
  const judged = group.map((record) => ({ record, overlap: overlapOfRecord(record, requirement) }))
    .filter(({ overlap }) => overlap !== "none");
  if (judged.length === 0) return null;
  // Databases disagree on ranges: the more severe one decides.
  const possible = judged.every(({ overlap }) => overlap === "some");
  const ids = [...new Set(group.flatMap(({ id, aliases }) => [id, ...(aliases ?? [])]))].sort();
  const [first] = judged.sort((a, b) => rankOf(a.record.id) - rankOf(b.record.id));
  const record = first!.record;
  const others = ids.flatMap((id) => known.get(id) ?? []);
  const stated = worst([...group, ...others].map(severityOf)) ?? "medium";
  const { ecosystem, name, allowed } = requirement;
  const version = allowed.kind === "exact" ? allowed.version : null;
  return {
    id: record.id,
    aliases: ids.filter((id) => id !== record.id),
    severity: possible ? "low" : stated,
    stated,
    possible,
    fixed: judged.map((one) => fixedVersion(one.record, ecosystem, name, version))
      .find((fixed) => fixed !== null) ?? null,
    record,
  };
}

/**
 * The flaws of `requirement` among `records` (its package's), the most severe first. Withdrawn advisories
 * are left out.
 *
 * @param known Records of aliases, for severities.
 */
export function judge(
  requirement: Requirement,
  records: readonly OsvRecord[],
  known: ReadonlyMap<string, OsvRecord>,
): Hit[] {
  const standing = records.filter(({ withdrawn }) => !withdrawn);
  return groupByAlias(standing).flatMap((group) => judgeGroup(group, requirement, known) ?? [])
    .sort((a, b) =>
      ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
      ORDER.indexOf(a.stated) - ORDER.indexOf(b.stated) || (a.id < b.id ? -1 : 1)
    );
}
