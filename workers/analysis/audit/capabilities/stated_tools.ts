/**
 * Classes of tools that say by themselves what they are for, as frameworks of agents have them: with a
 * name, a description and a method that runs them. Which of them a server offers shows only when it
 * runs.
 *
 * @module
 */
import { moduleValues } from "../../python/values/assigned.ts";
import { stringValue } from "../../python/values/literals.ts";
import type { PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../../syntax/tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";

/** Methods that are called with what a model writes, and those that only the class itself calls. */
const RUNS =
  /^(__call__|a?(run|execute|call|invoke|forward)|(run|execute|call|invoke)_async|_[a-z]\w*)$/;

/** What a class says of itself by an attribute; null unless it is one text. */
function stated(names: PythonNames, cls: string, attribute: string): string | null {
  const { values, open } = moduleValues(names, `${cls}.${attribute}`);
  const [value] = values;
  return open || values.length !== 1 ? null : stringValue(names.tree.text, value!);
}

/** The tool whose class has a method that runs it, when the class says what the tool is for. */
export function statedTool(names: PythonNames, definition: SyntaxNode): ToolDeclaration | null {
  const cls = ancestor(definition, "class_definition", "function_definition");
  const own = cls?.type === "class_definition" ? child(cls, "name") : null;
  const method = child(definition, "name");
  if (own === null || method === null || !RUNS.test(textOf(names.tree, method))) return null;
  const name = stated(names, textOf(names.tree, own), "name");
  const description = stated(names, textOf(names.tree, own), "description");
  if (name === null || description === null) return null;
  const { tree } = names;
  return {
    name: name.slice(0, 200),
    tree,
    node: cls!,
    description,
    body: definition,
    bodyTree: tree,
    signature: "",
    annotations: null,
  };
}
