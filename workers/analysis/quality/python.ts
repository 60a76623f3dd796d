/**
 * Stage 1 on Python: ruff's rules for faults, smells and hotspots.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import { createRuff, type Ruff } from "../ruff/ruff.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { fixOf } from "./python_fixes.ts";
import { classOf, IGNORE, SELECT } from "./python_rules.ts";

let engine: Ruff | undefined;

/** The issues of a Python file. */
export function pythonIssues(tree: SourceTree): RawIssue[] {
  engine ??= createRuff(SELECT, { ignore: IGNORE });
  const { findings, dropped, suppressions } = engine.check(tree.text);
  const file = tree.path;
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
  if (dropped > 0) {
    issues.push({
      rule: "too-many-issues",
      class: "code_smell",
      severity: "medium",
      cwe: null,
      title: `${dropped} more issues in this file are not listed`,
      detail: "The file has more issues than a report lists: settle those shown first",
      file,
      line: 1,
      end_line: 1,
    });
  }
  if (suppressions.length > 0) {
    issues.push({
      rule: "suppressed-findings",
      class: "security_hotspot",
      severity: "low",
      cwe: "CWE-693",
      title: `${suppressions.length} comment(s) ask linters to stay silent`,
      detail: `The scan ignores them. Lines: ${suppressions.slice(0, 20).join(", ")}`,
      fix: "Remove the comments, and settle what they hide",
      file,
      line: suppressions[0]!,
      end_line: suppressions[0]!,
    });
  }
  return issues;
}
