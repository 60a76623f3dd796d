/**
 * Stage 1 on JavaScript and TypeScript: ESLint's rules beside those of our own.
 *
 * @module
 */
import { Eslint } from "../eslint/eslint.ts";
import type { RawIssue } from "../finding.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { walk } from "../syntax/tree.ts";
import { classOfRule, RULES } from "./javascript_rules.ts";
import { lintingIssues } from "./linted.ts";

const COMMENTS = nodeTypes("comment");

const SUPPRESSION =
  /\b(eslint-disable|oxlint-disable|biome-ignore|deno-lint-ignore|nosemgrep|NOSONAR)\b|@ts-nocheck\b/;

const engine = new Eslint(RULES);

function suppressionsOf(tree: SourceTree): number[] {
  const lines: number[] = [];
  if (!SUPPRESSION.test(tree.text)) return lines;
  for (const node of walk(tree.root, COMMENTS)) {
    if (SUPPRESSION.test(textOf(tree, node).slice(0, 10_000))) {
      lines.push(tree.lineAt(node.start));
    }
  }
  return lines;
}

/**
 * What ESLint finds in a JavaScript or TypeScript file beyond `own`, the issues of our own rules
 * there; a string says why it cannot look at it.
 */
export async function eslintIssues(
  tree: SourceTree,
  own: readonly RawIssue[],
): Promise<RawIssue[] | string> {
  const checked = await engine.check(tree);
  if (checked === "overflow") return "nested too deeply for ESLint";
  const file = tree.path;
  const place = ({ cwe, line }: Pick<RawIssue, "cwe" | "line">) => `${cwe} ${line}`;
  const known = new Set(own.map(place));
  const issues = checked.findings.map(({ rule, message, line, endLine }): RawIssue => ({
    rule: rule ?? "invalid-syntax",
    ...classOfRule(rule),
    title: message.split("\n", 1)[0]!.replace(/\.$/, "").slice(0, 200),
    detail: message,
    file,
    line,
    end_line: endLine,
  })).filter((issue) => issue.cwe === null || !known.has(place(issue)));
  const { dropped } = checked;
  return [...issues, ...lintingIssues({ file, dropped, suppressions: suppressionsOf(tree) })];
}
