/**
 * Syntax trees as numbers. The parser's tree is walked once with one cursor and then freed: queries
 * may take quadratic time on hostile input. Numbers take a sixth of the memory of objects and can be
 * shared between threads; objects are made of them where rules look.
 *
 * @module
 */
import type { TreeCursor } from "web-tree-sitter";
import type { SyntaxNode } from "./tree.ts";

/** A tree as numbers, its nodes with parents before children, in shared memory. */
export interface FlatTree {
  /** For each node its kind (of the grammar), start and end (UTF-16 positions in the text). */
  nodes: Uint32Array;
  /** For each node how deep it is; the root is 0. */
  depths: Uint16Array;
}

/** A tree, or why there is none. */
export type Flattened =
  | { kind: "tree"; tree: FlatTree }
  | { kind: "refused"; reason: string };

/** Most nodes of one file. */
export const MAX_NODES = 1_500_000;
/** Deepest nesting; engines that recurse overflow their stack a little above it. */
export const MAX_DEPTH = 1000;

const BRACKETS: Record<string, number> = {
  "(": 1,
  "[": 1,
  "{": 1,
  ")": -1,
  "]": -1,
  "}": -1,
};

/** What a node is: shared by all that are the same, since there are millions of nodes. */
export interface Kind {
  type: string;
  field: string | null;
  named: boolean;
}

/** The kinds of a grammar, by the number that flat trees have for them. */
export type Kinds = (kind: number) => Kind;

/** Fields of a grammar are fewer. */
const FIELDS = 4096;

/** The numbers of type and field that are in the number of a kind. */
export function partsOfKind(kind: number): { type: number; field: number } {
  return { type: Math.floor(kind / FIELDS), field: kind % FIELDS };
}

const WORDS = 3;

/** Numbers for a file of any size: grown here, copied to where they are kept. */
let nodes = new Uint32Array(WORDS * 65_536);
let depths = new Uint16Array(65_536);

function grow(): void {
  const more = new Uint32Array(nodes.length * 2);
  more.set(nodes);
  nodes = more;
  const deeper = new Uint16Array(depths.length * 2);
  deeper.set(depths);
  depths = deeper;
}

function kept(count: number): FlatTree {
  const bytes = count * (WORDS * Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT);
  const memory = new SharedArrayBuffer(bytes);
  const tree: FlatTree = {
    nodes: new Uint32Array(memory, 0, WORDS * count),
    depths: new Uint16Array(memory, WORDS * count * Uint32Array.BYTES_PER_ELEMENT, count),
  };
  tree.nodes.set(nodes.subarray(0, WORDS * count));
  tree.depths.set(depths.subarray(0, count));
  return tree;
}

/** The tree below `cursor` as numbers. */
export function flatten(cursor: TreeCursor, kinds: Kinds): Flattened {
  let count = 0;
  let level = 0;
  // Error recovery flattens unclosed brackets, which other engines still take for nesting.
  let open = 0;
  for (;;) {
    const kind = cursor.nodeTypeId * FIELDS + cursor.currentFieldId;
    if (count === depths.length) grow();
    nodes[WORDS * count] = kind;
    nodes[WORDS * count + 1] = cursor.startIndex;
    nodes[WORDS * count + 2] = cursor.endIndex;
    depths[count] = level;
    if (++count > MAX_NODES) {
      return { kind: "refused", reason: `more than ${MAX_NODES} syntax nodes` };
    }
    const { named, type } = kinds(kind);
    if (!named) open += BRACKETS[type] ?? 0;
    if (level > MAX_DEPTH || open > MAX_DEPTH) {
      return { kind: "refused", reason: `nested deeper than ${MAX_DEPTH} levels` };
    }
    if (cursor.gotoFirstChild()) {
      level++;
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || --level === 0) return { kind: "tree", tree: kept(count) };
    }
  }
}

