/**
 * Strings that a Python expression may be, those put together of parts included.
 *
 * @module
 */
import { foldText } from "../python/values/folding.ts";
import { resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode } from "../syntax/tree.ts";
import type { Constants, Expression } from "./python_modules.ts";
import { allOf, literalOf, loopOf, memberName } from "./python_rows.ts";
import { MAX_DEPTH, possible } from "./python_values.ts";

const MAX_TEXTS = 1000;

/** Names of an expression's text, each with all that it may be and the loop that it is bound to. */
interface Leaf {
  text: string;
  values: string[];
  loop: string;
}

/** Tells loops apart: that of the variable which an expression begins with. */
function loopKey({ names, node }: Expression): string | null {
  let first: SyntaxNode | null = node;
  while (first !== null && first.type !== "identifier") {
    first = child(first, "object") ?? child(first, "value");
  }
  const loop = first === null ? null : loopOf({ names, node: first });
  return loop === null ? null : `loop ${loop.clause.number}`;
}

function leavesOf(
  { names, node }: Expression,
  constants: Constants,
  depth: number,
  found: Map<string, Leaf>,
): void {
  const inner = node.type === "call" ? child(node, "function") : null;
  if (inner !== null) {
    const object = inner.type === "attribute" ? child(inner, "object") : null;
    const list = child(node, "arguments");
    for (const each of [object, ...list === null ? [] : named(list)]) {
      if (each !== null) leavesOf({ names, node: each }, constants, depth, found);
    }
    return;
  }
  if (/^(identifier|attribute|subscript)$/.test(node.type)) {
    const text = textOf(names.tree, node);
    if (found.has(text) || foldText(names, node) !== null) return;
    const values = stringsOf({ names, node }, constants, depth + 1);
    if (values !== null) {
      found.set(text, { text, values, loop: loopKey({ names, node }) ?? text });
      return;
    }
  }
  for (const each of named(node)) leavesOf({ names, node: each }, constants, depth, found);
}

/** Every text that is put together of parts, of which some have several values. */
function assembled(expression: Expression, constants: Constants, depth: number): string[] | null {
  const { names, node } = expression;
  const leaves = new Map<string, Leaf>();
  leavesOf(expression, constants, depth, leaves);
  let choices: Map<string, string>[] = [new Map()];
  const loops = Map.groupBy(leaves.values(), ({ loop }) => loop);
  for (const together of loops.values()) {
    const count = Math.max(...together.map(({ values }) => values.length));
    if (choices.length * count > MAX_TEXTS) return null;
    choices = choices.flatMap((choice) =>
      Array.from({ length: count }, (_, at) =>
        new Map([
          ...choice,
          ...together.map(({ text, values }) => [text, values[at] ?? values[0]!] as const),
        ]))
    );
  }
  const texts = choices.map((choice) =>
    foldText(names, node, (leaf) => choice.get(textOf(names.tree, leaf)))
  );
  return texts.includes(null) ? null : texts as string[];
}

/** `auto()` of an enumeration of strings: the member's name in small letters. */
function automatic(expression: Expression): string | null {
  const { names, node } = expression;
  const callee = node.type === "call" ? child(node, "function") : null;
  if (callee === null || !/(^|\.)auto$/.test(resolve(names, callee) ?? "")) return null;
  const cls = ancestor(node, "class_definition");
  const bases = cls === null ? null : child(cls, "superclasses");
  return bases !== null && /\bStrEnum\b/.test(textOf(names.tree, bases))
    ? memberName(expression)?.toLowerCase() ?? null
    : null;
}

/** The strings that an expression may be, in the order of the rows that they come from, or null. */
export function stringsOf(
  expression: Expression,
  constants: Constants,
  depth = 0,
): string[] | null {
  if (depth > MAX_DEPTH) return null;
  return allOf(possible(constants, expression, depth), (each) => {
    const text = literalOf(each) ?? automatic(each);
    if (text !== null) return [text];
    if (
      /^(identifier|attribute|none|integer|dictionary|list|function_definition)$/.test(
        each.node.type,
      )
    ) {
      return null;
    }
    return assembled(each, constants, depth);
  });
}
