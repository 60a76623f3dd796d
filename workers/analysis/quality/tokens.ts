/**
 * The tokens of a file that are code, as SonarQube counts them: no comments, no docstrings, string
 * literals whole.
 *
 * @module
 */
import { kindsOfNode, nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";

/** Where tokens begin and end, in order. */
export interface CodeTokens {
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Parts of a string literal that hold no code. */
const STRING_PART = /^(string|raw_string|interpreted_string)_|^escape_sequence$/;
const STRING = /^(string|template_string|.*string_literal)$/;

const COMMENTS = kindsOfNode(({ type }) => type.endsWith("comment"));
const NAMED = kindsOfNode(({ named }) => named);
const BLOCKS = nodeTypes("module", "block");
const STATEMENTS = nodeTypes("expression_statement");
const PYTHON_STRINGS = nodeTypes("string");
const STRINGS = kindsOfNode(({ type }) => STRING.test(type));
const STRING_PARTS = kindsOfNode(({ type }) => STRING_PART.test(type));
/** Parts that are nodes of punctuation, or named for what they are. */
const NO_CODE = kindsOfNode(({ type, named }) => !named || STRING_PART.test(type));

export function codeTokens({ flat }: SourceTree): CodeTokens {
  const isComment = flat.is(COMMENTS);
  const isNamed = flat.is(NAMED);
  const isBlock = flat.is(BLOCKS);
  const isStatement = flat.is(STATEMENTS);
  const isPythonString = flat.is(PYTHON_STRINGS);
  const isStringLiteral = flat.is(STRINGS);
  const isStringPart = flat.is(STRING_PARTS);
  const holdsNoCode = flat.is(NO_CODE);
  const starts: number[] = [];
  const ends: number[] = [];
  /** Of each level whether its nodes so far have one that is neither punctuation nor comment. */
  const begun: boolean[] = [];
  /** Of each level whether its first such node may be a docstring. */
  const documented: boolean[] = [];

  /** Whether a node is a token as lexers see it: string literals without code in them are one. */
  function isToken(node: number): boolean {
    if (node + 1 === flat.count || flat.depth(node + 1) <= flat.depth(node)) return true;
    return isStringPart(node) || isStringLiteral(node) && flat.children(node).every(holdsNoCode);
  }
  /** Whether a statement is a string alone. */
  function isString(statement: number): boolean {
    const inside = flat.children(statement).filter((each) => isNamed(each) && !isComment(each));
    return inside.length === 1 && isPythonString(inside[0]!);
  }

  for (let node = 0; node < flat.count;) {
    const depth = flat.depth(node);
    begun[depth + 1] = false;
    documented[depth + 1] = isBlock(node);
    if (isComment(node)) {
      node = flat.after(node);
      continue;
    }
    const named = isNamed(node);
    const first = named && !begun[depth];
    if (named) begun[depth] = true;
    if (first && documented[depth] && isStatement(node) && isString(node)) {
      node = flat.after(node);
    } else if (isToken(node)) {
      if (flat.end(node) > flat.start(node)) {
        starts.push(flat.start(node));
        ends.push(flat.end(node));
      }
      node = flat.after(node);
    } else node++;
  }
  return { starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}
