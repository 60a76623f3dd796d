/**
 * Names that the handler of `tools/call` of a low-level server tells apart. They stand for tools
 * where the list of tools cannot be read.
 *
 * @module
 */
import { handlersOf, handlesCalls } from "../python/calls/handlers.ts";
import type { PythonNames } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import type { Constants } from "./python_modules.ts";
import { stringsOf } from "./python_values.ts";

const CHOICES = nodeTypes("match_statement", "comparison_operator");
const PATTERNS = nodeTypes("case_pattern");

/** A name that is told apart, and the place where. */
export interface Dispatched {
  name: string;
  node: SyntaxNode;
}

/** What `match name:` and `name == …` of the handlers of calls tell apart. */
export function dispatched(names: PythonNames, constants: Constants): Dispatched[] {
  const found: Dispatched[] = [];
  for (const handler of handlersOf(names)) {
    if (!handlesCalls(names, handler)) continue;
    const list = child(handler, "parameters");
    const first = list === null ? undefined : named(list)[0];
    const parameter = first === undefined
      ? ""
      : textOf(names.tree, first.type === "identifier" ? first : named(first)[0] ?? first);
    const isName = (node: SyntaxNode | null | undefined) => {
      const written = node === null || node === undefined ? "" : textOf(names.tree, node);
      return parameter !== "" && (written === parameter || /^\w+\.(params\.)?name$/.test(written));
    };
    const add = (node: SyntaxNode) => {
      for (const name of stringsOf({ names, node }, constants) ?? []) found.push({ name, node });
    };
    for (const choice of walk(handler, CHOICES)) {
      if (choice.type === "comparison_operator") {
        const [left, right] = named(choice);
        const equal = choice.children.some(({ type }) => type === "==");
        if (equal && isName(left) && right !== undefined) add(right);
      } else if (isName(child(choice, "subject"))) {
        for (const pattern of walk(choice, PATTERNS)) patternValues(pattern).forEach(add);
      }
    }
  }
  return found;
}

/** The values of a pattern and of its alternatives. */
function patternValues(pattern: SyntaxNode): SyntaxNode[] {
  return named(pattern).flatMap((each) =>
    each.type === "union_pattern"
      ? named(each)
      : /^(string|concatenated_string|dotted_name)$/.test(each.type)
      ? [each]
      : []
  );
}
