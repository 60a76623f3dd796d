/**
 * Credentials that no line of the source holds whole: joined from parts, formatted, reversed, decoded.
 * What such an expression gives is read by the rules for secrets in files.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { elsewhere } from "../../python/values/elsewhere.ts";
import { fold, foldText, type Outside } from "../../python/values/folding.ts";
import type { Folded } from "../../python/values/folding_calls.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import type { PythonNames } from "../../python/names.ts";
import { findAssignments } from "../../secrets/assignments.ts";
import { isPublished } from "../../secrets/documented.ts";
import { findFormats } from "../../secrets/formats/formats.ts";
import type { FileFacts, Match } from "../../secrets/match.ts";
import { findKeys } from "../../secrets/pem.ts";
import { findTokens } from "../../secrets/tokens.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { report, type Rule, rule } from "../rule.ts";

const ASSEMBLED = rule(
  "py/assembled-secret",
  "high",
  798,
  "Revoke it at its issuer, remove it from the files and the history, and read it from the environment",
);

/** Every rule of this module. */
export const ASSEMBLED_RULES: readonly Rule[] = [ASSEMBLED];

/** Shorter texts are no keys; longer ones are no keys either, but for private ones. */
const [MIN_TEXT, MAX_TEXT] = [12, 6_000];
const MAX_SOURCE = 20_000;
/** Expressions of one module that are computed. */
const MAX_FOLDED = 3_000;
/** Calls that put texts together, or decode them. */
const MAKES =
  /(?:\.(?:join|format|decode|replace|translate|fromhex|hex|strip|removeprefix|removesuffix)|(?:^|\.)(?:[ab]\d{2}decode|urlsafe_b64decode|standard_b64decode|unhexlify|a2b_\w+|str|bytes|bytearray|unquote))$/;
