/**
 * Sets of versions as intervals on the line of all versions. Whether a requirement allows affected
 * versions only, some, or none is asked here without a list of the versions that exist.
 *
 * @module
 */

/** A bound; `null` is the end of the line. */
export interface Bound {
  version: string;
  inclusive: boolean;
}

/** Versions between two bounds. */
export interface Interval {
  low: Bound | null;
  high: Bound | null;
}

/** Orders versions; throws for what is no version. */
export type Compare = (a: string, b: string) => number;

/** How much of what a requirement allows is affected. */
export type Overlap = "all" | "some" | "none";

/** The whole line. */
export const EVERYTHING: readonly Interval[] = [{ low: null, high: null }];

/** The interval that contains a single version. */
export function point(version: string): Interval {
  const bound = { version, inclusive: true };
  return { low: bound, high: bound };
}

function isEmpty({ low, high }: Interval, compare: Compare): boolean {
  if (low === null || high === null) return false;
  const order = compare(low.version, high.version);
  return order > 0 || (order === 0 && !(low.inclusive && high.inclusive));
}

function laterLow(a: Bound | null, b: Bound | null, compare: Compare): Bound | null {
  if (a === null) return b;
  if (b === null) return a;
  const order = compare(a.version, b.version);
  return order === 0 ? (a.inclusive ? b : a) : order > 0 ? a : b;
}

function earlierHigh(a: Bound | null, b: Bound | null, compare: Compare): Bound | null {
  if (a === null) return b;
  if (b === null) return a;
  const order = compare(a.version, b.version);
  return order === 0 ? (a.inclusive ? b : a) : order < 0 ? a : b;
}

/** What both sets have. */
export function intersect(
  a: readonly Interval[],
  b: readonly Interval[],
  compare: Compare,
): Interval[] {
  return a.flatMap((x) =>
    b.map((y) => ({
      low: laterLow(x.low, y.low, compare),
      high: earlierHigh(x.high, y.high, compare),
    }))
  ).filter((interval) => !isEmpty(interval, compare));
}

/** Everything but `interval`. */
export function complement({ low, high }: Interval): Interval[] {
  const below = low && { low: null, high: { ...low, inclusive: !low.inclusive } };
  const above = high && { low: { ...high, inclusive: !high.inclusive }, high: null };
  return [below, above].filter((side) => side !== null);
}

function startsBefore(a: Interval, b: Interval, compare: Compare): number {
  if (a.low === null || b.low === null) return a.low === b.low ? 0 : a.low === null ? -1 : 1;
  return compare(a.low.version, b.low.version) ||
    Number(b.low.inclusive) - Number(a.low.inclusive);
}

/** Whether `next`, which does not begin earlier, leaves no gap after `high`. */
function touches(high: Bound | null, next: Interval, compare: Compare): boolean {
  if (high === null || next.low === null) return true;
  const order = compare(next.low.version, high.version);
  return order < 0 || (order === 0 && (high.inclusive || next.low.inclusive));
}

/** The same set in disjoint intervals, in order. */
export function merge(intervals: readonly Interval[], compare: Compare): Interval[] {
  const sorted = intervals.filter((interval) => !isEmpty(interval, compare))
    .sort((a, b) => startsBefore(a, b, compare));
  const merged: Interval[] = [];
  for (const interval of sorted) {
    const last = merged.at(-1);
    if (last === undefined || !touches(last.high, interval, compare)) {
      merged.push({ ...interval });
    } else if (last.high !== null) {
      const later = interval.high === null ||
        compare(interval.high.version, last.high.version) > 0 ||
        (compare(interval.high.version, last.high.version) === 0 && interval.high.inclusive);
      if (later) last.high = interval.high;
    }
  }
  return merged;
}

function covers(outer: Interval, inner: Interval, compare: Compare): boolean {
  const lowFits = outer.low === null ||
    (inner.low !== null && laterLow(outer.low, inner.low, compare) === inner.low) ||
    (inner.low !== null && sameBound(outer.low, inner.low, compare));
  const highFits = outer.high === null ||
    (inner.high !== null && earlierHigh(outer.high, inner.high, compare) === inner.high) ||
    (inner.high !== null && sameBound(outer.high, inner.high, compare));
  return lowFits && highFits;
}

function sameBound(a: Bound, b: Bound, compare: Compare): boolean {
  return a.inclusive === b.inclusive && compare(a.version, b.version) === 0;
}

/** How much of `allowed` is in `affected`. An empty `allowed` is not affected. */
export function overlapOf(
  allowed: readonly Interval[],
  affected: readonly Interval[],
  compare: Compare,
): Overlap {
  const bad = merge(affected, compare);
  if (intersect(allowed, bad, compare).length === 0) return "none";
  const all = merge(allowed, compare).every((part) =>
    bad.some((interval) => covers(interval, part, compare))
  );
  return all ? "all" : "some";
}
