/**
 * Stage 1 on Python: ruff's rules for faults, smells and hotspots.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import type { RuffPart } from "../ruff/python_ruff.ts";
import { lintingIssues } from "./linted.ts";
import { fixOf } from "./python_fixes.ts";
import { classOf } from "./python_rules.ts";

/** The issues of a Python file, in which ruff found so much. */
export function pythonIssues(
  file: string,
  { findings, dropped, suppressions }: RuffPart,
): RawIssue[] {
  const issues = findings.map(({ code, message, fix, line, endLine }): RawIssue => ({
    rule: code,
    ...classOf(code),
    title: message.split("\n", 1)[0]!.slice(0, 200),
    detail: message,
    fix: fixOf(code, fix),
    file,
    line,
    end_line: endLine,
  }));
  return [...issues, ...lintingIssues({ file, dropped, suppressions })];
}
