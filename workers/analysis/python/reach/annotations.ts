/**
 * Annotations that are written as text. Whoever asks for a function's or a class's types has them
 * evaluated, so that a call in one runs like any other code.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { stringValue } from "../values/literals.ts";
import type { PythonNames } from "../names.ts";
import { textsOf } from "./paths.ts";

const CALLS = /[\w\])"']\s*\(/;
/** Shapes of arrays have words and brackets too: `Float[Array, "batch (height width)"]`. */
const SHAPE = /^[\w\s().*#?+-]*$/;
const RUNS = /\b(eval|exec|compile|open|getattr|__\w+__)\b|\w\(/;

function holdsCall(text: string): boolean {
  return CALLS.test(text) && (!SHAPE.test(text) || RUNS.test(text));
}

/** The last part of `typing.Annotated` in `typing.Annotated[…]`. */
function genericName(names: PythonNames, node: SyntaxNode): string {
  const holder = child(node, "value") ?? named(node)[0];
  return holder === null || holder === undefined
    ? ""
    : textOf(names.tree, holder).split(".").at(-1)!.trim();
}

function collect(names: PythonNames, node: SyntaxNode, found: string[], hops: number): void {
  if (hops > 20 || node.type === "call") return;
  if (node.type === "string" || node.type === "concatenated_string") {
    const text = stringValue(names.tree.text, node);
    if (text !== null && holdsCall(text)) found.push(text);
    return;
  }
  if (node.type === "identifier") {
    const name = textOf(names.tree, node);
    if (!names.constants.has(name) && !names.values.has(name)) return;
    for (const text of textsOf(names, node) ?? []) if (holdsCall(text)) found.push(text);
    return;
  }
  const inner = named(node);
  if (node.type !== "subscript" && node.type !== "generic_type") {
    for (const each of inner) collect(names, each, found, hops + 1);
    return;
  }
  const generic = genericName(names, node);
  if (generic === "Literal") return;
  const list = inner.slice(1).flatMap((each) =>
    each.type === "type_parameter" ? named(each) : [each]
  );
  for (const each of generic === "Annotated" ? list.slice(0, 1) : list) {
    collect(names, each, found, hops + 1);
  }
}

/** Texts with calls in an annotation, each as it is evaluated. */
export function annotationTexts(names: PythonNames, type: SyntaxNode): string[] {
  for (let up = type.parent; up !== null; up = up.parent) {
    if (up.type === "type") return [];
    if (up.type === "block" || up.type === "module") break;
  }
  const found: string[] = [];
  collect(names, type, found, 0);
  return found;
}
