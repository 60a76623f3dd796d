/**
 * Python that uses up the machine it runs on: processes, threads and files without end, recursion
 * that nothing stops, sizes that a caller chooses, patterns that backtrack exponentially.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { stringValue } from "../../python/values/literals.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import { argumentsOf, dottedText, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { parametersOf } from "../flow/parameters.ts";
import { report, type Rule } from "../rule.ts";

const SIZES = nodeTypes("integer", "identifier");

const STARTS: Rule = {
  id: "py/starts-without-end",
  severity: "medium",
  cwe: 770,
  advice: "Limit their number, and end or close each of them",
};
const RECURSION: Rule = {
  id: "py/endless-recursion",
  severity: "medium",
  cwe: 674,
  advice: "Give the function a case in which it stops calling itself",
};
const SIZE: Rule = {
  id: "py/unbounded-size",
  severity: "medium",
  cwe: 789,
  advice: "Reject sizes above what the tool needs",
};
const WORK: Rule = {
  id: "py/needless-work",
  severity: "medium",
  cwe: 400,
  advice: "Limit the work of one call",
};
const PATTERN: Rule = {
  id: "py/slow-pattern",
  severity: "medium",
  cwe: 1333,
  advice: "Do not nest repetitions: (a+)+ takes exponential time on text that does not match",
};

const STARTING =
  /^(os\.(fork|pipe|open)|subprocess\.Popen|threading\.Thread|multiprocessing\.Process|socket\.socket|open)$/;
/** Fewer than these are no attack. */
const MANY_STARTED = 1000;
const MUCH_WORK = 1_000_000;
const MUCH_MEMORY = 10_000_000;

/** The value of a number, or of products and powers of numbers; null for anything else. */
function numberOf(names: PythonNames, node: SyntaxNode, depth = 0): number | null {
  if (depth > 8) return null;
  if (node.type === "integer" || node.type === "float") {
    const value = Number(textOf(names.tree, node).replaceAll("_", ""));
    return Number.isFinite(value) ? value : null;
  }
  if (node.type === "parenthesized_expression") {
    const [inner] = named(node);
    return inner === undefined ? null : numberOf(names, inner, depth + 1);
  }
  if (node.type !== "binary_operator") return null;
  const [left, right] = [child(node, "left"), child(node, "right")];
  const operator = child(node, "operator")?.type;
  const a = left === null ? null : numberOf(names, left, depth + 1);
  const b = a === null || right === null ? null : numberOf(names, right, depth + 1);
  if (a === null || b === null) return null;
  if (operator === "*") return a * b;
  return operator === "**" ? a ** b : null;
}

/** How often a `for … in range(n)` runs: a number, `caller` for a parameter, else null. */
function rounds(names: PythonNames, loop: SyntaxNode): number | "caller" | null {
  const over = child(loop, "right");
  const callee = over?.type === "call" ? child(over, "function") : null;
  if (over === null || callee === null || textOf(names.tree, callee) !== "range") return null;
  const end = argumentsOf(names.tree, over).positional.slice(0, 2).at(-1);
  if (end === undefined) return null;
  const value = numberOf(names, end);
  if (value !== null) return value;
  return end.type === "identifier" && isParameter(names, end) ? "caller" : null;
}

function isParameter(names: PythonNames, node: SyntaxNode): boolean {
  const within = ancestor(node, "function_definition");
  const name = textOf(names.tree, node);
  return within !== null && parametersOf(names, within).some((each) => each.name === name);
}

/** Nodes of a body without those of functions and lambdas in it. */
function* ownNodes(body: SyntaxNode): Generator<SyntaxNode> {
  const stack = [body];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (const each of node.children) {
      if (each.type !== "function_definition" && each.type !== "lambda") stack.push(each);
    }
  }
}

function startsIn(names: PythonNames, body: SyntaxNode): string | null {
  for (const node of ownNodes(body)) {
    const callee = node.type === "call" ? child(node, "function") : null;
    const name = callee === null ? undefined : calleeOf(names, callee)?.name;
    if (name === undefined || !STARTING.test(name)) continue;
    // `with open(…)` closes what it opens.
    if (ancestor(node, "with_item", "function_definition")?.type !== "with_item") return name;
  }
  return null;
}

