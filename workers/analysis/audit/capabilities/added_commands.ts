/**
 * Commands of the source that are put beside a value: `command + "; useradd x"`.
 *
 * @module
 */
import { dottedText, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const TEXTS = nodeTypes("string", "binary_operator", "augmented_assignment");
/** A separator and a command behind it, and the same in front of a value. */
const BEHIND = /^["'\s]*(?:;|\|\|?|&&?|\n|\\n)\s*[\w./]+(?:\W|$)/;
const BEFORE = /^\s*[\w./]+\b.*(?:;|\|\|?|&&?|\n|\\n)\s*$/s;
const MAX_TEXT = 2000;

/** What a part of a text states; null for one that only running tells. */
function stated(names: PythonNames, node: SyntaxNode): string | null {
  if (node.type === "string_content") return textOf(names.tree, node).slice(0, MAX_TEXT);
  if (node.type === "string") {
    const parts = partsOf(node);
    const isFixed = parts.length > 0 && parts[0]!.type === "string_content";
    return isFixed ? stated(names, parts[0]!) : null;
  }
  const dotted = dottedText(names.tree, node);
  return dotted === null ? null : names.constants.get(dotted)?.slice(0, MAX_TEXT) ?? null;
}

function partsOf(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "string") {
    return node.children.filter(({ type }) => /^(string_content|interpolation)$/.test(type))
      .map((each) =>
        each.type === "interpolation" ? child(each, "expression") ?? named(each)[0] ?? each : each
      );
  }
  const [left, right] = [child(node, "left"), child(node, "right")];
  if (left === null || right === null) return [];
  return child(node, "operator")?.type.startsWith("+") ? [left, right] : [];
}

/** Whether a module builds a command line of a value and of commands of its own. */
export function addsCommands(names: PythonNames): boolean {
  for (const node of walk(names.tree.root, TEXTS)) {
    const parts = partsOf(node);
    const texts = parts.map((each) => stated(names, each));
    const adds = texts.some((text, at) =>
      text !== null &&
      (at > 0 && texts[at - 1] === null && BEHIND.test(text) ||
        at + 1 < texts.length && texts[at + 1] === null && BEFORE.test(text))
    );
    if (adds) return true;
  }
  return false;
}
