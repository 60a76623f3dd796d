/**
 * Syntax trees as numbers. The parser's tree is walked once with one cursor and then freed: queries
 * may take quadratic time on hostile input. Numbers take a sixth of the memory of objects and can be
 * shared between threads; objects are made of them where rules look (see `nodes.ts`).
 *
 * @module
 */
import type { EngineCursor } from "./engine.ts";
import { FIELD_BITS, type Kind, type Kinds } from "./kinds.ts";
import type { NodeTypes } from "./node_types.ts";

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

/** Numbers of each node in `FlatTree.nodes`: kind, start, end. */
export const WORDS = 3;

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

/**
 * Trees share blocks of this many bytes: they stay for a whole scan, and scattered among what comes
 * and goes they would keep the allocator from giving that back.
 */
const BLOCK = 1 << 20;
let block = new SharedArrayBuffer(0);
let used = 0;

/** Where `bytes` are free, for numbers of four bytes. */
function place(bytes: number): { memory: SharedArrayBuffer; at: number } {
  if (bytes > BLOCK / 4) return { memory: new SharedArrayBuffer(bytes), at: 0 };
  if (used + bytes > block.byteLength) {
    block = new SharedArrayBuffer(BLOCK);
    used = 0;
  }
  const at = used;
  used += Math.ceil(bytes / 4) * 4;
  return { memory: block, at };
}

function kept(count: number): FlatTree {
  const words = WORDS * count * Uint32Array.BYTES_PER_ELEMENT;
  const { memory, at } = place(words + count * Uint16Array.BYTES_PER_ELEMENT);
  const tree: FlatTree = {
    nodes: new Uint32Array(memory, at, WORDS * count),
    depths: new Uint16Array(memory, at + words, count),
  };
  tree.nodes.set(nodes.subarray(0, WORDS * count));
  tree.depths.set(depths.subarray(0, count));
  return tree;
}

/** The tree whose root `cursor` is at, as numbers. */
export function flatten(cursor: EngineCursor, kinds: Kinds): Flattened {
  let count = 0;
  let level = 0;
  // Error recovery flattens unclosed brackets, which other engines still take for nesting.
  let open = 0;
  for (;;) {
    const kind = cursor.type() << FIELD_BITS | cursor.field();
    if (count === depths.length) grow();
    nodes[WORDS * count] = kind;
    nodes[WORDS * count + 1] = cursor.start();
    nodes[WORDS * count + 2] = cursor.end();
    depths[count] = level;
    if (++count > MAX_NODES) {
      return { kind: "refused", reason: `more than ${MAX_NODES} syntax nodes` };
    }
    const { named, type } = kinds(kind);
    if (!named) open += BRACKETS[type] ?? 0;
    if (level > MAX_DEPTH || open > MAX_DEPTH) {
      return { kind: "refused", reason: `nested deeper than ${MAX_DEPTH} levels` };
    }
    if (cursor.toFirstChild()) {
      level++;
      continue;
    }
    while (!cursor.toNextSibling()) {
      if (!cursor.toParent() || --level === 0) return { kind: "tree", tree: kept(count) };
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
  /** Tells whether a node is of these types. */
  is(types: NodeTypes): (node: number) => boolean;
}

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
    is(types) {
      const matches = types.in(kinds);
      return (node) => matches(nodes[WORDS * node]!);
    },
  };
}