function loop(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const body = child(node, "body");
  if (body === null) return null;
  const condition = node.type === "while_statement" ? child(node, "condition") : null;
  const endless = condition !== null && /^(True|1)$/.test(textOf(names.tree, condition));
  const count = node.type === "for_statement" ? rounds(names, node) : null;
  const many = count === "caller" || (count !== null && count >= MANY_STARTED);
  if (endless || many) {
    const started = startsIn(names, body);
    if (started === "os.fork" || (started !== null && many)) {
      return report(STARTS, names.tree, node, `A loop calls ${started} without end`);
    }
  }
  return typeof count === "number" && count >= MUCH_WORK
    ? report(WORK, names.tree, node, `A loop runs ${count} times, whatever the arguments`)
    : null;
}

const CONDITIONS =
  /^(if_statement|conditional_expression|match_statement|try_statement|while_statement|for_statement|for_in_clause|boolean_operator|with_statement)$/;

/** Whether a statement gives the name another meaning: an import, an assignment. */
function rebinds(names: PythonNames, node: SyntaxNode, own: string): boolean {
  if (/^import_(from_)?statement$/.test(node.type)) {
    return textOf(names.tree, node).split(/\W+/).includes(own);
  }
  const left = node.type === "assignment" ? child(node, "left") : null;
  return left !== null && textOf(names.tree, left).split(/\W+/).includes(own);
}

/** A function that calls itself on every way through it. */
function recursion(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const name = child(node, "name");
  const body = child(node, "body");
  if (name === null || body === null) return null;
  const own = textOf(names.tree, name);
  const method = ancestor(node, "class_definition", "function_definition")?.type ===
    "class_definition";
  if (!method && parametersOf(names, node).some((each) => each.name === own)) return null;
  let again: SyntaxNode | null = null;
  for (const each of ownNodes(body)) {
    if (CONDITIONS.test(each.type) || rebinds(names, each, own)) return null;
    const callee = each.type === "call" ? child(each, "function") : null;
    if (callee === null) continue;
    const dotted = dottedText(names.tree, callee);
    if (dotted === (method ? `self.${own}` : own)) again = each;
  }
  return again === null ? null : report(RECURSION, names.tree, again, `${own} always calls itself`);
}

/** `"x" * n`, `[0] * n` with much of it, or with as much as a caller wants. */
function repetition(names: PythonNames, node: SyntaxNode): RawFinding | null {
  if (child(node, "operator")?.type !== "*") return null;
  const [left, right] = [child(node, "left"), child(node, "right")];
  if (left === null || right === null || !/^(string|list)$/.test(left.type)) return null;
  const count = numberOf(names, right);
  if (count !== null) {
    return count >= MUCH_MEMORY
      ? report(SIZE, names.tree, node, `${count} elements are created at once`)
      : null;
  }
  let factor = 1;
  let parameter: string | null = null;
  for (const each of walk(right, SIZES)) {
    if (each.type === "integer") factor *= numberOf(names, each) ?? 1;
    if (each.type === "identifier" && isParameter(names, each)) {
      parameter = textOf(names.tree, each);
    }
  }
  return parameter !== null && factor >= MUCH_WORK
    ? report(SIZE, names.tree, node, `Parameter "${parameter}" is a size in megabytes`)
    : null;
}

/** One repeated atom in a group that is repeated itself. */
const NESTED = /\((\?:)?(\[[^\]\n]{1,60}\]|\\?[\w.])[+*]\)[+*]/;
const MAX_PATTERN = 500;

function pattern({ tree }: PythonNames, node: SyntaxNode): RawFinding | null {
  if (node.end - node.start >= MAX_PATTERN || !textOf(tree, node).includes(")")) return null;
  return NESTED.test(stringValue(tree.text, node) ?? "")
    ? report(PATTERN, tree, node, "A pattern has nested repetitions")
    : null;
}

function limit(names: PythonNames, { node, callee, given }: ModuleCall): RawFinding | null {
  if (callee?.name !== "sys.setrecursionlimit") return null;
  const [first] = given.positional;
  const value = first === undefined ? null : numberOf(names, first);
  return value !== null && value >= 100_000
    ? report(RECURSION, names.tree, node, "The recursion limit is lifted")
    : null;
}

/** Findings of a module. */
export function pythonCosts(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  return [
    ...nodes.of("for_statement", "while_statement").map((each) => loop(names, each)),
    ...nodes.of("function_definition").map((each) => recursion(names, each)),
    ...nodes.of("binary_operator").map((each) => repetition(names, each)),
    ...nodes.of("string").map((each) => pattern(names, each)),
    ...nodes.calls.map((each) => limit(names, each)),
  ].filter((each) => each !== null);
}

/** Every rule of this module. */
export const COST_RULES: readonly Rule[] = [STARTS, RECURSION, SIZE, WORK, PATTERN];
