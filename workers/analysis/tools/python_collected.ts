/**
 * What Python puts into a list that it registers later: `TOOLS.append(search)`, `@TOOLS.append`, the
 * methods of a collecting object, functions that add what they decorate.
 *
 * @module
 */
import { isParameter } from "../python/values/assigned.ts";
import { argumentsOf, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import type { Constants, Expression } from "./python_modules.ts";

const METHODS = nodeTypes("function_definition");
const FUNCTIONS = ["function_definition", "lambda"] as const;
/** Methods that leave a list with other elements than those that were added. */
const CHANGES = /^(extend|insert|pop|remove|clear|__setitem__|__delitem__)$/;

/** The name that is given a list or an object where it is made. */
function holderOf({ names, node }: Expression): string | null {
  const left = node.parent?.type === "assignment" ? child(node.parent, "left") : null;
  return left?.type === "identifier" ? textOf(names.tree, left) : null;
}

/** What is added by the methods of that name; null when something else happens to the list. */
function addedBy(
  uses: readonly Expression[],
  isAdder: (method: string) => boolean,
): Expression[] | null {
  const found: Expression[] = [];
  for (const { names, node } of uses) {
    const method = node.parent?.type === "attribute" && node.field === "object"
      ? node.parent
      : null;
    if (node.parent?.type === "augmented_assignment" && node.field === "left") return null;
    if (method === null) continue;
    const name = textOf(names.tree, child(method, "attribute")!);
    if (!isAdder(name)) {
      if (CHANGES.test(name)) return null;
      continue;
    }
    if (method.parent?.type === "decorator") {
      const definition = child(method.parent.parent!, "definition");
      if (definition === null) return null;
      found.push({ names, node: definition });
    } else if (method.parent?.type === "call" && method.field === "function") {
      const [first, ...more] = argumentsOf(names.tree, method.parent).positional;
      if (first === undefined || more.length > 0) return null;
      const around = ancestor(first, "function_definition");
      const isGiven = around !== null && isParameter(names, first, textOf(names.tree, first));
      if (isGiven && onlyAdded({ names, node: around }, /\.append$/) === null) return null;
      found.push({ names, node: first });
    } else return null;
  }
  return found;
}

/** The name that a function adds to a list and gives back, when it does nothing else. */
function onlyAdded(
  { names: { tree }, node }: Expression,
  into: RegExp,
): string | null {
  const statements = named(child(node, "body")!)
    .filter(({ type, children }) => type !== "comment" && children[0]?.type !== "string");
  const [call, last, ...more] = statements.map((each) => named(each)[0] ?? null);
  if (call?.type !== "call" || more.length > 0) return null;
  const [first, second] = argumentsOf(tree, call).positional;
  if (!into.test(textOf(tree, child(call, "function")!))) return null;
  if (first?.type !== "identifier" || second !== undefined) return null;
  const name = textOf(tree, first);
  const isBack = last === undefined || statements[1]!.type === "return_statement" &&
      last !== null && textOf(tree, last) === name;
  return isBack ? name : null;
}

/** Methods of a class that add what they are given to a list; `list` null: to the object itself. */
function addersOf({ names, node }: Expression, list: string | null): Set<string> {
  const { tree } = names;
  const into = list === null ? /^super\(\)\.append$/ : new RegExp(`^self\\.${list}\\.append$`);
  const found = new Set<string>();
  for (const method of walk(node, METHODS)) {
    const [, parameter] = named(child(method, "parameters")!);
    const name = parameter === undefined ? null : /^\w+/.exec(textOf(tree, parameter))?.[0];
    if (name !== null && name === onlyAdded({ names, node: method }, into)) {
      found.add(textOf(tree, child(method, "name")!));
    }
  }
  return found;
}

/** The list that an object's `__iter__` goes through. */
function iterated({ names, node }: Expression): string | null {
  const method = [...walk(node, METHODS)].find((each) =>
    textOf(names.tree, child(each, "name")!) === "__iter__"
  );
  const body = method === undefined ? "" : textOf(names.tree, child(method, "body")!);
  return /^(?:["'][^"'\n]*["']\s*)?(?:return iter\(self\.(\w+)\)|yield from self\.(\w+))\s*$/
    .exec(body)?.slice(1).find((each) => each !== undefined) ?? null;
}

/** The class of the project that an object is made of without arguments. */
function classMade(constants: Constants, { names, node }: Expression): Expression | null {
  const callee = node.type === "call" ? child(node, "function") : null;
  const meant = callee === null ? null : resolve(names, callee);
  const { positional, keywords } = callee === null
    ? { positional: [], keywords: new Map() }
    : argumentsOf(names.tree, node);
  return meant === null || positional.length > 0 || keywords.size > 0
    ? null
    : constants.classOf(names, meant);
}

/** Where a list or an object that has a name is used. */
function usesOf(constants: Constants, made: Expression): Expression[] {
  const name = holderOf(made);
  if (name === null) return [];
  const around = ancestor(made.node, ...FUNCTIONS);
  return constants.mentionsOf(made.names, name).filter(({ names, node }) =>
    around === null ||
    names === made.names && node.start >= around.start && node.end <= around.end
  );
}

/** What is put into a literal list after it was made; null when that cannot be told. */
export function appendedTo(constants: Constants, list: Expression): Expression[] | null {
  return addedBy(usesOf(constants, list), (method) => method === "append");
}

/**
 * What is in a collecting object of the project, or in a list that is its attribute; undefined for
 * what is none.
 */
export function collectedBy(
  constants: Constants,
  made: Expression,
  attribute: string | null,
): Expression[] | null | undefined {
  const cls = classMade(constants, made);
  if (cls === null) return undefined;
  const bases: SyntaxNode | null = child(cls.node, "superclasses");
  const isList = bases !== null && /\b(list|List|UserList)\b/.test(textOf(cls.names.tree, bases));
  const list = attribute ?? iterated(cls);
  if (list === null && !isList) return undefined;
  const adders = addersOf(cls, list);
  const hasOwn = [...walk(cls.node, METHODS)]
    .some((each) => textOf(cls.names.tree, child(each, "name")!) === "append");
  if (list === null && !hasOwn) adders.add("append");
  if (adders.size === 0) return undefined;
  return addedBy(usesOf(constants, made), (method) => adders.has(method));
}
