/**
 * Syntax nodes as objects. Each is made of the numbers of its tree when somebody comes to it: rules
 * look at a small part of most trees.
 *
 * @module
 */
import { type FlatTree, MAX_DEPTH, WORDS } from "./flat_tree.ts";
import type { Kind, Kinds } from "./kinds.ts";
import type { NodeTypes } from "./node_types.ts";
import type { SyntaxNode } from "./tree.ts";

/** Shared by all leaves: more than half of a tree's nodes. */
const NO_CHILDREN: readonly SyntaxNode[] = [];

/** Of each level the last node there was, while a tree's shape is found. */
const above = new Uint32Array(MAX_DEPTH + 2);

/** The nodes of a tree that were come to. As long as anybody has one of them, all are kept. */
class Nodes {
  readonly #made: (TreeNode | undefined)[];
  readonly numbers: Uint32Array;
  /** For each node its parent; the root is its own. */
  readonly parents: Uint32Array;
  /** For each node the first that is not below it. */
  readonly afters: Uint32Array;

  constructor({ nodes, depths }: FlatTree, readonly kinds: Kinds) {
    const count = depths.length;
    this.numbers = nodes;
    this.#made = new Array(count);
    this.parents = new Uint32Array(count);
    this.afters = new Uint32Array(count);
    let level = -1;
    for (let node = 0; node < count; node++) {
      const depth = depths[node]!;
      while (level >= depth) this.afters[above[level--]!] = node;
      above[depth] = node;
      level = depth;
      if (depth > 0) this.parents[node] = above[depth - 1]!;
    }
    while (level >= 0) this.afters[above[level--]!] = count;
  }

  node(number: number): TreeNode {
    return this.#made[number] ??= new TreeNode(
      this,
      number,
      this.kinds(this.numbers[WORDS * number]!),
    );
  }
}

class TreeNode implements SyntaxNode {
  readonly #nodes: Nodes;
  readonly number: number;
  readonly #kind: Kind;
  #children: readonly SyntaxNode[] | undefined;

  constructor(nodes: Nodes, number: number, kind: Kind) {
    this.#nodes = nodes;
    this.number = number;
    this.#kind = kind;
  }
  get type(): string {
    return this.#kind.type;
  }
  get field(): string | null {
    return this.#kind.field;
  }
  get named(): boolean {
    return this.#kind.named;
  }
  get start(): number {
    return this.#nodes.numbers[WORDS * this.number + 1]!;
  }
  get end(): number {
    return this.#nodes.numbers[WORDS * this.number + 2]!;
  }
  get parent(): SyntaxNode | null {
    return this.number === 0 ? null : this.#nodes.node(this.#nodes.parents[this.number]!);
  }
  get children(): readonly SyntaxNode[] {
    return this.#children ??= this.#findChildren();
  }
  #findChildren(): readonly SyntaxNode[] {
    const { afters } = this.#nodes;
    const after = afters[this.number]!;
    if (after === this.number + 1) return NO_CHILDREN;
    const found: SyntaxNode[] = [];
    for (let next = this.number + 1; next < after; next = afters[next]!) {
      found.push(this.#nodes.node(next));
    }
    return found;
  }
  childIn(field: string): SyntaxNode | null {
    const { afters, numbers, kinds } = this.#nodes;
    const after = afters[this.number]!;
    for (let next = this.number + 1; next < after; next = afters[next]!) {
      if (kinds(numbers[WORDS * next]!).field === field) return this.#nodes.node(next);
    }
    return null;
  }
  *within(types?: NodeTypes, whole?: NodeTypes): Generator<SyntaxNode> {
    const { afters, numbers, kinds } = this.#nodes;
    const after = afters[this.number]!;
    const wanted = types?.in(kinds);
    const skipped = whole?.in(kinds);
    for (let next = this.number; next < after;) {
      const kind = numbers[WORDS * next]!;
      if (skipped?.(kind)) next = afters[next]!;
      else {
        if (wanted === undefined || wanted(kind)) yield this.#nodes.node(next);
        next++;
      }
    }
  }
  numbered(number: number): SyntaxNode {
    return this.#nodes.node(number);
  }
}

export function rootOf(tree: FlatTree, kinds: Kinds): SyntaxNode {
  return new Nodes(tree, kinds).node(0);
}
