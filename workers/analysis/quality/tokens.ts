/**
 * The tokens of a file that are code, as SonarQube counts them: no comments, no docstrings, string
 * literals whole.
 *
 * @module
 */
import type { SourceTree } from "../syntax/source_tree.ts";

/** Where tokens begin and end, in order. */
export interface CodeTokens {
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Parts of a string literal that hold no code. */
const STRING_PART = /^(string|raw_string|interpreted_string)_|^escape_sequence$/;
const STRING = /^(string|template_string|.*string_literal)$/;

const isComment = (type: string) => type.endsWith("comment");

/** The tokens of a file. */
export function codeTokens({ flat }: SourceTree): CodeTokens {
  const starts: number[] = [];
  const ends: number[] = [];
  /** Of each level whether its nodes so far have one that is neither punctuation nor comment. */
  const begun: boolean[] = [];
  /** Of each level whether its first such node may be a docstring. */
  const documented: boolean[] = [];

  /** Whether a node is a token as lexers see it: string literals without code in them are one. */
  function isToken(node: number, type: string): boolean {
    if (node + 1 === flat.count || flat.depth(node + 1) <= flat.depth(node)) return true;
    if (!type.includes("string") && type !== "escape_sequence") return false;
    if (STRING_PART.test(type)) return true;
    return STRING.test(type) && flat.children(node).every((each) => {
      const kind = flat.kind(each);
      return !kind.named || STRING_PART.test(kind.type);
    });
  }
  /** Whether a statement is a string alone. */
  function isString(statement: number): boolean {
    const inside = flat.children(statement).map(flat.kind)
      .filter(({ type, named }) => named && !isComment(type));
    return inside.length === 1 && inside[0]!.type === "string";
  }

  for (let node = 0; node < flat.count;) {
    const { type, named } = flat.kind(node);
    const depth = flat.depth(node);
    begun[depth + 1] = false;
    documented[depth + 1] = type === "module" || type === "block";
    if (isComment(type)) {
      node = flat.after(node);
      continue;
    }
    const first = named && !begun[depth];
    if (named) begun[depth] = true;
    if (first && documented[depth] && type === "expression_statement" && isString(node)) {
      node = flat.after(node);
    } else if (isToken(node, type)) {
      if (flat.end(node) > flat.start(node)) {
        starts.push(flat.start(node));
        ends.push(flat.end(node));
      }
      node = flat.after(node);
    } else node++;
  }
  return { starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}
