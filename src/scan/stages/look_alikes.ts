/**
 * Names that are easily taken for those of popular packages of the Python index.
 *
 * @module
 */
import { isOneSlipAway } from "../registry_checks.ts";
import names from "./package_names.json" with { type: "json" };

/** Shorter names are near to too many honest ones. */
const MIN_NAME = 5;

/** Popular packages, honest ones whose names are near theirs, and others that are much used. */
const KNOWN: ReadonlySet<string> = new Set([...names.popular, ...names.near, ...names.used]);

/** A name in normal form without what separates its words. */
function joined(name: string): string {
  return name.replaceAll("-", "");
}

const JOINED: ReadonlyMap<string, string> = new Map(
  names.popular.map((name) => [joined(name), name]),
);
const LONG = names.popular.filter((name) => name.length >= MIN_NAME);

const WELL_KNOWN: ReadonlySet<string> = new Set([...names.popular, ...names.used]);

/** Whether a package is among the most used of the Python index. @param name In normal form. */
export function isWellKnown(name: string): boolean {
  return WELL_KNOWN.has(name);
}

/**
 * The popular package that a name is one edit away from, or that it differs from by hyphens alone;
 * null for a name that is known itself.
 *
 * @param name In normal form.
 */
export function lookAlikeOf(name: string): string | null {
  if (KNOWN.has(name)) return null;
  const same = JOINED.get(joined(name));
  if (same !== undefined) return same;
  if (name.length < MIN_NAME) return null;
  return LONG.find((popular) => isOneSlipAway(name, popular)) ?? null;
}
