/**
 * Follows labelled values through a Python function: assignments, loops, calls of functions of the
 * same project. Order within a function is respected roughly (two passes), branches are not told
 * apart: what may arrive at a sink is reported.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/assigned.ts";
import { indirectCall, settingOf, withBound } from "../../python/called_with.ts";
import { type Callee, calleeOf } from "../../python/callee.ts";
import {
  argumentsOf,
  type CallArguments,
  dottedText,
  type PythonNames,
} from "../../python/names.ts";
import { type NodeTypes, nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { filesIn, placeLabels } from "./places.ts";
import { commandUse } from "../../python/made.ts";
import { guardedNames } from "./guards.ts";
import { handedOn } from "./handed_on.ts";
import { type Label, labelsOf, type Reader, type Scope } from "./labels.ts";
import { kept, leadOf, withoutLead } from "./lead.ts";

/** A call with what its arguments carry. */
export interface ObservedCall {
  names: PythonNames;
  node: SyntaxNode;
  callee: Callee | null;
  given: CallArguments;
  labels(expression: SyntaxNode): Set<Label>;
  /** Labels of what the expression begins with. */
  lead(expression: SyntaxNode): Set<Label>;
  /** Labels as a name keeps them that is given the expression. */
  kept(expression: SyntaxNode): Set<Label>;
  /** The function of the project that is called, which is followed. */
  target(): ReturnType<FindFunction>;
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
const BINDS_CALLS_AND_COMMANDS = nodeTypes(...BINDINGS, "call", "subscript", "binary_operator");
const COMMANDS = /^(subscript|binary_operator)$/;
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

/** What runs with a body: of a module, when it is imported. */
function running(body: SyntaxNode, types: NodeTypes): Iterable<SyntaxNode> {
  return walk(body, types, body.type === "module" ? FUNCTIONS : undefined);
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
  assign(reader.names, scope, left, kept(reader, scope, right, labelsOf(reader, scope, right)));
}

/** Follows labels through functions; `observe` hears of every call. */
export class Flow {
  readonly #find: FindFunction;
  readonly #observe: (call: ObservedCall) => void;
  readonly #seen = new Set<string>();
  // By place: a node as key would keep its whole tree.
  readonly #results = new Map<string, Set<Label>>();
  #resultDepth = 0;

  constructor(find: FindFunction, observe: (call: ObservedCall) => void) {
    this.#find = find;
    this.#observe = observe;
  }

  #readerOf(names: PythonNames): Reader {
    return {
      names,
      returned: (name) => {
        const target = this.#find(names, name);
        return target === null ? [] : this.resultOf(target.names, target.definition);
      },
    };
  }

  /** Labels of what a function returns whatever its arguments are. */
  resultOf(names: PythonNames, definition: SyntaxNode): Set<Label> {
    const place = `${names.tree.path}\0${definition.number}`;
    const known = this.#results.get(place);
    if (known !== undefined) return known;
    const found = new Set<Label>();
    // Set first, so that functions that call each other come to an end.
    this.#results.set(place, found);
    const body = child(definition, "body");
    if (body === null || this.#results.size > MAX_RESULTS || this.#resultDepth > MAX_RESULT_DEPTH) {
      return found;
    }
    this.#resultDepth++;
    const scope: Scope = new Map();
    const reader = this.#readerOf(names);
    for (const node of walk(body, BINDS)) bind(reader, scope, node);
    for (const node of walk(body, RESULTS)) {
      for (const value of named(node)) labelsOf(reader, scope, value, found);
    }
    this.#resultDepth--;
    return found;
  }

