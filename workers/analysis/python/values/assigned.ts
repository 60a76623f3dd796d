/**
 * What names of a module may stand for: every value that is assigned to them anywhere, told apart by
 * the function in which that happens. Read when a rule asks for the first time.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { dottedText, type PythonNames } from "../names.ts";
import { cannotReach } from "./branches.ts";
import { statedRows } from "./stated_rows.ts";

/** A value that a name is given; null for one that the source does not say. */
interface Assigned {
  value: number | null;
  /** Whether the name is something that the value gives: `with open(p) as f`. */
  indirect?: true;
  /** Number of the function in which the name has it; 0 for the module and its classes. */
  scope: number;
  /** Number of what assigns it. */
  by: number;
}

interface Assignments {
  byName: ReadonlyMap<string, readonly Assigned[]>;
  /** Names that functions share with what is around them. */
  shared: ReadonlySet<string>;
}

/** Values of a name in one function. */
const MAX_VALUES = 64;
const NAMING = nodeTypes(
  "assignment",
  "augmented_assignment",
  "named_expression",
  "default_parameter",
  "typed_default_parameter",
  "for_statement",
  "for_in_clause",
  "as_pattern",
);
const GLOBALS = nodeTypes("global_statement", "nonlocal_statement");
const FUNCTIONS = ["function_definition", "lambda"];
const ROWS = /^(list|tuple|set|pattern_list|tuple_pattern|list_pattern|expression_list)$/;

const known = new WeakMap<SourceTree, Assignments>();

/** The expression behind brackets, `x := …` and `a = b = …`. */
export function plainValue(node: SyntaxNode): SyntaxNode {
  let at = node;
  for (;;) {
    const inner = at.type === "parenthesized_expression"
      ? named(at)[0]
      : at.type === "named_expression"
      ? child(at, "value")
      : at.type === "assignment"
      ? child(at, "right")
      : at.type === "await"
      ? named(at)[0]
      : null;
    if (inner === null || inner === undefined) return at;
    at = inner;
  }
}

/** Names that functions share with what is around them. */
function sharedIn(tree: SourceTree): Set<string> {
  return new Set(
    [...walk(tree.root, GLOBALS)].flatMap(named).map((each) => textOf(tree, each)),
  );
}

function read(tree: SourceTree): Assignments {
  const found = new Map<string, Assigned[]>();
  const shared = sharedIn(tree);
  const counts = new Map<string, number>();

  function add(
    name: string,
    value: SyntaxNode | null,
    around: SyntaxNode,
    indirect?: true,
  ): void {
    const list = found.get(name) ?? [];
    found.set(name, list);
    const scope = shared.has(name) ? 0 : ancestor(around, ...FUNCTIONS)?.number ?? 0;
    const place = `${name} ${scope}`;
    const count = counts.get(place) ?? 0;
    if (count >= MAX_VALUES) return;
    counts.set(place, count + 1);
    const given = value === null ? null : plainValue(value).number;
    const held = { value: given, scope, by: around.number };
    list.push(indirect ? { ...held, indirect } : held);
  }

  function bind(target: SyntaxNode, value: SyntaxNode | null, around: SyntaxNode): void {
    if (target.type === "identifier") {
      const name = textOf(tree, target);
      const holder = around.parent?.parent?.parent;
      const cls = holder?.type === "class_definition" ? child(holder, "name") : null;
      add(cls === null ? name : `${textOf(tree, cls)}.${name}`, value, around);
    } else if (target.type === "attribute") {
      const name = dottedText(tree, target);
      // An object's attribute is everywhere the same.
      if (name !== null) add(name, value, tree.root);
    } else if (ROWS.test(target.type)) {
      const targets = named(target);
      const values = value !== null && ROWS.test(value.type) ? named(value) : [];
      const matches = values.length === targets.length &&
        !targets.concat(values).some(({ type }) => /splat/.test(type));
      targets.forEach((each, at) => bind(each, matches ? values[at]! : null, around));
    }
  }

  const loops: SyntaxNode[] = [];
  for (const node of walk(tree.root, NAMING)) {
    if (node.type === "assignment" || node.type === "augmented_assignment") {
      const left = child(node, "left");
      const right = node.type === "assignment" ? child(node, "right") : null;
      if (left === null || (right === null && node.type === "assignment")) continue;
      bind(left, right, node);
    } else if (node.type === "for_statement" || node.type === "for_in_clause") {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left === null) continue;
      if (right?.type === "identifier" && node.type === "for_statement") loops.push(node);
      else {
        const rows = right !== null && ROWS.test(right.type) ? named(right) : [null];
        for (const row of rows) bind(left, row, node);
      }
    } else if (node.type === "as_pattern") {
      const alias = child(node, "alias");
      const target = alias === null ? null : named(alias)[0] ?? alias;
      const entered = node.parent?.type === "with_item" ? named(node)[0] : undefined;
      if (entered === undefined || plainValue(entered).type !== "call") {
        if (target !== null) bind(target, null, node);
      } else if (target?.type === "identifier") {
        add(textOf(tree, target), entered, node, true);
      } else if (target !== null) bind(target, null, node);
    } else {
      const name = child(node, "name");
      const value = child(node, "value");
      const inside = node.type === "named_expression" ? node : child(node, "value") ?? node;
      if (name !== null) bind(name, value, inside);
    }
  }
  const stated = statedRows(tree, loops);
  for (const loop of loops) {
    for (const row of stated.get(loop.number) ?? [null]) bind(child(loop, "left")!, row, loop);
  }
  return { byName: found, shared };
}

