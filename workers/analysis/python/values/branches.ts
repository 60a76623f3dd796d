/**
 * Which assignments of a function cannot reach a use of the name: those of another branch, and those
 * of a branch that leaves the function before the use.
 *
 * @module
 */
import { ancestor, named, type SyntaxNode } from "../../syntax/tree.ts";

const LOOPS = /^(for_statement|while_statement)$/;
/** Statements after whose bodies a function may go on although something in them left it. */
const CATCHES = /^(try_statement|with_statement)$/;
const LEAVES = /^(return_statement|raise_statement)$/;

/** A body of which a run of its statement takes one at most. */
interface Branch {
  statement: SyntaxNode;
  body: SyntaxNode;
}

/** The statement that `body` is a branch of; null where it is none. */
function branchOf(body: SyntaxNode): Branch | null {
  const holder = body.parent;
  if (holder === null || !/^(consequence|body)$/.test(body.field ?? "")) return null;
  if (holder.type === "if_statement") return { statement: holder, body };
  if (/^(elif_clause|else_clause)$/.test(holder.type)) {
    const statement = holder.parent;
    return statement?.type === "if_statement" ? { statement, body } : null;
  }
  if (holder.type !== "case_clause") return null;
  const statement = ancestor(holder, "match_statement");
  return statement === null ? null : { statement, body };
}

/**
 * The branches around a node in its function, the innermost first, as far as a run of the function
 * comes through them once.
 */
function branchesAround(node: SyntaxNode, around: SyntaxNode): Branch[] {
  let found: Branch[] = [];
  for (let at = node; at.number !== around.number; at = at.parent!) {
    const branch = branchOf(at);
    if (branch !== null) found.push(branch);
    // What one turn of a loop assigns, the next one finds.
    if (LOOPS.test(at.type)) found = [];
  }
  return found;
}

function isIn(node: SyntaxNode, holder: SyntaxNode): boolean {
  return node.start >= holder.start && node.end <= holder.end;
}

function leaves({ body }: Branch): boolean {
  return LEAVES.test(named(body).at(-1)?.type ?? "");
}

/** Whether a function that leaves a statement by an error or a result may go on at a node. */
function isCaughtAt(statement: SyntaxNode, around: SyntaxNode, node: SyntaxNode): boolean {
  for (let at = statement; at.number !== around.number; at = at.parent!) {
    if (CATCHES.test(at.parent!.type) && !isIn(node, at)) return true;
  }
  return false;
}

/** Whether a node is in a branch that a run of its function comes through once at most. */
export function isInBranch(node: SyntaxNode): boolean {
  const around = ancestor(node, "function_definition");
  return around !== null && branchesAround(node, around).length > 0;
}

/** Whether what is assigned at one place of a function, to a name of that function, is never what is used at another. */
export function cannotReach(assigned: SyntaxNode, used: SyntaxNode): boolean {
  const around = ancestor(assigned, "function_definition");
  if (around === null || !isIn(used, around)) return false;
  return branchesAround(assigned, around).some((branch) => {
    const { statement, body } = branch;
    if (isIn(used, body)) return false;
    if (isIn(used, statement)) return branchUsed(statement, used);
    return used.start > statement.end && leaves(branch) && !isCaughtAt(statement, around, used);
  });
}

/** Whether a use inside a statement is in one of its branches: its conditions may be looked at before. */
function branchUsed(statement: SyntaxNode, used: SyntaxNode): boolean {
  for (let at = used; at.number !== statement.number; at = at.parent!) {
    if (branchOf(at)?.statement.number === statement.number) return true;
  }
  return false;
}
