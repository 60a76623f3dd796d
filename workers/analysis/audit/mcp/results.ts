/**
 * Texts in the code behind tools that are made to mislead who reads a result: orders to the model,
 * and lures for people (an urgent request to verify an account, beside a link).
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { stringValue as javascriptString } from "../../javascript/literals.ts";
import { stringValue as pythonString } from "../../python/values/literals.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { isDocstring } from "../../python/values/docstrings.ts";
import { report, type Rule } from "../rule.ts";
import { anyHidden, hiddenIn } from "./hidden.ts";
import { gravityOf, instructionsIn } from "./instructions.ts";
import { familyOf } from "./family.ts";

const ORDERS: Rule = {
  id: "mcp/instructions-in-text",
  severity: "medium",
  cwe: 1427,
  advice: "Return data in results, and leave decisions to the user and the model",
};
const LURE: Rule = {
  id: "mcp/lure",
  severity: "medium",
  cwe: 1021,
  advice: "Do not speak in the name of the user's bank, mail service or machine",
};

const MIN_LENGTH = 20;
const MAX_LENGTH = 8000;
const LURES =
  /\b(verify|confirm|update|validate|unlock)\b.{0,40}\b(account|payment|billing|password|identity|card)\b|\b(account|payment|card)\b.{0,40}\b(suspen|verif|declined|attention|expire)|\byou('ve| have)? won\b.{0,40}\b(prize|gift|\$)|\b(device|computer|system) (is|has been) (infected|compromised)\b/i;
const PROGRAM = /^https?:\/\/\S{1,200}\.(exe|scr|msi|dmg|apk|bat|ps1)$/i;
const LINK = /https?:\/\//;
/** The longest expression in which words and a link belong together. */
const MAX_EXPRESSION = 1500;

/** Patterns of programs that look for such texts. */
const EXPRESSION = /\\[sbdwSW]|\(\?|\.[*+{]|\[\^?\w-\w|\w\|\w/;

const STRINGS = nodeTypes("string", "template_string");

function literal(tree: SourceTree, node: SyntaxNode): string | null {
  const read = familyOf(tree) === "python" ? pythonString : javascriptString;
  return read(tree.text, node);
}

/** The text of the expression (a table, a sum) that a string is part of. */
function expressionAround(tree: SourceTree, node: SyntaxNode): string {
  let outer = node;
  for (let up = node.parent; up !== null; up = up.parent) {
    if (/block|module|program|statement|body/.test(up.type) || up.end - up.start > MAX_EXPRESSION) {
      break;
    }
    outer = up;
  }
  return tree.text.slice(outer.start, outer.end);
}

const FOR_MODEL = /^(instructions|description|__doc__)$/;

/** `FastMCP(instructions=…)`, `tool.description = …`, `f.__doc__ += …`: what the model surely gets. */
function isForModel(tree: SourceTree, node: SyntaxNode): boolean {
  let at = node;
  while (
    /^(binary_operator|parenthesized_expression|concatenated_string)$/.test(at.parent?.type ?? "")
  ) {
    at = at.parent!;
  }
  const { parent } = at;
  const name = parent?.type === "keyword_argument"
    ? child(parent, "name")
    : /^(augmented_)?assignment$/.test(parent?.type ?? "") && at.field === "right"
    ? child(parent!, "left")
    : null;
  if (name === null) return false;
  // A variable of this name may be anything.
  if (/assignment$/.test(parent!.type) && name.type !== "attribute") return false;
  return FOR_MODEL.test(tree.text.slice(name.start, name.end).split(".").at(-1)!);
}

function ofText(tree: SourceTree, node: SyntaxNode, text: string): RawFinding | null {
  const hidden = hiddenIn(text);
  if (hidden.tags !== "" && anyHidden(hidden)) {
    return report(ORDERS, tree, node, "A text contains invisible tag characters", "high");
  }
  const found = instructionsIn(text);
  if (found.score >= 4) {
    const severity = isForModel(tree, node) ? gravityOf(found) : ORDERS.severity;
    return report(ORDERS, tree, node, `A text ${found.signals.join(", ")}`, severity);
  }
  if (LURES.test(text) && LINK.test(expressionAround(tree, node))) {
    return report(LURE, tree, node, "A text urges its reader to follow a link");
  }
  return PROGRAM.test(text)
    ? report(LURE, tree, node, "A text links to a program to download", "low")
    : null;
}

/** A text that misleads, and the number of its node. */
export interface MisleadingText {
  node: number;
  finding: RawFinding;
}

/** Strings of a file that mislead, those that tools declare among them. */
export function misleadingTexts(tree: SourceTree): MisleadingText[] {
  if (!/^(python|javascript)$/.test(familyOf(tree))) return [];
  const found: MisleadingText[] = [];
  for (const node of walk(tree.root, STRINGS)) {
    const length = node.end - node.start;
    if (length < MIN_LENGTH || length > MAX_LENGTH) continue;
    const text = literal(tree, node);
    if (
      text === null || EXPRESSION.test(text) || (node.parent !== null && isDocstring(node.parent))
    ) continue;
    const finding = ofText(tree, node, text);
    if (finding !== null) found.push({ node: node.number, finding });
  }
  return found;
}

/** Every rule of this module. */
export const TEXT_RULES: readonly Rule[] = [ORDERS, LURE];
