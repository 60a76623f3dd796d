/**
 * Texts that mislead in what tools do, other than what they declare.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import type { AuditedServer } from "./server.ts";

const FUNCTION_BODY = /^(statement_block|arrow_function|function_expression|block)$/;

function isWithin(node: SyntaxNode, outer: ReadonlySet<SyntaxNode>): boolean {
  for (let up = node.parent; up !== null; up = up.parent) {
    // A handler that is written in the declaration is no part of what it says.
    if (FUNCTION_BODY.test(up.type)) return false;
    if (outer.has(up)) return true;
  }
  return false;
}

/** The declarations of tools and their parameters: other rules look at what these say. */
function declarations({ tools }: AuditedServer): Set<SyntaxNode> {
  const found = new Set<SyntaxNode>();
  for (const { node, body } of tools) {
    const parameters = body === null ? null : child(body, "parameters");
    for (const each of [node, parameters]) if (each !== null) found.add(each);
  }
  return found;
}

/** Findings about the strings of files that may run, other than what tools declare. */
export function undeclaredTexts(server: AuditedServer): RawFinding[] {
  const declared = declarations(server);
  return server.running.flatMap((tree) =>
    server.files.get(tree.path)!.texts
      .filter(({ node }) => !isWithin(tree.root.numbered(node), declared))
      .map(({ finding }) => finding)
  );
}
