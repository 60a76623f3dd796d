/**
 * Characters that change the direction of text (`U+202E` and the like) where they can move no code:
 * a string that also ends what it begins, or one after which its line has nothing, in a list of such
 * texts. Their effect ends with the line and touches nothing before them.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const STRINGS = nodeTypes("string");
const TURNS = /[\u200f\u202a-\u202e\u2066-\u2069]/;
const ROWS = /^(list|tuple|set|pair)$/;
/** What may follow such a string on its line: the end of its row, and a comment. */
const NOTHING_MORE = /^[\s,\])}]*(#[^\u200f\u202a-\u202e\u2066-\u2069]*)?$/;

/**
 * Whether each change of direction in a text is ended there, in order, and no other is. A mark without
 * an end (`U+200F`) turns numbers that follow.
 */
function endsWhatItBegins(text: string, after: string): boolean {
  if (text.includes("\u200f") && /\d/.test(after)) return false;
  const open: string[] = [];
  for (const each of text) {
    if (/[\u202a\u202b\u202d\u202e]/.test(each)) open.push("\u202c");
    else if (/[\u2066-\u2068]/.test(each)) open.push("\u2069");
    else if (/[\u202c\u2069]/.test(each) && open.pop() !== each) return false;
  }
  return open.length === 0;
}

/** Whether a string is all that its line says, beside the key under which it is kept. */
function standsAlone(tree: SourceTree, string: SyntaxNode, before: string, after: string): boolean {
  const { parent } = string;
  if (parent === null || !ROWS.test(parent.type) || !NOTHING_MORE.test(after)) return false;
  if (parent.type !== "pair") return before.trim() === "";
  return string.field === "value" && /^\s*(?:"[\w -]*"|'[\w -]*')\s*:\s*$/.test(before) &&
    before.trim().startsWith(textOf(tree, parent.children[0]!));
}

/** Whether all such characters of a line are in strings and leave its code where it is. */
export function movesNoCode(tree: SourceTree, line: number): boolean {
  const lines = tree.text.split("\n", line);
  const start = lines.slice(0, -1).reduce((sum, each) => sum + each.length + 1, 0);
  const text = lines.at(-1)!;
  let outside = text;
  for (const string of walk(tree.root, STRINGS)) {
    if (string.start >= start + text.length || string.end <= start) continue;
    const [from, to] = [
      Math.max(string.start - start, 0),
      Math.min(string.end - start, text.length),
    ];
    const own = text.slice(from, to);
    if (!TURNS.test(own)) continue;
    if (named(string).some(({ type }) => type === "interpolation")) return false;
    const isWhole = string.start >= start && string.end <= start + text.length;
    const isHarmless = endsWhatItBegins(own, text.slice(to)) ||
      (isWhole && standsAlone(tree, string, text.slice(0, from), text.slice(to)));
    if (!isHarmless) return false;
    outside = outside.slice(0, from) + " ".repeat(to - from) + outside.slice(to);
  }
  return !TURNS.test(outside);
}
