/**
 * Follows labelled values through a Python function: assignments, loops, calls of functions of the
 * same project. Order within a function is respected roughly (two passes), branches are not told
 * apart: what may arrive at a sink is reported.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/assigned.ts";
import { indirectCall, withBound } from "../../python/called_with.ts";
import { type Callee, calleeOf } from "../../python/callee.ts";
import {
  argumentsOf,
  type CallArguments,
  dottedText,
  type PythonNames,
} from "../../python/names.ts";
import { stringValue } from "../../python/literals.ts";
import { type NodeTypes, nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { guardedNames } from "./guards.ts";
import { type Label, labelsOf, type Reader, type Scope } from "./labels.ts";

/** A call with what its arguments carry. */
export interface ObservedCall {
  names: PythonNames;
  node: SyntaxNode;
  callee: Callee | null;
  given: CallArguments;
  labels(expression: SyntaxNode): Set<Label>;
  /** Whether a function of the project is called, which is followed. */
  isOwn(): boolean;
}

/** Finds functions of the project by the name that a module calls them. */
export type FindFunction = (
  names: PythonNames,
  name: string,
) => { names: PythonNames; definition: SyntaxNode } | null;

const MAX_DEPTH = 4;
const MAX_RESULTS = 5000;
const MAX_RESULT_DEPTH = 20;
const BINDINGS = [
  "assignment",
  "augmented_assignment",
  "for_statement",
  "for_in_clause",
  "named_expression",
  "as_pattern",
] as const;
const BINDS = nodeTypes(...BINDINGS);
const BINDS_AND_CALLS = nodeTypes(...BINDINGS, "call");
const RESULTS = nodeTypes("return_statement", "yield");
const FUNCTIONS = nodeTypes("function_definition");
const GROWS = /^(append|extend|insert|add|update|write|put)$/;

/** The plain parameters of a function in order. */
export function parametersOf(names: PythonNames, definition: SyntaxNode): {
  name: string;
  type: string;
}[] {
  const list = child(definition, "parameters");
  const found: { name: string; type: string }[] = [];
  for (const each of list === null ? [] : named(list)) {
    const own = each.type === "identifier"
      ? each
      : child(each, "name") ?? named(each).find(({ type }) => type === "identifier");
    const type = child(each, "type");
    if (own === null || own === undefined) continue;
    const typeText = type === null ? "" : textOf(names.tree, type);
    found.push({ name: textOf(names.tree, own), type: typeText });
  }
  return found;
}

/** Calls that take a function and what it is to be called with. */
const HANDS_ON =
  /(^|\.)(to_thread|run_sync|run_in_executor|submit|call_soon|call_soon_threadsafe|call_later|apply_async|Thread|Process|Timer|register)$/;

/** `{"shell": True}` as keywords. */
function entriesOf(tree: SourceTree, table: SyntaxNode | undefined): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const pair of table?.type === "dictionary" ? named(table) : []) {
    const key = child(pair, "key");
    const value = child(pair, "value");
    const name = key === null ? null : stringValue(tree.text, key);
    if (name !== null && value !== null) found.set(name, value);
  }
  return found;
}

/** The function that a call hands to a thread, a loop or a process, with its arguments. */
function handedOn(
  tree: SourceTree,
  name: string,
  { positional, keywords }: CallArguments,
): { target: SyntaxNode; given: CallArguments } | null {
  if (!HANDS_ON.test(name)) return null;
  const target = keywords.get("target") ?? keywords.get("function");
  const at = /(run_in_executor|call_later|Timer)$/.test(name) ? 1 : 0;
  const listed = keywords.get("args") ??
    (/(apply_async|Timer)$/.test(name) ? positional[at + 1] : undefined);
  const passed = target ?? positional[at];
  if (passed === undefined) return null;
  if (target === undefined && listed === undefined) {
    return { target: passed, given: { positional: positional.slice(at + 1), keywords } };
  }
  const rows = listed !== undefined && /^(list|tuple)$/.test(listed.type) ? named(listed) : [];
  const table = keywords.get("kwargs") ?? positional[at + 2];
  return { target: passed, given: { positional: rows, keywords: entriesOf(tree, table) } };
}

/** What runs with a body: of a module, when it is imported. */
function running(body: SyntaxNode, types: NodeTypes): Iterable<SyntaxNode> {
  return walk(body, types, body.type === "module" ? FUNCTIONS : undefined);
}

