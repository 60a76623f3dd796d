/**
 * Syntax trees as plain objects. The parser's tree is walked once with one cursor and then freed:
 * queries may take quadratic time on hostile input, and nothing after this depends on the engine.
 *
 * @module
 */
import type { TreeCursor } from "web-tree-sitter";

/** A node of a syntax tree. Offsets are UTF-16 positions in the text. */
export interface SyntaxNode {
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

/** A tree with its measures, or why there is none. */
export type Converted =
  | { kind: "tree"; root: SyntaxNode; nodes: number; depth: number }
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

/** Shared by all leaves: more than half of a tree's nodes. */
const NO_CHILDREN: readonly SyntaxNode[] = [];

/** What a node is: shared by all that are the same, since there are millions of nodes. */
interface Kind {
  type: string;
  field: string | null;
  named: boolean;
}

/** Kinds that a grammar's trees have had so far, by type and field. */
export type Kinds = Map<number, Kind>;

const FIELDS = 4096;

function kindAt(cursor: TreeCursor, kinds: Kinds): Kind {
  const key = cursor.nodeTypeId * FIELDS + cursor.currentFieldId;
  let kind = kinds.get(key);
  if (kind === undefined) {
    const { nodeType: type, currentFieldName: field, nodeIsNamed: named } = cursor;
    kinds.set(key, kind = { type, field, named });
  }
  return kind;
}

class Place {
  constructor(
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

class Leaf extends Place implements SyntaxNode {
  get children(): readonly SyntaxNode[] {
    return NO_CHILDREN;
  }
}

class Branch extends Place implements SyntaxNode {
  children: SyntaxNode[] = [];
}

/** The tree below `cursor` as plain objects. */
export function convert(cursor: TreeCursor, kinds: Kinds): Converted {
  const root = new Branch(kindAt(cursor, kinds), cursor.startIndex, cursor.endIndex, null);
  let nodes = 1;
  let level = 0;
  let depth = 0;
  // Error recovery flattens unclosed brackets, which other engines still take for nesting.
  let open = 0;
  let parent = root;
  let more = cursor.gotoFirstChild();
  if (more) level = depth = 1;
  while (more) {
    const kind = kindAt(cursor, kinds);
    const { startIndex: start, endIndex: end } = cursor;
    const down = cursor.gotoFirstChild();
    const node = down ? new Branch(kind, start, end, parent) : new Leaf(kind, start, end, parent);
    parent.children.push(node);
    if (++nodes > MAX_NODES) {
      return { kind: "refused", reason: `more than ${MAX_NODES} syntax nodes` };
    }
    if (!kind.named) open += BRACKETS[kind.type] ?? 0;
    if (down) level++;
    depth = Math.max(depth, level, open);
    if (depth > MAX_DEPTH) {
      return { kind: "refused", reason: `nested deeper than ${MAX_DEPTH} levels` };
    }
    if (node instanceof Branch) {
      parent = node;
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      // A list that grew has room for a dozen more: in a million nodes that is most of the memory.
      parent.children = parent.children.slice();
      if (!cursor.gotoParent() || --level === 0) {
        more = false;
        break;
      }
      parent = parent.parent ?? root;
    }
  }
  return { kind: "tree", root, nodes, depth };
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
