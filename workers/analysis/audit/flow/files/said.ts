/**
 * What is said of files that a server writes and something runs.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { UNSCANNED } from "../../python/unscanned.ts";
import { type Rule, rule } from "../../rule.ts";
import { ENCODED_CODE, INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import type { Start } from "./starts.ts";

/** Where what is written comes from. */
export type Origin =
  | { kind: "caller"; parameter: string }
  | { kind: "network" | "held" | "encoded" | "computed" | "template" };

/** A file that runs by itself and fetches what it runs. */
export const START = rule(
  "py/hostile-start",
  "high",
  506,
  "Remove it: no legitimate server downloads and runs code at every sign-in or in every shell",
);

/** Every rule of this module. */
export const WRITTEN_RULES: readonly Rule[] = [START];

/** The finding of a file that is run, by where its content comes from. */
export function said(
  origin: Origin,
  { place, program, shell, reads }: Start & { place: RawFinding },
): RawFinding {
  const what = reads === null
    ? `a file run by ${program}`
    : `a file that decides what is run by ${program}`;
  const as = ({ id, severity, cwe, advice }: Rule, title: string): RawFinding => ({
    ...place,
    rule: id,
    severity,
    cwe: `CWE-${cwe}`,
    detail: advice,
    title: title.slice(0, 300),
  });
  switch (origin.kind) {
    case "caller": {
      const rule = INJECTION[shell ? "shell" : "code"];
      return as(rule, `Parameter "${origin.parameter}" is written to ${what}`);
    }
    case "network":
      return as(REMOTE_CODE, `Downloaded data is written to ${what}`);
    case "held": {
      const title = `A download with a digest in the source is written to ${what}`;
      return { ...as(REMOTE_CODE, title), severity: "medium" };
    }
    case "encoded":
      return as(ENCODED_CODE, `Decoded text is written to ${what}`);
    case "computed":
      return as(UNSCANNED, `Unscannable text is written to ${what}`);
    case "template": {
      const severity = shell ? UNSCANNED.severity : "medium";
      return { ...as(UNSCANNED, `Computed text is written to ${what}`), severity };
    }
  }
}
