/**
 * Import statements of Python.
 *
 * @module
 */
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, childrenIn, type SyntaxNode } from "../../syntax/tree.ts";

/** An import: `from module import name` has both, `import module` the module only. */
export interface Import {
  /** Dotted module without leading dots. */
  module: string;
  /** Leading dots of a relative import. */
  level: number;
  name: string | null;
  /** Number of the statement's node. */
  node: number;
}

/** The imports of a statement, and what the names mean that it binds. */
export function importsOf(
  tree: SourceTree,
  node: SyntaxNode,
): { found: Import[]; bind: [string, string][] } {
  const found: Import[] = [];
  const bind: [string, string][] = [];
  const from = child(node, "module_name");
  const written = from === null ? "" : textOf(tree, from).replace(/\s/g, "");
  const level = /^\.*/.exec(written)![0].length;
  const module = written.slice(level);
  for (const each of childrenIn(node, "name")) {
    const aliased = each.type === "aliased_import";
    const name = textOf(tree, aliased ? child(each, "name")! : each).replace(/\s/g, "");
    const alias = aliased ? textOf(tree, child(each, "alias")!) : null;
    if (from === null) {
      found.push({ module: name, level: 0, name: null, node: node.number });
      const [first] = name.split(".", 1);
      bind.push(alias === null ? [first!, first!] : [alias, name]);
    } else {
      found.push({ module, level, name, node: node.number });
      bind.push([alias ?? name, `${".".repeat(level)}${module}${module ? "." : ""}${name}`]);
    }
  }
  if (node.children.some(({ type }) => type === "wildcard_import")) {
    found.push({ module, level, name: "*", node: node.number });
  }
  return { found, bind };
}

/** What has the names that the body of a class imports: the class and its objects. */
export function holdersOf(tree: SourceTree, statement: SyntaxNode): string[] {
  const cls = statement.parent?.parent;
  const name = cls?.type === "class_definition" ? child(cls, "name") : null;
  return name === null ? [] : [textOf(tree, name), `${textOf(tree, name)}()`, "self", "cls"];
}
