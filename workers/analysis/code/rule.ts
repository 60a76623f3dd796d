/**
 * Rules of our own for JavaScript, TypeScript, Go and Rust over the syntax tree, shared by stage 1
 * (all classes) and stage 5 (what is about security).
 *
 * @module
 */
import type { IssueClass, RawIssue, Severity } from "../finding.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../syntax/tree.ts";
import type { Weakness } from "../weaknesses.ts";

/** A rule; `severity` is that of stage 5, hotspots count as low in stage 1. */
export interface CodeRule {
  id: string;
  class: IssueClass;
  severity: Severity;
  cwe: Weakness | null;
  title: string;
  advice: string;
}

/** An issue of a rule at a node. */
export function issue(
  rule: CodeRule,
  tree: SourceTree,
  node: SyntaxNode,
  change: { title?: string; severity?: Severity } = {},
): RawIssue {
  const line = tree.lineAt(node.start);
  return {
    rule: rule.id,
    class: rule.class,
    severity: change.severity ?? rule.severity,
    cwe: rule.cwe === null ? null : `CWE-${rule.cwe}`,
    title: change.title ?? rule.title,
    detail: rule.advice,
    file: tree.path,
    line,
    end_line: Math.max(line, tree.lineAt(Math.max(node.start, node.end - 1))),
  };
}

/** A call's function as text without spaces, and its arguments. */
export function callOf(tree: SourceTree, node: SyntaxNode): { name: string; values: SyntaxNode[] } {
  const callee = child(node, "function") ?? child(node, "constructor");
  const list = child(node, "arguments");
  return {
    name: callee === null ? "" : textOf(tree, callee).slice(0, 200).replace(/\s/g, ""),
    values: list === null ? [] : named(list),
  };
}

/** A shorthand for tables of rules. */
export function rule(
  id: string,
  kind: IssueClass,
  severity: Severity,
  cwe: Weakness | null,
  title: string,
  advice: string,
): CodeRule {
  return { id, class: kind, severity, cwe, title, advice };
}