  #enter(call: ObservedCall, name: string, given: CallArguments, depth: number): void {
    const target = this.#find(call.names, name);
    if (target !== null) this.#into(call, target, given, depth);
  }

  /** `(lambda c: os.system(c))(x)`, and a name that stands for such a function. */
  #enterLambda(call: ObservedCall, expression: SyntaxNode, depth: number): void {
    const found = expression.type === "lambda" ? [expression] : expression.type === "identifier" &&
        !call.names.functions.has(textOf(call.names.tree, expression))
      ? valuesOf(call.names, expression).values.filter(({ type }) => type === "lambda")
      : [];
    for (const definition of found) {
      this.#into(call, { names: call.names, definition }, call.given, depth);
    }
  }

  #into(
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
      const labels = value === undefined ? new Set<Label>() : call.kept(value);
      if (labels.size > 0) inner.set(name, labels);
    });
    const body = child(target.definition, "body");
    if (inner.size === 0 || body === null) return;
    if (filesIn(target.names, target.definition).writes) {
      // Which files they are matters where they are written.
      parameters.forEach(({ name }, at) => {
        const value = given.keywords.get(name) ?? given.positional[at];
        const places = value === undefined ? [] : placeLabels(call, value);
        if (places.length > 0) inner.set(name, new Set([...inner.get(name) ?? [], ...places]));
      });
    }
    const key = [
      target.names.tree.path,
      target.definition.start,
      ...[...inner].map(([name, labels]) => `${name}:${[...labels].sort()}`),
    ].join("|");
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.follow(target.names, body, inner, depth + 1);
  }

  #call(names: PythonNames, scope: Scope, node: SyntaxNode, depth: number): void {
    const expression = child(node, "function");
    if (expression === null) return;
    const indirect = indirectCall(names, node);
    const callee = indirect?.callee ?? calleeOf(names, expression);
    const given = withBound(callee, indirect?.given ?? argumentsOf(names.tree, node));
    const observed = this.#observedAt(names, scope, node, callee, given);
    this.#observe(observed);
    const method = expression.type === "attribute" ? child(expression, "attribute") : null;
    const object = expression.type === "attribute" ? child(expression, "object") : null;
    if (method !== null && object !== null && GROWS.test(textOf(names.tree, method))) {
      // What is put behind the rest does not lead it.
      const isFirst = textOf(names.tree, method) === "insert";
      for (const each of given.positional) {
        const added = isFirst ? observed.kept(each) : withoutLead(observed.labels(each));
        assign(names, scope, object, added);
      }
    }
    this.#enterLambda(observed, plainValue(expression), depth);
    if (callee === null) return;
    const handed = handedOn(names.tree, callee.name, given);
    if (handed !== null) {
      const inner = calleeOf(names, handed.target);
      if (inner !== null) {
        const all = withBound(inner, handed.given);
        this.#observe({ ...observed, callee: inner, given: all });
        this.#enter(observed, inner.name, all, depth);
      }
    }
    this.#enter(observed, callee.name, given, depth);
  }

  #observedAt(
    names: PythonNames,
    scope: Scope,
    node: SyntaxNode,
    callee: Callee | null,
    given: CallArguments,
  ): ObservedCall {
    const reader = this.#readerOf(names);
    const labels = (each: SyntaxNode) => labelsOf(reader, scope, each);
    return {
      names,
      node,
      callee,
      given,
      labels,
      lead: (each) => leadOf(reader, scope, each),
      kept: (each) => kept(reader, scope, each, labels(each)),
      // `super().__init__` may be that of any class.
      target: () =>
        callee === null || callee.name.startsWith("super()")
          ? null
          : this.#find(names, callee.name),
    };
  }

  /** Commands are given words and input by brackets and pipes too. */
  #command(names: PythonNames, scope: Scope, node: SyntaxNode): void {
    const use = commandUse(names, node);
    if (use !== null) this.#observe(this.#observedAt(names, scope, node, use.callee, use.given));
  }

  /** `os.environ[name] = value` is a call of `__setitem__`. */
  #setting(names: PythonNames, scope: Scope, node: SyntaxNode): void {
    const set = settingOf(names, node);
    if (set !== null) this.#observe(this.#observedAt(names, scope, node, set.callee, set.given));
  }

  /** Follows what `scope` has through a body and the functions that it calls. */
  follow(names: PythonNames, body: SyntaxNode, scope: Scope, depth = 0): void {
    const reader = this.#readerOf(names);
    const guarded = guardedNames(names, body);
    for (const name of guarded) scope.delete(name);
    // The second pass sees what a loop or a later line assigned.
    const commands = names.imports.some(({ module }) => module.startsWith("plumbum"));
    const all = commands ? BINDS_CALLS_AND_COMMANDS : BINDS_AND_CALLS;
    for (const types of [BINDS, all]) {
      for (const node of running(body, types)) {
        if (node.type === "call") this.#call(names, scope, node, depth);
        else if (COMMANDS.test(node.type)) this.#command(names, scope, node);
        else {
          if (types === all) this.#setting(names, scope, node);
          bind(reader, scope, node);
          for (const name of guarded) scope.delete(name);
        }
      }
    }
  }
}
