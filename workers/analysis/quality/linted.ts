/**
 * What the linters of all languages share: what was too much to list, and who asked for silence.
 *
 * @module
 */
import { plural } from "../plural.ts";
import type { RawIssue } from "../finding.ts";

/** How a linter went over a file. */
export interface Linted {
  file: string;
  /** Issues that are not listed. */
  dropped: number;
  /** Lines of comments that ask linters to stay silent. */
  suppressions: readonly number[];
}

const MAX_LINES_SHOWN = 20;

/** The issues about the linting itself. */
export function lintingIssues({ file, dropped, suppressions }: Linted): RawIssue[] {
  const issues: RawIssue[] = [];
  if (dropped > 0) {
    issues.push({
      rule: "too-many-issues",
      class: "code_smell",
      severity: "medium",
      cwe: null,
      title: `${dropped} more findings in this file are not listed`,
      detail: "The file has more findings than a report lists. Fix the listed ones first",
      file,
      line: 1,
      end_line: 1,
    });
  }
  const [first] = suppressions;
  if (first !== undefined) {
    issues.push({
      rule: "suppressed-findings",
      class: "security_hotspot",
      severity: "low",
      cwe: "CWE-693",
      title: `${plural(suppressions.length, "comment")} that silence linters`,
      detail: `The scan ignores these comments. Lines: ${
        suppressions.slice(0, MAX_LINES_SHOWN).join(", ")
      }`,
      fix: "Remove the comments and fix what they hide",
      file,
      line: first,
      end_line: first,
    });
  }
  return issues;
}
