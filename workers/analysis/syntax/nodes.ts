/**
 * Syntax nodes as objects. Each is made of the numbers of its tree when somebody comes to it: rules
 * look at a small part of most trees.
 *
 * @module
 */
import { type FlatTree, MAX_DEPTH, WORDS } from "./flat_tree.ts";
import { fieldOfKind, type Kind, type Kinds } from "./kinds.ts";
import type { NodeTypes } from "./node_types.ts";
import type { SyntaxNode } from "./tree.ts";

/** Shared by all leaves: more than half of a tree's nodes. */
const NO_CHILDREN: readonly SyntaxNode[] = [];
const NONE = new Uint32Array(0);

/** Of each level the last node there was, while a tree's shape is found. */
const above = new Uint32Array(MAX_DEPTH + 2);

/** The numbers of fields by name, as far as they were met, for each grammar. */
const fieldsOf = new WeakMap<Kinds, Map<string, number>>();

function fieldsIn(kinds: Kinds): Map<string, number> {
  let fields = fieldsOf.get(kinds);
  if (fields === undefined) fieldsOf.set(kinds, fields = new Map());
  return fields;
}

/** The first place at or after `from` where `list`, which is in order, has `number` or a greater one. */
function placeOf(list: Uint32Array, number: number, from = 0): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The nodes of a tree that were come to. As long as anybody has one of them, all are kept. */
class Nodes {
  readonly #made: (TreeNode | undefined)[];
  /** The nodes of types that were asked for: rules ask for the same ones in many functions. */
  readonly #listed = new Map<NodeTypes, Uint32Array>();
  readonly numbers: Uint32Array;
  /** For each node its parent; the root is its own. */
  readonly parents: Uint32Array;
  /** For each node the first that is not below it. */
  readonly afters: Uint32Array;
  readonly fields: Map<string, number>;

  constructor({ nodes, depths }: FlatTree, readonly kinds: Kinds) {
    const count = depths.length;
    this.numbers = nodes;
    this.fields = fieldsIn(kinds);
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

  /** The numbers of all nodes of these types, in order. */
  of(types: NodeTypes): Uint32Array {
    let list = this.#listed.get(types);
    if (list === undefined) {
      const wanted = types.in(this.kinds);
      const found: number[] = [];
      for (let node = 0; node < this.afters.length; node++) {
        if (wanted(this.numbers[WORDS * node]!)) found.push(node);
      }
      this.#listed.set(types, list = Uint32Array.from(found));
    }
    return list;
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
    const { afters, numbers, kinds, fields } = this.#nodes;
    const after = afters[this.number]!;
    const wanted = fields.get(field);
    for (let next = this.number + 1; next < after; next = afters[next]!) {
      const kind = numbers[WORDS * next]!;
      if (wanted === undefined ? kinds(kind).field !== field : fieldOfKind(kind) !== wanted) {
        continue;
      }
      if (wanted === undefined) fields.set(field, fieldOfKind(kind));
      return this.#nodes.node(next);
    }
    return null;
  }
  within(types?: NodeTypes, whole?: NodeTypes): Iterable<SyntaxNode> {
    return types === undefined ? this.#all(whole) : this.#ofTypes(types, whole);
  }
  *#all(whole?: NodeTypes): Generator<SyntaxNode> {
    const { afters, numbers, kinds } = this.#nodes;
    const after = afters[this.number]!;
    const skipped = whole?.in(kinds);
    for (let next = this.number; next < after;) {
      if (skipped?.(numbers[WORDS * next]!)) next = afters[next]!;
      else yield this.#nodes.node(next++);
    }
  }
  *#ofTypes(types: NodeTypes, whole?: NodeTypes): Generator<SyntaxNode> {
    const { afters } = this.#nodes;
    const after = afters[this.number]!;
    const list = this.#nodes.of(types);
    const skipped = whole === undefined ? NONE : this.#nodes.of(whole);
    let skip = placeOf(skipped, this.number);
    for (let at = placeOf(list, this.number); at < list.length;) {
      const next = list[at]!;
      if (next >= after) return;
      if (skip < skipped.length && skipped[skip]! <= next) {
        const end = afters[skipped[skip]!]!;
        at = placeOf(list, end, at);
        skip = placeOf(skipped, end, skip);
      } else {
        yield this.#nodes.node(next);
        at++;
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
