/**
 * Syntax trees as rules see them.
 *
 * @module
 */

import type { NodeTypes } from "./node_types.ts";

/** A node of a syntax tree. Offsets are UTF-16 positions in the text. */
export interface SyntaxNode {
  /** Place in the tree: parents come before children, the root is 0. */
  readonly number: number;
  readonly type: string;
  /** Name of the parent's field that holds the node. */
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  readonly parent: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
  /** The first child in that field. */
  childIn(field: string): SyntaxNode | null;
  /** It and those below it: see {@link walk}. */
  within(types?: NodeTypes, whole?: NodeTypes): Iterable<SyntaxNode>;
  /** The node of the same tree with that number. */
  numbered(number: number): SyntaxNode;
}

/**
 * The node and every one below it, parents before children; of these types only, where they are
 * given, which is much cheaper.
 *
 * @param whole Types of nodes that are passed over with all that is below them.
 */
export function walk(
  root: SyntaxNode,
  types?: NodeTypes,
  whole?: NodeTypes,
): Iterable<SyntaxNode> {
  return root.within(types, whole);
}

/** The first child that the grammar calls `field`; null without one. */
export function child(node: SyntaxNode, field: string): SyntaxNode | null {
  return node.childIn(field);
}

export function childrenIn(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((each) => each.field === field);
}

/** The children that are neither punctuation nor comments. */
export function named(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((each) => each.named && !each.type.endsWith("comment"));
}

/** The nearest ancestor of one of these types. */
export function ancestor(node: SyntaxNode, ...types: string[]): SyntaxNode | null {
  for (let up = node.parent; up !== null; up = up.parent) if (types.includes(up.type)) return up;
  return null;
}
