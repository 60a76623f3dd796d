/**
 * What names stand for in a file of any language: the right sides that they are assigned, defaults
 * of parameters, what functions return. Coarse on purpose: scopes are not told apart.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

/** Values by the last part of the name that they are assigned. */
export type Assigned = ReadonlyMap<string, readonly SyntaxNode[]>;

const MAX_VALUES = 8;
/** Fields that hold name and value, by node type. */
const FIELDS: Record<string, readonly [string, string]> = {
  assignment: ["left", "right"],
  assignment_expression: ["left", "right"],
  assignment_statement: ["left", "right"],
  short_var_declaration: ["left", "right"],
  default_parameter: ["name", "value"],
  typed_default_parameter: ["name", "value"],
  keyword_argument: ["name", "value"],
  variable_declarator: ["name", "value"],
  public_field_definition: ["name", "value"],
  field_definition: ["property", "value"],
  const_spec: ["name", "value"],
  var_spec: ["name", "value"],
  let_declaration: ["pattern", "value"],
  const_item: ["name", "value"],
  static_item: ["name", "value"],
};
const GIVING = nodeTypes(...Object.keys(FIELDS), "return_statement");
const NAMED_FUNCTIONS = [
  "function_definition",
  "function_declaration",
  "method_definition",
  "method_declaration",
  "function_item",
];

const lastPart = (text: string): string =>
  text.replace(/^[#&*]+/, "").split(/\.|->/).at(-1)!.trim();

/** Reads the assignments of a file. */
export function assignedIn(tree: SourceTree): Assigned {
  const found = new Map<string, SyntaxNode[]>();
  function add(name: string, value: SyntaxNode): void {
    const own = lastPart(name);
    if (!/^[\w$]{1,100}$/.test(own)) return;
    const held = found.get(own) ?? [];
    found.set(own, held);
    if (held.length < MAX_VALUES) held.push(value);
  }
  for (const node of walk(tree.root, GIVING)) {
    const fields = FIELDS[node.type];
    if (fields !== undefined) {
      const [name, value] = [child(node, fields[0]), child(node, fields[1])];
      if (name === null || value === null) continue;
      if (name.type === "subscript") {
        // headers["Authorization"] = …
        const table = child(name, "value");
        if (table !== null) add(textOf(tree, table), node);
        continue;
      }
      const single = name.type === "expression_list" ? named(name)[0] : name;
      if (single !== undefined) add(textOf(tree, single).slice(0, 200), value);
    } else {
      const within = ancestor(node, ...NAMED_FUNCTIONS);
      const name = within === null ? null : child(within, "name");
      if (name !== null) add(textOf(tree, name), node);
    }
  }
  return found;
}

/** The function that a node is in, of any language. */
export function functionAround(node: SyntaxNode): SyntaxNode | null {
  return ancestor(node, ...NAMED_FUNCTIONS, "arrow_function", "function_expression");
}
