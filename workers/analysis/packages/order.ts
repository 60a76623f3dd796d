/**
 * Which of the files that a search may take comes first.
 *
 * @module
 */
import type { Candidate } from "./types.ts";
import { newestFirst } from "./versions.ts";
import { readWheelName } from "./wheel_names.ts";

/** Compiled wheels of a package that are refused before its other versions are taken for alike. */
const MAX_REFUSED = 2;

function isCompiled({ file, part }: Candidate): boolean {
  return !part && !file.endsWith("-any.whl");
}

/** Whether a file is for another platform or an older version of Python, and its Python part is read. */
export function isForeign({ file }: Candidate): boolean {
  return readWheelName(file)?.fit === "foreign";
}

/**
 * Python parts, which may not work without what is compiled. The newest speaks for all, but one that
 * is for another version of Python only for those of its kind.
 */
function partsOf(counting: readonly Candidate[], refused: readonly Candidate[]): Candidate[] {
  const parts = counting.filter(({ part }) => part);
  const fitting = parts.filter((each) => !isForeign(each));
  const refusedParts = refused.filter(({ part }) => part);
  if (refusedParts.length === 0) return [...fitting, ...parts.filter(isForeign)];
  return refusedParts.every(isForeign) ? fitting : [];
}

/**
 * `counting` with the preferred first: the newest of what is whole, then of Python parts.
 *
 * @param refused Files of the package that were looked at and cannot be used.
 */
export function inOrder(
  counting: readonly Candidate[],
  refused: readonly Candidate[],
): Candidate[] {
  const isGivenUp = refused.filter(isCompiled).length >= MAX_REFUSED;
  const whole = counting.filter((each) => !each.part && !(isGivenUp && isCompiled(each)));
  whole.sort((a, b) => newestFirst(a.version, b.version));
  return [...whole, ...partsOf(counting, refused)];
}