function assignedIn(names: PythonNames): Assignments {
  const { tree } = names;
  let assignments = known.get(tree);
  if (assignments === undefined) known.set(tree, assignments = read(tree));
  return assignments;
}

/** Whether a name that is assigned to in a function is that function's own. */
export function isOwn(names: PythonNames, name: string): boolean {
  return !name.includes(".") && !assignedIn(names).shared.has(name);
}

/** Whether a function around `node` has a parameter of this name, whose value callers choose. */
export function isParameter(names: PythonNames, node: SyntaxNode, name: string): boolean {
  for (let up = ancestor(node, ...FUNCTIONS); up !== null; up = ancestor(up, ...FUNCTIONS)) {
    const list = child(up, "parameters");
    for (const each of list === null ? [] : named(list)) {
      const own = each.type === "identifier"
        ? each
        : child(each, "name") ?? named(each).find(({ type }) => type === "identifier");
      if (own !== null && own !== undefined && textOf(names.tree, own) === name) return true;
    }
  }
  return false;
}

const NOTHING = { values: [], open: true };

/**
 * What an identifier or attribute may stand for where it is used: values that the source says, and
 * whether it may be something else.
 */
export function valuesOf(
  names: PythonNames,
  node: SyntaxNode,
): { values: SyntaxNode[]; open: boolean } {
  const name = dottedText(names.tree, node);
  const all = name === null ? undefined : assignedIn(names).byName.get(name);
  if (all === undefined) return NOTHING;
  const around = new Set([0]);
  for (let up = ancestor(node, ...FUNCTIONS); up !== null; up = ancestor(up, ...FUNCTIONS)) {
    around.add(up.number);
  }
  const { root } = names.tree;
  const visible = all.filter(({ scope, by }) =>
    around.has(scope) && (scope === 0 || !cannotReach(root.numbered(by), node))
  );
  const values = visible.flatMap(({ value }) => value === null ? [] : [root.numbered(value)]);
  const open = visible.length > values.length || visible.some(({ indirect }) => indirect) ||
    values.length === 0 ||
    (node.type === "identifier" && isParameter(names, node, name!));
  return { values, open };
}

/** What a name of a module, or `Class.NAME`, is given anywhere outside of functions. */
export function moduleValues(
  names: PythonNames,
  name: string,
): { values: SyntaxNode[]; open: boolean } {
  const all = assignedIn(names).byName.get(name)?.filter(({ scope }) => scope === 0);
  if (all === undefined || all.length === 0) return NOTHING;
  const values = all.flatMap(({ value }) =>
    value === null ? [] : [names.tree.root.numbered(value)]
  );
  return { values, open: values.length < all.length };
}
