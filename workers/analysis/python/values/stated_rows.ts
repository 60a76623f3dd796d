/**
 * What loops over a list go through that the function states and does nothing else with:
 * `commands = [["git", "add", "a"], …]`, `for command in commands`.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const IDENTIFIERS = nodeTypes("identifier");
const LIST = /^(list|tuple)$/;
/** How code comes by a variable without its name. */
const REFLECTS = /\b(locals|vars|globals|exec|eval|_getframe|f_locals|settrace|setprofile|gc)\b/;
const CHANGES = String
  .raw`\s*(\.(append|extend|insert|pop|remove|reverse|sort|clear|__\w+__)\b|\[[^\]\n]*\]\s*[-+*|]?=(?!=)|[-+*|]=)`;

/** Whether a row is changed where a loop has it: `command[0] = "sh"`, `del command[0]`. */
function isChanged(tree: SourceTree, target: SyntaxNode): boolean {
  return target.type === "identifier" &&
    new RegExp(`\\b${textOf(tree, target)}${CHANGES}|\\bdel\\s+${textOf(tree, target)}\\b`)
      .test(tree.text);
}

function functionOf(node: SyntaxNode): number {
  return ancestor(node, "function_definition", "lambda")?.number ?? 0;
}

/** The items of the only list that a name is given, if nothing but loops uses the name. */
function rowsOf(
  tree: SourceTree,
  uses: readonly SyntaxNode[],
  within: number,
): SyntaxNode[] | null {
  let rows: SyntaxNode[] | null = null;
  for (const use of uses) {
    const parent = use.parent;
    if (parent === null || within === 0 || functionOf(use) !== within) return null;
    if (parent.type === "assignment" && child(parent, "left")?.number === use.number) {
      const value = child(parent, "right");
      if (rows !== null || value === null || !LIST.test(value.type)) return null;
      rows = named(value);
      if (rows.some(({ type }) => type === "list_splat")) return null;
      continue;
    }
    if (parent.type !== "for_statement" || child(parent, "right")?.number !== use.number) {
      return null;
    }
    if (isChanged(tree, child(parent, "left")!)) return null;
  }
  return rows;
}

/** By the numbers of loops over names: what they go through, where the source says all of it. */
export function statedRows(
  tree: SourceTree,
  loops: readonly SyntaxNode[],
): ReadonlyMap<number, readonly SyntaxNode[]> {
  const found = new Map<number, readonly SyntaxNode[]>();
  if (loops.length === 0 || REFLECTS.test(tree.text)) return found;
  const nameOf = (loop: SyntaxNode) => textOf(tree, child(loop, "right")!);
  const uses = new Map<string, SyntaxNode[]>(loops.map((loop) => [nameOf(loop), []]));
  for (const each of walk(tree.root, IDENTIFIERS)) uses.get(textOf(tree, each))?.push(each);
  for (const loop of loops) {
    const rows = rowsOf(tree, uses.get(nameOf(loop))!, functionOf(loop));
    if (rows !== null) found.set(loop.number, rows);
  }
  return found;
}
