/**
 * Ranges of Semantic Versioning, as npm writes them, as sets of versions.
 *
 * @module
 */
import { packageOnDemand } from "../on_demand.ts";
import type { Interval } from "./intervals.ts";

const semver = packageOnDemand<typeof import("semver")>("semver");

/** Orders semantic versions, with or without a leading `v`; throws for what is none. */
export function compareSemver(a: string, b: string): number {
  return semver().compare(a, b);
}

/** The part of semver's comparators that is used; one that allows everything has no version. */
interface Comparator {
  operator: string;
  semver: { version?: string };
}

function intervalOf(comparators: readonly Comparator[]): Interval {
  const interval: Interval = { low: null, high: null };
  for (const { operator, semver: { version } } of comparators) {
    if (version === undefined) continue;
    const bound = { version, inclusive: operator !== ">" && operator !== "<" };
    if (!operator.startsWith("<")) interval.low = bound;
    if (!operator.startsWith(">")) interval.high = bound;
  }
  return interval;
}

/** Longest range that is read, in characters; real ones are far shorter. */
const MAX_RANGE = 2_000;

/** The versions that an npm range allows, or null when it is not a range. */
export function npmIntervals(range: string): readonly Interval[] | null {
  if (range.length > MAX_RANGE) return null;
  try {
    const set = new (semver().Range)(range).set as Comparator[][];
    return set.map(intervalOf);
  } catch {
    return null;
  }
}
