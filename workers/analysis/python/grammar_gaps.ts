/**
 * Python that the grammar reads otherwise than the interpreter, in other words that it reads alike.
 * Each is as long as what it stands for, so that the tree fits the text as it was.
 *
 * @module
 */
import type { FlatReader } from "../syntax/flat_tree.ts";
import { nodeTypes } from "../syntax/node_types.ts";

/** `type(x).y = z` at the beginning of a statement, which the grammar takes for a type alias. */
const TYPE_CALL = /(^|[;:])([ \t\f]*)type(?=[ \t]*\()/gm;

const HEAD = /\b(?:def|class|type)[ \t]+[^\s()[\]{},:;.=]+[ \t]*\[/gu;
const STRING = /("""|'''|"|')(?:\\[\s\S]|(?!\1)[\s\S])*\1/y;
const MAX_LIST = 10_000;

/** Where a list of type parameters that begins at `from` has the signs of its defaults. */
function signsIn(text: string, from: number): number[] {
  const found: number[] = [];
  let depth = 1;
  for (let at = from; at < text.length && at < from + MAX_LIST; at++) {
    const letter = text[at]!;
    if (letter === '"' || letter === "'") {
      STRING.lastIndex = at;
      if (!STRING.test(text)) return found;
      at = STRING.lastIndex - 1;
    } else if (letter === "#") {
      const end = text.indexOf("\n", at);
      if (end < 0) return found;
      at = end;
    } else if ("([{".includes(letter)) depth++;
    else if (")]}".includes(letter) && --depth === 0) return found;
    else if (
      letter === "=" && depth === 1 && !/[=!<>:]/.test(text[at - 1]!) && text[at + 1] !== "="
    ) {
      found.push(at);
    }
  }
  return found;
}

/** The text with a name in place of `type` where it is called first thing in a statement. */
export function withoutTypeCalls(text: string): string {
  return text.replace(TYPE_CALL, "$1$2kind");
}

/**
 * The text with a comma in place of each sign of a default of type parameters (PEP 696): it makes of
 * a default one more entry of the list, with all that is in it where it was.
 */
export function withoutTypeDefaults(text: string): string {
  const signs = [...text.matchAll(HEAD)].flatMap(({ index, 0: head }) =>
    signsIn(text, index + head.length)
  );
  if (signs.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const at of signs) {
    parts.push(text.slice(done, at), ",");
    done = at + 1;
  }
  return parts.join("") + text.slice(done);
}

const SPLAT = nodeTypes("list_splat");
/** What the interpreter unpacks whole, and the grammar begins with what is unpacked. */
const CHAINS = nodeTypes(
  "attribute",
  "binary_operator",
  "boolean_operator",
  "call",
  "comparison_operator",
  "conditional_expression",
  "subscript",
);

/**
 * The text with a blank in place of each star that the grammar binds too tightly: it reads `[*f(x)]`
 * as a call of `*f`. Elements stand then for what they are unpacked to, and nothing in them is hidden.
 *
 * @param tree What the grammar made of the text.
 */
export function withoutTightSplats(text: string, tree: FlatReader): string {
  const [isSplat, isChain] = [tree.is(SPLAT), tree.is(CHAINS)];
  const parts: string[] = [];
  let done = 0;
  for (let node = 1; node < tree.count; node++) {
    if (!isSplat(node) || !isChain(node - 1) || tree.depth(node - 1) >= tree.depth(node)) continue;
    const at = tree.start(node);
    parts.push(text.slice(done, at), " ");
    done = at + 1;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}
