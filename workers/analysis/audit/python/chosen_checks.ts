/**
 * Checks of certificates and signatures that are left out for a reason the source states: the user asks
 * for it, the chain is still verified, the token is the program's own.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { valuesOf } from "../../python/values/assigned.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode } from "../../syntax/tree.ts";

const OPTION =
  /verif|insecure|\bssl|\btls|_ssl|_tls|cert|self_?signed|strict|unsafe|check_hostname/i;
const NO_CHAIN = /CERT_NONE|_create_unverified_context/;
const MAX_CONDITION = 300;

/** Whether a place runs only where a setting of the user turns checks off. */
export function isOption(names: PythonNames, node: SyntaxNode): boolean {
  for (let at: SyntaxNode = node; at.parent !== null; at = at.parent) {
    const { parent } = at;
    if (parent.type === "function_definition" || parent.type === "module") return false;
    const condition = parent.type === "conditional_expression"
      ? named(parent)[1] ?? null
      : /^(if_statement|elif_clause)$/.test(parent.type)
      ? child(parent, "condition")
      : null;
    if (condition === null || condition === at) continue;
    const text = textOf(names.tree, condition).slice(0, MAX_CONDITION);
    // A condition that always holds is no option.
    if (OPTION.test(text) && !/^(not\s+)?(True|False|None|\d+|["'])/.test(text)) return true;
  }
  return false;
}

/** Whether only the host's name goes unchecked in the function around a place. */
export function keepsChain(names: PythonNames, node: SyntaxNode): boolean {
  const around = ancestor(node, "function_definition") ?? names.tree.root;
  return !NO_CHAIN.test(textOf(names.tree, around));
}

/** Whether a token is one that the program has just made. */
export function isOwnToken(names: PythonNames, token: SyntaxNode): boolean {
  const { values, open } = valuesOf(names, token);
  return !open && values.length > 0 && values.every((value) => {
    const call = value.type === "await" ? value.children.at(-1)! : value;
    const callee = call.type === "call" ? child(call, "function") : null;
    const name = callee === null ? "" : textOf(names.tree, callee);
    return /(^|[._])(create|issue|mint|make|generate|build|encode|sign)\w*$/i.test(name) &&
      /token|jwt|encode/i.test(name);
  });
}