/** Follows `scope` through functions; `observe` hears of every call. */
export function createFlow(find: FindFunction, observe: (call: ObservedCall) => void): {
  follow(names: PythonNames, body: SyntaxNode, scope: Scope): void;
  /** Labels of what a function returns whatever its arguments are. */
  resultOf(names: PythonNames, definition: SyntaxNode): Set<Label>;
} {
  const seen = new Set<string>();
  // By place: a node as key would keep its whole tree.
  const results = new Map<string, Set<Label>>();
  let resultDepth = 0;

  function readerOf(names: PythonNames): Reader {
    return {
      names,
      returned(name) {
        const target = find(names, name);
        return target === null ? [] : resultOf(target.names, target.definition);
      },
    };
  }

  function resultOf(names: PythonNames, definition: SyntaxNode): Set<Label> {
    const place = `${names.tree.path}\0${definition.number}`;
    const known = results.get(place);
    if (known !== undefined) return known;
    const found = new Set<Label>();
    // Set first, so that functions that call each other come to an end.
    results.set(place, found);
    const body = child(definition, "body");
    if (body === null || results.size > MAX_RESULTS || resultDepth > MAX_RESULT_DEPTH) return found;
    resultDepth++;
    const scope: Scope = new Map();
    const reader = readerOf(names);
    for (const node of walk(body, BINDS)) bind(reader, scope, node);
    for (const node of walk(body, RESULTS)) {
      for (const value of named(node)) labelsOf(reader, scope, value, found);
    }
    resultDepth--;
    return found;
  }

  function assign(names: PythonNames, scope: Scope, target: SyntaxNode, labels: Set<Label>): void {
    if (labels.size === 0) return;
    if (target.type === "identifier" || target.type === "attribute") {
      const name = dottedText(names.tree, target);
      if (name === null) return;
      const held = scope.get(name) ?? new Set();
      for (const label of labels) held.add(label);
      scope.set(name, held);
    } else if (target.type === "subscript") {
      const value = child(target, "value");
      if (value !== null) assign(names, scope, value, labels);
    } else for (const each of named(target)) assign(names, scope, each, labels);
  }

  function bind(reader: Reader, scope: Scope, node: SyntaxNode): void {
    const left = child(node, "left") ?? child(node, "name") ?? child(node, "alias");
    const right = child(node, "right") ?? child(node, "value") ?? named(node)[0] ?? null;
    if (left === null || right === null || left === right) return;
    assign(reader.names, scope, left, labelsOf(reader, scope, right));
  }

  function enter(call: ObservedCall, name: string, given: CallArguments, depth: number): void {
    const target = find(call.names, name);
    if (target !== null) into(call, target, given, depth);
  }

  /** `(lambda c: os.system(c))(x)`, and a name that stands for such a function. */
  function enterLambda(call: ObservedCall, expression: SyntaxNode, depth: number): void {
    const found = expression.type === "lambda" ? [expression] : expression.type === "identifier" &&
        !call.names.functions.has(textOf(call.names.tree, expression))
      ? valuesOf(call.names, expression).values.filter(({ type }) => type === "lambda")
      : [];
    for (const definition of found) {
      into(call, { names: call.names, definition }, call.given, depth);
    }
  }

  function into(
    call: ObservedCall,
    target: NonNullable<ReturnType<FindFunction>>,
    given: CallArguments,
    depth: number,
  ): void {
    if (depth >= MAX_DEPTH) return;
    const parameters = parametersOf(target.names, target.definition)
      .filter(({ name }) => name !== "self" && name !== "cls");
    const inner: Scope = new Map();
    parameters.forEach(({ name }, at) => {
      const value = given.keywords.get(name) ?? given.positional[at];
      const labels = value === undefined ? new Set<Label>() : call.labels(value);
      if (labels.size > 0) inner.set(name, labels);
    });
    const body = child(target.definition, "body");
    if (inner.size === 0 || body === null) return;
    const key = [
      target.names.tree.path,
      target.definition.start,
      ...[...inner].map(([name, labels]) => `${name}:${[...labels].sort()}`),
    ].join("|");
    if (seen.has(key)) return;
    seen.add(key);
    run(target.names, body, inner, depth + 1);
  }

  function call(names: PythonNames, scope: Scope, node: SyntaxNode, depth: number): void {
    const expression = child(node, "function");
    if (expression === null) return;
    const indirect = indirectCall(names, node);
    const callee = indirect?.callee ?? calleeOf(names, expression);
    const given = withBound(callee, indirect?.given ?? argumentsOf(names.tree, node));
    const reader = readerOf(names);
    const labels = (each: SyntaxNode) => labelsOf(reader, scope, each);
    // `super().__init__` may be that of any class.
    const isOwn = () =>
      callee !== null && !callee.name.startsWith("super()") && find(names, callee.name) !== null;
    const observed = { names, node, callee, given, labels, isOwn };
    observe(observed);
    const method = expression.type === "attribute" ? child(expression, "attribute") : null;
    const object = expression.type === "attribute" ? child(expression, "object") : null;
    if (method !== null && object !== null && GROWS.test(textOf(names.tree, method))) {
      for (const each of given.positional) assign(names, scope, object, labels(each));
    }
    enterLambda(observed, plainValue(expression), depth);
    if (callee === null) return;
    const handed = handedOn(names.tree, callee.name, given);
    if (handed !== null) {
      const inner = calleeOf(names, handed.target);
      if (inner !== null) {
        const all = withBound(inner, handed.given);
        observe({ ...observed, callee: inner, given: all });
        enter(observed, inner.name, all, depth);
      }
    }
    enter(observed, callee.name, given, depth);
  }

  function run(names: PythonNames, body: SyntaxNode, scope: Scope, depth: number): void {
    const reader = readerOf(names);
    const guarded = guardedNames(names, body);
    for (const name of guarded) scope.delete(name);
    // The second pass sees what a loop or a later line assigned.
    for (const types of [BINDS, BINDS_AND_CALLS]) {
      for (const node of running(body, types)) {
        if (node.type === "call") call(names, scope, node, depth);
        else {
          bind(reader, scope, node);
          for (const name of guarded) scope.delete(name);
        }
      }
    }
  }

  return { follow: (names, body, scope) => run(names, body, scope, 0), resultOf };
}
