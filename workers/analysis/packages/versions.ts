/**
 * Versions against specifiers (PEP 440).
 *
 * @module
 */
import * as pep440 from "@renovatebot/pep440";

/** Whether a text is a version that can be ordered. */
export function isVersion(text: string): boolean {
  return text.length <= 200 && pep440.valid(text) !== null;
}

/** Orders versions, the newest first. */
export function newestFirst(a: string, b: string): number {
  return pep440.rcompare(a, b);
}

/** Whether a version comes before a release. */
export function isPreRelease(version: string): boolean {
  return pep440.explain(version)?.is_prerelease ?? true;
}

/** Whether two texts are the same version. */
export function isSame(a: string, b: string): boolean {
  return isVersion(a) && isVersion(b) && pep440.eq(a, b);
}

function satisfies(spec: string, version: string): boolean {
  const text = spec.trim().replace(/,\s*$/, "");
  if (text === "") return true;
  const exact = /^={2,3}\s*([^\s,*]+)$/.exec(text)?.[1];
  // A pin without a local label allows any.
  if (exact !== undefined) {
    return exact === version || isSame(exact, version) ||
      isSame(exact, version.replace(/\+.*$/, ""));
  }
  try {
    return pep440.satisfies(version, text, { prereleases: true });
  } catch {
    return false;
  }
}

/** Answers that are remembered: a search asks the same again and again. */
const MAX_REMEMBERED = 200_000;
const remembered = new Map<string, boolean>();

/** Whether one of `specs` allows a version. */
export function allows(specs: readonly string[], version: string): boolean {
  return specs.some((spec) => {
    if (spec === "") return true;
    const key = `${version} ${spec}`;
    let found = remembered.get(key);
    if (found === undefined) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, found = satisfies(spec, version));
    }
    return found;
  });
}

/** Whether a specifier is a pin of one version. */
export function isPin(spec: string): boolean {
  return /^={2,3}\s*[^\s,*]+$/.test(spec.trim());
}

/** Whether one of `specs` pins this very version. */
export function isPinned(specs: readonly string[], version: string): boolean {
  return specs.some((spec) => isPin(spec) && allows([spec], version));
}

/** Whether one of `specs` speaks of versions before a release, and allows this one. */
export function asksForEarly(specs: readonly string[], version: string): boolean {
  return specs.some((spec) => speaksOfEarly(spec) && allows([spec], version));
}

/** Whether a specifier speaks of a version before a release, allowed or not. */
export function speaksOfEarly(spec: string): boolean {
  return /\d\s*(?:a|b|rc|alpha|beta|c|pre|preview|\.?dev)\s*\d*/i.test(spec);
}
