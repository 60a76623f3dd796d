/**
 * Queries that are put together as text, in the shapes that ruff's rule does not see: over several
 * lines, with `%` on a quoted place, by `replace`, with a computed table name.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { report, type Rule } from "../rule.ts";

const SQL: Rule = {
  id: "py/sql-text",
  severity: "medium",
  cwe: 89,
  advice: "Pass values as parameters of the query, and choose names from a fixed list",
};

const QUERY =
  /^[rfbuRFBU]*["']{1,3}(?:[^"'\n]{0,300}\n){0,3}\s*(select\s[\s\S]{1,1500}?[\s"']from\s|insert\s+into\s|update\s+\S{1,100}\s+set\s|delete\s+from\s|drop\s+(table|database)\s|with\s+\S{1,100}\s+as\s*\()/i;

/** Whether something that is not literal becomes part of a string. */
function isComputed(tree: SourceTree, node: SyntaxNode): boolean {
  if (node.children.some(({ type }) => type === "interpolation")) return true;
  let outer = node;
  while (
    outer.parent?.type === "concatenated_string" ||
    outer.parent?.type === "parenthesized_expression"
  ) {
    outer = outer.parent;
    if (outer.children.some((each) => each.children.some(({ type }) => type === "interpolation"))) {
      return true;
    }
  }
  const up = outer.parent;
  if (up?.type === "binary_operator") {
    const other = child(up, "left") === outer ? child(up, "right") : null;
    const operator = child(up, "operator")?.type;
    return (operator === "%" || operator === "+") && other !== null &&
      other.type !== "string" && other.type !== "concatenated_string";
  }
  if (up?.type !== "attribute" || up.parent?.type !== "call") return false;
  const method = child(up, "attribute");
  return method !== null && /^(format|replace)$/.test(textOf(tree, method));
}

const MAX_QUERY = 2000;

/** Where the expression ends that a string begins: a query may go on in the strings behind it. */
function endOf(node: SyntaxNode): number {
  let outer = node;
  while (
    outer.parent !== null &&
    /^(concatenated_string|parenthesized_expression|binary_operator)$/.test(outer.parent.type)
  ) outer = outer.parent;
  return outer.end;
}

/** Findings about queries of a file. */
export function sqlText(tree: SourceTree, strings: readonly SyntaxNode[]): RawFinding[] {
  const findings: RawFinding[] = [];
  for (const node of strings) {
    const text = tree.text.slice(node.start, Math.min(endOf(node), node.start + MAX_QUERY));
    const verb = QUERY.exec(text)?.[1];
    if (verb === undefined) continue;
    // Of adjacent strings, the first begins the query.
    if (isComputed(tree, node)) {
      // Names of tables cannot be parameters, and nothing is read or written here.
      const severity = /^drop/i.test(verb) ? "low" : SQL.severity;
      findings.push(report(SQL, tree, node, "A query is built as text", severity));
    }
  }
  return findings;
}

/** Every rule of this module. */
export const SQL_RULES: readonly Rule[] = [SQL];
