/**
 * The nodes of a Python module by type, and its calls with what they call, found in one walk: many
 * rules look at the same ones.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { indirectCall, withBound } from "../calls/called_with.ts";
import { calleeOf } from "../calls/callee.ts";
import type { Callee } from "../calls/callee_type.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../names.ts";

export interface ModuleCall {
  node: SyntaxNode;
  /** The expression that is called. */
  expression: SyntaxNode;
  callee: Callee | null;
  given: CallArguments;
}

/** What rules look at in a module. */
export interface ModuleNodes {
  /** Nodes of these types, those of one type in the order of the source. */
  of(...types: NodeType[]): SyntaxNode[];
  calls: readonly ModuleCall[];
}

const TYPES = [
  "string",
  "assignment",
  "pair",
  "keyword_argument",
  "attribute",
  "for_statement",
  "for_in_clause",
  "while_statement",
  "function_definition",
  "binary_operator",
] as const;
/** Types that are looked up. */
export type NodeType = typeof TYPES[number];

const WANTED = nodeTypes(...TYPES, "call");

/** Walks a module once. */
export function readNodes(names: PythonNames): ModuleNodes {
  const byType = new Map<string, SyntaxNode[]>(TYPES.map((type) => [type, []]));
  const calls: ModuleCall[] = [];
  for (const node of walk(names.tree.root, WANTED)) {
    byType.get(node.type)?.push(node);
    const expression = node.type === "call" ? child(node, "function") : null;
    if (expression === null) continue;
    const indirect = indirectCall(names, node);
    const callee = indirect?.callee ?? calleeOf(names, expression);
    const given = withBound(callee, indirect?.given ?? argumentsOf(names.tree, node));
    calls.push({ node, expression, callee, given });
  }
  return { of: (...types) => types.flatMap((type) => byType.get(type) ?? []), calls };
}
