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
  | { kind: "network" | "encoded" | "computed" | "template" };

/** A file that runs by itself and fetches what it runs. */
export const START = rule(
  "py/hostile-start",
  "high",
  506,
  "Remove it: nothing honest fetches what it runs whenever its user signs in or opens a shell",
);

/** Every rule of this module. */
export const WRITTEN_RULES: readonly Rule[] = [START];

/** The finding of a file that is run, by where its content comes from. */
export function said(
  origin: Origin,
  { place, program, shell, reads }: Start & { place: RawFinding },
): RawFinding {
  const what = reads === null ? `a file that ${program} runs` : `a file by which ${program} runs`;
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
      return as(REMOTE_CODE, `What is fetched is written to ${what}`);
    case "encoded":
      return as(ENCODED_CODE, `Decoded text is written to ${what}`);
    case "computed":
      return as(UNSCANNED, `Text that no scan can read is written to ${what}`);
    case "template": {
      const severity = shell ? UNSCANNED.severity : "medium";
      return { ...as(UNSCANNED, `Text that is put together is written to ${what}`), severity };
    }
  }
}
