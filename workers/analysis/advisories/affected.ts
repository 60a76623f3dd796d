/**
 * Which versions an advisory affects (OSV schema, "evaluation").
 *
 * @module
 */
import { type Ecosystem, normalName } from "./ecosystem.ts";
import { type Compare, type Interval, type Overlap, overlapOf, point } from "./intervals.ts";
import type { OsvAffected, OsvRange, OsvRecord } from "./osv_schema.ts";
import { comparePython } from "./pep440_ranges.ts";
import { compareSemver } from "./semver_ranges.ts";

/** How an ecosystem orders its versions. */
function compareOf(ecosystem: Ecosystem): Compare {
  return ecosystem === "PyPI" ? comparePython : compareSemver;
}

function rangeIntervals(range: OsvRange, compare: Compare): Interval[] {
  if (range.type === "GIT") return [];
  const order = (a: string, b: string) =>
    a === b ? 0 : a === "0" ? -1 : b === "0" ? 1 : compare(a, b);
  for (const { introduced, fixed, last_affected } of range.events) {
    const version = introduced ?? fixed ?? last_affected;
    // Throws for what is no version, also where sorting would not look at it.
    if (version !== undefined && version !== "0") compare(version, version);
  }
  const events = range.events.flatMap((event) => {
    if (event.introduced !== undefined) return [{ at: event.introduced, kind: "introduced" }];
    if (event.fixed !== undefined) return [{ at: event.fixed, kind: "fixed" }];
    return event.last_affected === undefined ? [] : [{ at: event.last_affected, kind: "last" }];
  }).sort((a, b) => order(a.at, b.at));
  const intervals: Interval[] = [];
  let open: Interval | null = null;
  for (const { at, kind } of events) {
    if (kind === "introduced") {
      open ??= { low: at === "0" ? null : { version: at, inclusive: true }, high: null };
    } else if (open !== null) {
      intervals.push({ ...open, high: { version: at, inclusive: kind === "last" } });
      open = null;
    }
  }
  if (open !== null) intervals.push(open);
  return intervals;
}

function tryIntervals(make: () => Interval[]): Interval[] {
  try {
    return make();
  } catch {
    // A version that is none: what else the record says is left.
    return [];
  }
}

/** What a part affects: its ranges, or the enumerated versions where it has none of use. */
function intervalsOf(affected: OsvAffected, compare: Compare): Interval[] {
  const ranges = (affected.ranges ?? []).flatMap((range) =>
    tryIntervals(() => rangeIntervals(range, compare))
  );
  if (ranges.length > 0) return ranges;
  return (affected.versions ?? []).flatMap((version) =>
    tryIntervals(() => {
      compare(version, version);
      return [point(version)];
    })
  );
}

/** The parts of `record` about one package. */
export function affectedOf(record: OsvRecord, ecosystem: Ecosystem, name: string): OsvAffected[] {
  return (record.affected ?? []).filter(({ package: about }) =>
    about?.ecosystem.split(":")[0] === ecosystem && normalName(ecosystem, about.name) === name
  );
}

/** How much of `allowed` the record affects. */
export function overlapWith(
  record: OsvRecord,
  ecosystem: Ecosystem,
  name: string,
  allowed: readonly Interval[],
): Overlap {
  const compare = compareOf(ecosystem);
  const bad = affectedOf(record, ecosystem, name).flatMap((part) => intervalsOf(part, compare));
  return overlapOf(allowed, bad, compare);
}

/** Whether the record affects `version`, also where that is no version of the ecosystem. */
export function affects(
  record: OsvRecord,
  ecosystem: Ecosystem,
  name: string,
  version: string,
): boolean {
  const parts = affectedOf(record, ecosystem, name);
  if (parts.some(({ versions }) => versions?.includes(version))) return true;
  try {
    return overlapWith(record, ecosystem, name, [point(version)]) !== "none";
  } catch {
    return false;
  }
}

/** The next fixed version above `version`, or the last one for null; null when there is none. */
export function fixedVersion(
  record: OsvRecord,
  ecosystem: Ecosystem,
  name: string,
  version: string | null,
): string | null {
  const compare = compareOf(ecosystem);
  const fixes = affectedOf(record, ecosystem, name).flatMap(({ ranges }) =>
    (ranges ?? []).filter(({ type }) => type !== "GIT").flatMap(({ events }) =>
      events.flatMap(({ fixed }) => fixed ?? [])
    )
  );
  try {
    const sorted = [...new Set(fixes)].sort(compare);
    if (version === null) return sorted.at(-1) ?? null;
    return sorted.find((fix) => compare(fix, version) > 0) ?? null;
  } catch {
    return fixes[0] ?? null;
  }
}