/** What is worth a look: literals, or names that may stand for some. */
const HAS_TEXT = /["']/;
const NAMES_ONLY = /^[A-Za-z_][\w.]*(?:\(\))?(?:\s*\+\s*[A-Za-z_][\w.]*(?:\(\))?)+$/;
const MAKES_TEXTS = nodeTypes("subscript", "augmented_assignment");
const PART = /^(binary_operator|call|attribute|argument_list|subscript|concatenated_string)$/;

/** The name that an expression is given, or goes by. */
function nameOf(names: PythonNames, node: SyntaxNode): string {
  for (let at = node, up = node.parent; up !== null; at = up, up = up.parent) {
    const target = up.type === "assignment"
      ? child(up, "left")
      : up.type === "keyword_argument" || /_parameter$/.test(up.type)
      ? child(up, "name")
      : up.type === "pair"
      ? child(up, "key")
      : null;
    if (target !== null && target.number !== at.number) {
      const [name] = /\w+(?=\W*$)/.exec(textOf(names.tree, target).slice(-100)) ?? [];
      return name ?? "value";
    }
    if (!PART.test(up.type) && !/^(boolean_operator|parenthesized_expression)$/.test(up.type)) {
      break;
    }
  }
  return "value";
}

function plainText(value: Folded | undefined): string | null {
  if (typeof value === "string") return value;
  if (!(value instanceof Uint8Array)) return null;
  const text = new TextDecoder("latin1").decode(value);
  return /^[\x20-\x7e\n\r\t]*$/.test(text) ? text : null;
}

function credentialIn(path: string, name: string, text: string): Match | undefined {
  const facts: FileFacts = {
    path,
    tests: false,
    damped: false,
    filledIn: false,
    checksums: false,
    settings: false,
  };
  const written = `${name} = "${text}"`;
  return [
    ...findKeys(written, facts),
    ...findFormats(written),
    ...findTokens(written, facts),
    ...text.includes('"') || text.includes("\n") ? [] : findAssignments(written, facts),
  ].find(({ severity, value }) => severity !== "info" && !isPublished(value));
}

/** Whether the rules find a credential in the source as it is written. */
function isWhole(source: string, value: string): boolean {
  return source.includes(`"${value}"`) || source.includes(`'${value}'`) ||
    source.includes(value) && findFormats(source).some((each) => each.value === value);
}

class Looking {
  readonly findings: RawFinding[] = [];
  #left = MAX_FOLDED;

  constructor(readonly names: PythonNames, readonly outside?: Outside) {}

  /** With what other modules give: only what the module alone does not say. */
  #fold(node: SyntaxNode): Folded | undefined {
    const own = fold(this.names, node);
    if (this.outside === undefined) return own;
    return own === undefined ? fold(this.names, node, this.outside) : undefined;
  }

  /** What an expression gives, if it is more than the expression says in one piece. */
  look(node: SyntaxNode, given?: string): void {
    const { tree } = this.names;
    if (node.end - node.start > MAX_SOURCE) return;
    const source = textOf(tree, node);
    if (given === undefined && !HAS_TEXT.test(source) && !NAMES_ONLY.test(source)) {
      if (!/\[\s*\d/.test(source) && !MAKES.test(source.replace(/\([\s\S]*$/, ""))) return;
    }
    if (this.#left-- <= 0) return;
    const text = given ?? plainText(this.#fold(node));
    if (text === null || text.length < MIN_TEXT || text.length > MAX_TEXT) return;
    const match = credentialIn(tree.path, nameOf(this.names, node), text);
    // What stands there whole is found where secrets are searched.
    if (match === undefined || isWhole(source, match.value)) return;
    const title = `${match.title}: computed or decoded in the source`;
    this.findings.push(report(ASSEMBLED, tree, node, title));
  }
}

/** Whether an expression is only a part of one that is looked at. */
function isPart(node: SyntaxNode): boolean {
  return node.parent?.type === "binary_operator" || node.parent?.type === "concatenated_string" ||
    node.parent?.type === "attribute";
}

/** `key = "a"`, then `key += "b"`: the whole text, by the last statement. */
function grownTexts(names: PythonNames, statements: readonly SyntaxNode[]): [SyntaxNode, string][] {
  const texts = new Map<string, { node: SyntaxNode; text: string | null }>();
  for (const node of statements) {
    const left = child(node, "left");
    const right = child(node, "right");
    if (left === null || right === null) continue;
    const scope = ancestor(node, "function_definition", "lambda")?.number ?? 0;
    const key = `${scope}\0${textOf(names.tree, left)}`;
    const before = texts.get(key);
    const start = before === undefined ? startOf(names, node, left) : before.text;
    const added = start === null ? null : foldText(names, right);
    texts.set(key, { node, text: added === null || start === null ? null : start + added });
  }
  return [...texts.values()].flatMap(({ node, text }) => text === null ? [] : [[node, text]]);
}

/** The text that a name has right before it grows. */
function startOf(names: PythonNames, node: SyntaxNode, left: SyntaxNode): string | null {
  const name = textOf(names.tree, left);
  for (let at = node.parent; at !== null; at = at.parent) {
    const before = at.parent?.children.findLast((each) => {
      const [inner] = each.type === "expression_statement" ? each.children : [];
      const target = inner?.type === "assignment" ? child(inner, "left") : null;
      return each.start < node.start && target !== null && textOf(names.tree, target) === name;
    });
    const value = before === undefined ? null : child(before.children[0]!, "right");
    if (value !== null) return foldText(names, value);
  }
  return null;
}

const JOINS = nodeTypes("binary_operator", "string", "call");

/** Credentials that are joined from what other modules, or functions, of the project give. */
export function keysFromElsewhere(names: PythonNames): RawFinding[] {
  const looking = new Looking(names, elsewhere(names));
  for (const node of walk(names.tree.root, JOINS)) {
    const called = node.type === "call" ? child(node, "function") : null;
    const isCandidate = node.type === "call"
      ? called !== null && MAKES.test(textOf(names.tree, called).slice(-200))
      : node.type === "binary_operator" ||
        node.children.some(({ type }) => type === "interpolation");
    if (isCandidate && !isPart(node)) looking.look(node);
  }
  return looking.findings;
}

/** Findings of a module. */
export function pythonAssembledKeys(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const { text, root } = names.tree;
  const looking = new Looking(names);
  for (const node of nodes.of("binary_operator")) if (!isPart(node)) looking.look(node);
  for (const { node, expression } of nodes.calls) {
    const called = textOf(names.tree, expression).slice(-200);
    if (!isPart(node) && MAKES.test(called)) looking.look(node);
  }
  for (const node of nodes.of("string")) {
    const isFormatted = /^[rRbB]?[fF]/.test(text.slice(node.start, node.start + 2)) &&
      node.children.some(({ type }) => type === "interpolation");
    if (isFormatted && !isPart(node)) looking.look(node);
    if (
      node.parent?.type === "concatenated_string" && node.parent.children[0]?.number === node.number
    ) {
      if (!isPart(node.parent)) looking.look(node.parent);
    }
  }
  if (/\[[^\]\n]*:|\+=/.test(text)) {
    const grown: SyntaxNode[] = [];
    for (const node of walk(root, MAKES_TEXTS)) {
      if (node.type === "augmented_assignment") {
        if (child(node, "operator")?.type === "+=" || textOf(names.tree, node).includes("+=")) {
          grown.push(node);
        }
      } else if (!isPart(node) && /:[^\]]*\]$/.test(textOf(names.tree, node).slice(-50))) {
        looking.look(node);
      }
    }
    for (const [node, whole] of grownTexts(names, grown)) looking.look(node, whole);
  }
  return looking.findings;
}
