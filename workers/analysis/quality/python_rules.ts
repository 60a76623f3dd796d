/**
 * ruff's rules as SonarQube would class them. Longest matching prefix wins, so a family has one
 * line and its exceptions theirs.
 *
 * @module
 */
import { bug, hotspot, type RuleClass, smell, vulnerability } from "./rule_class.ts";

/** Families that are asked for. */
export const SELECT: readonly string[] = [
  "F",
  "E9",
  "B",
  "C90",
  "PLE",
  "PLW",
  "UP",
  "PLR01",
  "PLR02",
  "PLR0911",
  "PLR0915",
  "PLR17",
  "PLR5501",
  // What SonarQube calls vulnerabilities (faults as they stand) and hotspots (to be looked at).
  "S10",
  "S11",
  "S201",
  "S311",
  "S32",
  "S50",
  "S701",
];

/** Rules of those families that only make noise, or that stage 5 reports with more knowledge. */
export const IGNORE: readonly string[] = [
  "S101",
  "S102",
  "S106",
  "S504",
  "S506",
  "S508",
  "S509",
  "S321",
  "PLE2502",
  "PLW1509",
  "PLW1510",
  "UP035",
];

const CLASSES: Record<string, RuleClass> = {
  "invalid-syntax": bug("high"),
  E9: bug("high"),
  F: bug("medium"),
  F401: smell("low"),
  F402: smell("medium"),
  F403: smell("medium"),
  F404: bug("high"),
  F405: smell("info"),
  F50: bug("medium"),
  F52: bug("medium"),
  F541: smell("low"),
  F601: smell("medium"),
  F602: smell("medium"),
  F632: bug("medium"),
  F70: bug("high"),
  F811: smell("medium"),
  F821: bug("high"),
  F822: bug("medium"),
  F823: bug("high"),
  F841: smell("low"),
  F842: smell("low"),
  F901: bug("medium"),
  B: smell("low"),
  B002: bug("medium"),
  B003: bug("medium"),
  B004: bug("low"),
  B005: bug("low"),
  B006: bug("low"),
  B012: bug("medium"),
  B015: bug("medium"),
  B016: bug("high"),
  B018: bug("low"),
  B020: bug("medium"),
  B023: bug("medium"),
  B025: bug("medium"),
  B029: bug("medium"),
  B030: bug("medium"),
  B031: bug("medium"),
  B032: bug("medium"),
  B035: bug("medium"),
  B039: bug("low"),
  C901: smell("medium"),
  PLE: bug("high"),
  PLE1205: bug("medium"),
  PLE1206: bug("medium"),
  PLE2510: smell("low"),
  PLE251: smell("low"),
  PLR: smell("low"),
  PLR0124: bug("medium"),
  PLR0133: bug("medium"),
  PLR0911: smell("medium"),
  PLR0915: smell("medium"),
  PLW: smell("low"),
  PLW0127: bug("medium"),
  PLW0128: bug("medium"),
  PLW0129: bug("medium"),
  PLW0131: bug("medium"),
  PLW0133: bug("medium"),
  PLW0177: bug("medium"),
  PLW0711: bug("medium"),
  PLW1501: bug("medium"),
  PLW1508: bug("medium"),
  PLW2101: bug("medium"),
  UP: smell("info"),
  S103: hotspot("732"),
  S104: hotspot("605"),
  S105: hotspot("259"),
  S107: hotspot("259"),
  S108: hotspot("377"),
  S110: smell("low"),
  S112: smell("low"),
  S113: hotspot("400"),
  S201: hotspot("489"),
  S311: hotspot("330"),
  S323: vulnerability("medium", "295"),
  S324: hotspot("327"),
  S501: vulnerability("high", "295"),
  S502: vulnerability("high", "327"),
  S503: vulnerability("medium", "327"),
  S505: vulnerability("medium", "326"),
  S507: vulnerability("high", "295"),
  S701: hotspot("79"),
};

/** The class of a rule of {@link SELECT}. */
export function classOf(code: string): RuleClass {
  return byPrefix(CLASSES, code) ?? smell("low");
}

/** The entry of the longest prefix of `code` that a table has. */
export function byPrefix<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  for (let length = code.length; length > 0; length--) {
    const found = table[code.slice(0, length)];
    if (found !== undefined) return found;
  }
  return undefined;
}
