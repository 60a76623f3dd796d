/**
 * Which of the files that a search may take comes first.
 *
 * @module
 */
import type { Candidate } from "./types.ts";
import { isPinned, newestFirst } from "./versions.ts";
import { readWheelName } from "./wheel_names.ts";

/** Compiled wheels of a package that are refused before its other versions are taken for alike. */
const MAX_REFUSED = 2;

/** Versions of a package that are tried one after the other. */
const MAX_TRIED = 24;
/** Of older ones, the newest of each second number (1.7 of 1.7.3). */
const MAX_SPARSE = 24;
/** Milliseconds between the newest and the oldest: one from years ago is rarely better than none. */
const MAX_AGE = 2 * 365 * 24 * 60 * 60_000;

function lineOf({ version }: Candidate, numbers: number): string {
  return version.split(/[.+a-z]/).slice(0, numbers).join(".");
}

/**
 * Which of `whole`, the newest first, are tried. A requirement that cannot be met may have come many
 * releases ago, so beyond the first few it leaps.
 *
 * @param pins Others that something asks for, however far down they are.
 */
export function worthTrying(whole: readonly Candidate[], pins: readonly string[]): Candidate[] {
  const [newest] = whole;
  const seen = new Set(whole.slice(0, MAX_TRIED).map((each) => lineOf(each, 2)));
  let left = MAX_SPARSE;
  const isSparse = (each: Candidate) => {
    const { uploaded } = each;
    if (left === 0 || lineOf(each, 1) !== lineOf(newest!, 1)) return false;
    const isOld = uploaded !== null && newest!.uploaded !== null &&
      Date.parse(newest!.uploaded) - Date.parse(uploaded) > MAX_AGE;
    if (isOld || seen.has(lineOf(each, 2))) return false;
    seen.add(lineOf(each, 2));
    left--;
    return true;
  };
  return whole.filter((each, at) =>
    at < MAX_TRIED || isPinned(pins, each.version) || isSparse(each)
  );
}

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
