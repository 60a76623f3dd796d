/**
 * Python version specifiers (PEP 440) as sets of versions.
 *
 * @module
 */
import { packageOnDemand } from "../on_demand.ts";
import {
  type Bound,
  complement,
  EVERYTHING,
  intersect,
  type Interval,
  point,
} from "./intervals.ts";

const pep440 = packageOnDemand<typeof import("@renovatebot/pep440")>("@renovatebot/pep440");

/** Orders Python versions; throws for what is none. */
export function comparePython(a: string, b: string): number {
  return pep440().compare(a, b);
}

/** Before every release of `version`, its pre-releases included. */
function before(version: string): string {
  return `${version.replace(/\+.*$/, "")}.dev0`;
}

/** The versions that begin with `prefix`, without pre-releases of its first one. */
function withPrefix(prefix: string): Interval {
  const epoch = /^\d+!/.exec(prefix)?.[0] ?? "";
  const parts = prefix.slice(epoch.length).split(".");
  const last = BigInt(parts.pop()!) + 1n;
  return {
    low: { version: prefix, inclusive: true },
    high: { version: before(`${epoch}${[...parts, last].join(".")}`), inclusive: false },
  };
}

function compatible(version: string): Interval {
  const release = /^v?((?:\d+!)?\d+(?:\.\d+)*)\.\d+/.exec(version)![1]!;
  return { low: { version, inclusive: true }, high: withPrefix(release).high };
}

function isPreRelease(version: string): boolean {
  return pep440().explain(version)?.is_prerelease ?? false;
}

function bound(version: string, inclusive: boolean): Bound {
  return { version, inclusive };
}

function clause(operator: string, version: string, prefix: boolean): readonly Interval[] {
  switch (operator) {
    case "==":
      return [prefix ? withPrefix(version) : point(version)];
    case "===":
      return [point(version)];
    case "!=":
      // One version less does not change how the rest lies, and intervals are dense.
      return prefix ? complement(withPrefix(version)) : EVERYTHING;
    case "~=":
      return [compatible(version)];
    case ">=":
      return [{ low: bound(version, true), high: null }];
    case ">":
      return [{ low: bound(version, false), high: null }];
    case "<=":
      return [{ low: null, high: bound(version, true) }];
    default:
      return [{ low: null, high: bound(isPreRelease(version) ? version : before(version), false) }];
  }
}

let clausePattern: RegExp | undefined;
/** Longest specifier that is read; real ones are far shorter. */
const MAX_SPECIFIER = 300;

/** The versions that `specifier` allows, or null when it is not a valid specifier. */
export function pythonIntervals(specifier: string): readonly Interval[] | null {
  const text = specifier.trim().replace(/,\s*$/, "");
  if (text === "") return EVERYTHING;
  if (text.length > MAX_SPECIFIER || !pep440().validRange(text)) return null;
  // "===" takes any text for a version; such a one cannot be ordered, only be equal.
  clausePattern ??= new RegExp(`^${pep440().RANGE_PATTERN}$`, "i");
  const arbitrary = clausePattern.exec(text)?.groups?.legacy;
  if (arbitrary !== undefined) return [point(arbitrary)];
  let allowed: readonly Interval[] = EVERYTHING;
  for (const part of text.split(",")) {
    const { operator, version, prefix } = clausePattern.exec(part.trim())?.groups ?? {};
    if (operator === undefined || version === undefined) return null;
    const versions = clause(operator, version.replace(/^v/i, ""), prefix !== undefined);
    allowed = intersect(allowed, versions, comparePython);
  }
  return allowed;
}
