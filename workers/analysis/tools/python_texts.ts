/**
 * Strings that Python puts together of parts, or makes by itself.
 *
 * @module
 */
import { foldText } from "../python/values/folding.ts";
import { resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode } from "../syntax/tree.ts";
import type { Expression } from "./python_modules.ts";
import { loopOf, memberName } from "./python_rows.ts";

const MAX_TEXTS = 1000;

/** Reads the strings that a part may be; null when that cannot be told. */
type ReadStrings = (part: Expression) => string[] | null;

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
  read: ReadStrings,
  found: Map<string, Leaf>,
): void {
  const inner = node.type === "call" ? child(node, "function") : null;
  if (inner !== null) {
    const object = inner.type === "attribute" ? child(inner, "object") : null;
    const list = child(node, "arguments");
    for (const each of [object, ...list === null ? [] : named(list)]) {
      if (each !== null) leavesOf({ names, node: each }, read, found);
    }
    return;
  }
  if (/^(identifier|attribute|subscript)$/.test(node.type)) {
    const text = textOf(names.tree, node);
    if (found.has(text) || foldText(names, node) !== null) return;
    const values = read({ names, node });
    if (values !== null) {
      found.set(text, { text, values, loop: loopKey({ names, node }) ?? text });
      return;
    }
  }
  for (const each of named(node)) leavesOf({ names, node: each }, read, found);
}

/** Every text that is put together of parts, of which some have several values. */
export function assembled(expression: Expression, read: ReadStrings): string[] | null {
  const { names, node } = expression;
  const leaves = new Map<string, Leaf>();
  leavesOf(expression, read, leaves);
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
export function automatic(expression: Expression): string | null {
  const { names, node } = expression;
  const callee = node.type === "call" ? child(node, "function") : null;
  if (callee === null || !/(^|\.)auto$/.test(resolve(names, callee) ?? "")) return null;
  const cls = ancestor(node, "class_definition");
  const bases = cls === null ? null : child(cls, "superclasses");
  return bases !== null && /\bStrEnum\b/.test(textOf(names.tree, bases))
    ? memberName(expression)?.toLowerCase() ?? null
    : null;
}
