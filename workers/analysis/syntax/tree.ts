/**
 * Syntax trees as rules see them.
 *
 * @module
 */

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
}

/** Every node from `root` down, parents before children, without recursion. */
export function* walk(root: SyntaxNode): Generator<SyntaxNode> {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}

/** The child in that field. */
export function child(node: SyntaxNode, field: string): SyntaxNode | null {
  return node.children.find((each) => each.field === field) ?? null;
}

/** The children in that field. */
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
