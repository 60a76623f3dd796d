/**
 * Sets of node types, which are looked up by their numbers in a grammar.
 *
 * @module
 */
import { type Kind, type Kinds, typeOfKind } from "./kinds.ts";

const UNKNOWN = 0;
const OTHER = 1;
const WANTED = 2;
/** Tree-sitter numbers types with 16 bits. */
const MOST_TYPES = 0x10000;

/** Node types to look for, in any grammar. */
export interface NodeTypes {
  /** Tells whether a kind of that grammar is of these types. */
  in(kinds: Kinds): (kind: number) => boolean;
}

export function nodeTypes(...types: readonly string[]): NodeTypes {
  const wanted = new Set(types);
  return kindsOfNode(({ type }) => wanted.has(type));
}

/** The set of the kinds for which `belongs`; it must not look at the field. */
export function kindsOfNode(belongs: (kind: Omit<Kind, "field">) => boolean): NodeTypes {
  const matchers = new Map<Kinds, (kind: number) => boolean>();

  function matcherFor(kinds: Kinds): (kind: number) => boolean {
    const known = new Uint8Array(MOST_TYPES);
    return (kind) => {
      const type = typeOfKind(kind);
      if (known[type] === UNKNOWN) known[type] = belongs(kinds(kind)) ? WANTED : OTHER;
      return known[type] === WANTED;
    };
  }
  return {
    in(kinds) {
      let matcher = matchers.get(kinds);
      if (matcher === undefined) matchers.set(kinds, matcher = matcherFor(kinds));
      return matcher;
    },
  };
}