/** Reads a tree without making objects, for what looks at every node: nodes by their numbers. */
export interface FlatReader {
  readonly count: number;
  kind(node: number): Kind;
  start(node: number): number;
  end(node: number): number;
  depth(node: number): number;
  /** The first node that is not below `node`. */
  after(node: number): number;
  children(node: number): number[];
}

/** A reader of a tree. */
export function flatReader({ nodes, depths }: FlatTree, kinds: Kinds): FlatReader {
  const count = depths.length;
  function after(node: number): number {
    const depth = depths[node]!;
    let next = node + 1;
    while (next < count && depths[next]! > depth) next++;
    return next;
  }
  return {
    count,
    after,
    kind: (node) => kinds(nodes[WORDS * node]!),
    start: (node) => nodes[WORDS * node + 1]!,
    end: (node) => nodes[WORDS * node + 2]!,
    depth: (node) => depths[node]!,
    children(node) {
      const found: number[] = [];
      const last = after(node);
      for (let child = node + 1; child < last; child = after(child)) found.push(child);
      return found;
    },
  };
}

class Place {
  constructor(
    readonly number: number,
    readonly kind: Kind,
    readonly start: number,
    readonly end: number,
    readonly parent: Branch | null,
  ) {}
  get type(): string {
    return this.kind.type;
  }
  get field(): string | null {
    return this.kind.field;
  }
  get named(): boolean {
    return this.kind.named;
  }
}

/** Shared by all leaves: more than half of a tree's nodes. */
const NO_CHILDREN: readonly SyntaxNode[] = [];

class Leaf extends Place implements SyntaxNode {
  get children(): readonly SyntaxNode[] {
    return NO_CHILDREN;
  }
}

class Branch extends Place implements SyntaxNode {
  readonly children: SyntaxNode[];

  constructor(
    number: number,
    kind: Kind,
    start: number,
    end: number,
    parent: Branch | null,
    children: number,
  ) {
    super(number, kind, start, end, parent);
    // A list that grows has room for a dozen more: in a million nodes that is most of the memory.
    this.children = new Array(children);
  }
}

/** How many children each node has. */
function childCounts(depths: Uint16Array): Uint32Array {
  const counts = new Uint32Array(depths.length);
  const above = new Uint32Array(MAX_DEPTH + 2);
  for (let i = 0; i < depths.length; i++) {
    const depth = depths[i]!;
    above[depth] = i;
    if (depth > 0) counts[above[depth - 1]!]!++;
  }
  return counts;
}

/** Makes the objects of a tree; gives the root. */
export function objectsOf({ nodes, depths }: FlatTree, kinds: Kinds): SyntaxNode {
  const counts = childCounts(depths);
  const branches: Branch[] = [];
  const filled = new Uint32Array(MAX_DEPTH + 2);
  for (let i = 0; i < depths.length; i++) {
    const depth = depths[i]!;
    const kind = kinds(nodes[WORDS * i]!);
    const start = nodes[WORDS * i + 1]!;
    const end = nodes[WORDS * i + 2]!;
    const parent = depth === 0 ? null : branches[depth - 1]!;
    const count = counts[i]!;
    let node: SyntaxNode;
    if (count > 0 || parent === null) {
      node = branches[depth] = new Branch(i, kind, start, end, parent, count);
      filled[depth] = 0;
    } else node = new Leaf(i, kind, start, end, parent);
    if (parent !== null) parent.children[filled[depth - 1]!++] = node;
  }
  return branches[0]!;
}

/** The node with that number, which must be below `root`. */
export function nodeWith(root: SyntaxNode, number: number): SyntaxNode {
  let node = root;
  while (node.number !== number) {
    // Numbers rise along the children: it is in the last that does not come after it.
    const { children } = node;
    let low = 0;
    let high = children.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (children[middle]!.number <= number) low = middle;
      else high = middle;
    }
    node = children[low]!;
  }
  return node;
}
