/**
 * How rules of linters count, in SonarQube's classes.
 *
 * @module
 */
import type { IssueClass, Severity } from "../finding.ts";
import type { Weakness } from "../weaknesses.ts";

export interface RuleClass {
  class: IssueClass;
  severity: Severity;
  cwe: string | null;
}

/** A fault of that severity. */
export function bug(severity: Severity): RuleClass {
  return { class: "bug", severity, cwe: null };
}

/** What makes code hard to read or to change. */
export function smell(severity: Severity): RuleClass {
  return { class: "code_smell", severity, cwe: null };
}

/** What has to be looked at; `cwe` is the number of the weakness. */
export function hotspot(cwe: `${Weakness}`): RuleClass {
  return { class: "security_hotspot", severity: "low", cwe: `CWE-${cwe}` };
}

/** A weakness as it stands; `cwe` is its number. */
export function vulnerability(severity: Severity, cwe: `${Weakness}`): RuleClass {
  return { class: "vulnerability", severity, cwe: `CWE-${cwe}` };
}
