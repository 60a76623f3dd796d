/**
 * Rules of Berth's own, each described once.
 *
 * @module
 */
import type { RawFinding, Severity } from "../finding.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import type { SyntaxNode } from "../syntax/tree.ts";
import type { Weakness } from "../weaknesses.ts";

/** What a rule says whenever it fires. */
export interface Rule {
  id: string;
  severity: Severity;
  cwe: Weakness;
  /** What to do. */
  advice: string;
}

/** A row of a table of rules, without the names of its fields. */
export function rule(id: string, severity: Severity, cwe: Weakness, advice: string): Rule {
  return { id, severity, cwe, advice };
}

/** A finding of a rule at a node. */
export function report(
  rule: Rule,
  tree: SourceTree,
  node: SyntaxNode,
  title: string,
  severity: Severity = rule.severity,
): RawFinding {
  const line = tree.lineAt(node.start);
  return {
    rule: rule.id,
    severity,
    cwe: `CWE-${rule.cwe}`,
    title: title.slice(0, 300),
    detail: rule.advice,
    file: tree.path,
    line,
    end_line: Math.max(line, tree.lineAt(Math.max(node.start, node.end - 1))),
  };
}
