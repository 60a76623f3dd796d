/**
 * Checks after which a caller's word counts as harmless: a list of allowed values, a pattern, a
 * function that checks. Heuristic on purpose: a scan that cries wolf is not read.
 *
 * @module
 */
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { type CheckReader, clears } from "./checkers.ts";

const IDENTIFIERS = nodeTypes("identifier");
const ENDINGS = nodeTypes("raise_statement", "return_statement");
const IFS = nodeTypes("if_statement");
const CHECKING = nodeTypes("if_statement", "call");
const LATER = nodeTypes("lambda", "function_definition", "generator_expression");
const LISTS = nodeTypes("list_comprehension");
const LOOPS = nodeTypes("for_statement");
const ASSIGNMENTS = nodeTypes("assignment", "augmented_assignment");
/** A list of texts without any part that is computed. */
const LITERAL = /^\[\s*("[^"{}\\]*"|'[^'{}\\]*')?\s*\]$/;

const CHECKS =
  /\bnot\s+in\b|\bre\.(full)?match\(|\.(full)?match\(|\.is(alnum|digit|numeric|identifier|alpha)\(|is_relative_to\(|commonpath\(|relative_to\(|\.startswith\(/;
/** A condition that holds for what is refused; any other is true of what is allowed. */
const REFUSES = /\bnot\b|\bis\s+None\b|!=|==\s*(None|False)\b/;

function namesIn(names: PythonNames, node: SyntaxNode): string[] {
  const found: string[] = [];
  for (const each of walk(node, IDENTIFIERS)) found.push(textOf(names.tree, each));
  return found;
}

function ends(body: SyntaxNode | null): boolean {
  if (body === null) return false;
  for (const _ of walk(body, ENDINGS)) return true;
  return false;
}

/** The names of a condition that it checks: of one for what is allowed, those that are used there. */
function checkedBy(names: PythonNames, node: SyntaxNode): string[] {
  const condition = child(node, "condition");
  const consequence = child(node, "consequence");
  if (condition === null || consequence === null || !ends(consequence)) return [];
  const text = textOf(names.tree, condition).slice(0, 2000);
  if (!CHECKS.test(text)) return [];
  const found = namesIn(names, condition);
  if (REFUSES.test(text)) return found;
  const used = new Set(namesIn(names, consequence));
  return found.filter((name) => used.has(name));
}

/** What the name is followed by where all of it is checked; joining characters may be taken away. */
const KEEPS =
  /^(\.(lower|upper)\(\)|\.replace\(\s*(["'])[_.$]\3\s*,\s*(["'])\4\s*\))*\.is(alnum|alpha|decimal|digit|identifier|numeric)\(\)$/;

/** Whether a condition lets only plain words through as `name`. */
function letsThrough(condition: string, name: string): boolean {
  return !/\b(or|not|if|for|lambda)\b|:=/.test(condition) &&
    condition.split(/\band\b/).map((part) => part.trim())
      .some((part) => part.startsWith(name) && KEEPS.test(part.slice(name.length)));
}

/** Whether a value is a list of those items of another that a check lets through. */
function keepsChecked(names: PythonNames, value: SyntaxNode): boolean {
  if (value.type !== "list_comprehension") return false;
  const parts = named(value);
  const item = parts[0];
  const clause = parts.find(({ type }) => type === "for_in_clause");
  const left = clause === undefined ? null : child(clause, "left");
  if (item?.type !== "identifier" || left === null) return false;
  const name = textOf(names.tree, item);
  if (textOf(names.tree, left) !== name) return false;
  return parts.some((each) => {
    const condition = each.type === "if_clause" ? textOf(names.tree, each).slice(2).trim() : "";
    return letsThrough(condition, name);
  });
}

/** Names of lists that hold nothing but checked items, or a text of the source in place of them. */
function filtered(names: PythonNames, body: SyntaxNode): string[] {
  const kept = new Map<string, { checked: boolean; others: boolean }>();
  for (const node of walk(body, ASSIGNMENTS)) {
    const left = child(node, "left");
    const right = child(node, "right");
    if (left?.type !== "identifier" || right === null) continue;
    const name = textOf(names.tree, left);
    const before = kept.get(name) ?? { checked: false, others: false };
    const isChecked = node.type === "assignment" && keepsChecked(names, right);
    const isPlain = node.type === "assignment" && LITERAL.test(textOf(names.tree, right));
    kept.set(name, {
      checked: before.checked || isChecked,
      others: before.others || !isChecked && !isPlain,
    });
  }
  const found = [...kept].filter(([, { checked, others }]) => checked && !others);
  if (found.length === 0) return [];
  const text = textOf(names.tree, body);
  return found.map(([name]) => name)
    .filter((name) =>
      !new RegExp(`\\b${name}(\\.(append|extend|insert)\\b|\\[[^\\]]*\\]\\s*=)`).test(text)
    );
}

const BINDING = nodeTypes("assignment", "augmented_assignment", "named_expression", "as_pattern");

/** Whether something in a body runs when the loop's name has another value already. */
function isLater(body: SyntaxNode): boolean {
  for (const _ of walk(body, LATER)) return true;
  return false;
}

/**
 * Names of a loop that it uses only where a check has let them through: `for key in given`,
 * `if key.isidentifier(): keys.append(key)`.
 */
function usedChecked(names: PythonNames, body: SyntaxNode): string[] {
  const inside = new Map<string, [from: number, to: number][]>();
  const add = (name: string, from: number, to: number) =>
    inside.set(name, [...inside.get(name) ?? [], [from, to]]);
  for (const node of walk(body, IFS)) {
    const [condition, consequence] = [child(node, "condition"), child(node, "consequence")];
    if (condition === null || consequence === null) continue;
    const text = textOf(names.tree, condition);
    const name = /^\w+/.exec(text)?.[0];
    if (name === undefined || !letsThrough(text, name) || isLater(consequence)) continue;
    add(name, condition.start, consequence.end);
  }
  // A list of checked names has a variable of its own, whatever that is called.
  for (const node of inside.size === 0 ? [] : walk(body, LISTS)) {
    if (keepsChecked(names, node)) add(textOf(names.tree, named(node)[0]!), node.start, node.end);
  }
  if (inside.size === 0) return [];
  const given = new Set<string>();
  for (const node of walk(body, BINDING)) {
    const target = child(node, "left") ?? child(node, "name") ?? child(node, "alias") ?? node;
    for (const name of namesIn(names, target)) given.add(name);
  }
  const looped = new Set<number>();
  for (const node of walk(body, LOOPS)) {
    for (const each of walk(child(node, "left")!, IDENTIFIERS)) looped.add(each.number);
  }
  const loose = new Set<string>(given);
  const seen = new Set<string>();
  for (const node of walk(body, IDENTIFIERS)) {
    const name = textOf(names.tree, node);
    if (looped.has(node.number)) seen.add(name);
    else if (!inside.get(name)?.some(([from, to]) => node.start >= from && node.end <= to)) {
      loose.add(name);
    }
  }
  return [...inside.keys()].filter((name) => seen.has(name) && !loose.has(name));
}

const EXISTS =
  /sqlite_master|sqlite_schema|information_schema|pg_(tables|class|catalog|namespace|views)|sys\.(tables|objects|columns|schemas)|all_tables|user_tables|\bshow\s+(tables|databases|columns)\b/i;

/**
 * Names that a query looks up as bound values before the function goes on: `SELECT name FROM
 * sqlite_master WHERE name = ?`, and an error where there is none.
 */
function lookedUp(names: PythonNames, call: SyntaxNode, body: SyntaxNode): string[] {
  const text = textOf(names.tree, call).slice(0, 2000);
  if (!/\bexecute\w*\(|\bfetch\w*\(/.test(text) || !EXISTS.test(text)) return [];
  const [query, values] = argumentsOf(names.tree, call).positional;
  if (query === undefined || values === undefined || stringValue(names.tree.text, query) === null) {
    return [];
  }
  const refused = [...walk(body, IFS)].some((each) => {
    const condition = child(each, "condition");
    return each.start > call.start && condition !== null &&
      /\bnot\b|\bis\s+None\b|==\s*0/.test(textOf(names.tree, condition)) &&
      ends(child(each, "consequence"));
  });
  return refused ? namesIn(names, values) : [];
}

type Guarded = Map<number, ReadonlySet<string>>;
const known = new WeakMap<CheckReader["find"], WeakMap<PythonNames, Guarded>>();

function guardedIn({ names, find }: CheckReader): Guarded {
  let modules = known.get(find);
  if (modules === undefined) known.set(find, modules = new WeakMap());
  let bodies = modules.get(names);
  if (bodies === undefined) modules.set(names, bodies = new Map());
  return bodies;
}

/** Names that a function checks before it uses them. */
export function guardedNames(reader: CheckReader, body: SyntaxNode): ReadonlySet<string> {
  const bodies = guardedIn(reader);
  let found = bodies.get(body.number);
  if (found === undefined) bodies.set(body.number, found = readGuarded(reader, body));
  return found;
}

function readGuarded(reader: CheckReader, body: SyntaxNode): Set<string> {
  const { names } = reader;
  const guarded = new Set<string>([...filtered(names, body), ...usedChecked(names, body)]);
  for (const node of walk(body, CHECKING)) {
    if (node.type === "if_statement") {
      for (const name of checkedBy(names, node)) guarded.add(name);
      continue;
    }
    const list = child(node, "arguments");
    if (list === null) continue;
    for (const name of lookedUp(names, node, body)) guarded.add(name);
    if (!clears(reader, node)) continue;
    for (const name of namesIn(names, list)) guarded.add(name);
  }
  return guarded;
}
