/**
 * Python dependency specifiers (PEP 508), as in requirements files and `pyproject.toml`.
 *
 * @module
 */
import { pythonIntervals } from "../advisories/pep440_ranges.ts";
import { mayApply } from "./markers.ts";
import type { Allowed } from "./requirement.ts";

/** A specifier's package and versions. */
export interface Specifier {
  name: string;
  allowed: Allowed;
  /** False when its marker rules out every supported Python and platform. */
  applies: boolean;
}

const NAME = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,200}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,1000}\])?\s*/;
/** Longest specifier with its marker, in characters. */
const MAX_LENGTH = 4_000;
const EXACT = /^={2,3}\s*([^\s,*]+)$/;

/** The versions of a PEP 440 specifier; null when it is none. */
export function allowedBy(specifier: string): Allowed | null {
  const text = specifier.trim();
  if (pythonIntervals(text) === null) return null;
  const exact = EXACT.exec(text)?.[1];
  return exact === undefined
    ? { kind: "range", ranges: [text] }
    : { kind: "exact", version: exact.replace(/^v/i, "") };
}

/** Parses `name[extras] specifier ; marker` or `name @ address`; null when it is neither. */
export function parseSpecifier(text: string): Specifier | null {
  if (text.length > MAX_LENGTH) return null;
  const match = NAME.exec(text);
  if (match === null) return null;
  const name = match[1]!;
  const rest = text.slice(match[0].length);
  if (rest.startsWith("@")) {
    const [address = "", ...marker] = rest.slice(1).split(/(?<=\s);/);
    const allowed = { kind: "elsewhere", from: address.trim() } as const;
    return { name, allowed, applies: marker.length === 0 || mayApply(marker.join(";")) };
  }
  const [versions = "", ...marker] = rest.split(";");
  let specifier = versions.trim();
  if (specifier.startsWith("(") && specifier.endsWith(")")) specifier = specifier.slice(1, -1);
  const allowed = allowedBy(specifier);
  if (allowed === null) return null;
  return { name, allowed, applies: marker.length === 0 || mayApply(marker.join(";")) };
}
