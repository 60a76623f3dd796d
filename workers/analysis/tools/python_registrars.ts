/**
 * What registers a tool in a Python module: decorators, methods of servers, partials of both.
 *
 * @module
 */
import { dottedText, firstPart, type PythonNames, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../syntax/tree.ts";
import {
  type Given,
  givenBack,
  givenOf,
  joined,
  madeBy,
  NOTHING_GIVEN,
  partialOf,
} from "./python_given.ts";
import type { Constants, Expression } from "./python_modules.ts";

/** Frameworks whose `tool` decorator makes no MCP tool. */
const FOREIGN =
  /^(langchain|langchain_core|langgraph|crewai|smolagents|llama_index|agents|autogen|haystack|pydantic_ai|strands|claude_agent_sdk|google|openai|dspy)(\.|$)/;
type Kind = "tool" | "add_tool" | "Tool" | null;

const SDK = /^(mcp|fastmcp|mcp_types)\./;

/** Whether a name is the SDK's, also where the module calls its own server `mcp`. */
function isOfSdk(names: PythonNames, node: SyntaxNode, meant: string | null): boolean {
  const written = dottedText(names.tree, node) ?? "";
  const head = firstPart(written);
  const imported = names.bindings.get(head);
  return SDK.test(meant ?? "") ||
    (imported !== undefined && SDK.test(imported + written.slice(head.length)));
}

/** What kind of registering a callee does, by its name. */
export function kindOf(names: PythonNames, callee: SyntaxNode): Kind {
  const meant = resolve(names, callee);
  // `get_server().tool`, `self.servers[0].tool`: not a plain chain, but still an attribute.
  const last = callee.type === "attribute" ? child(callee, "attribute") : null;
  const name = meant?.split(".").at(-1) ?? (last === null ? "" : textOf(names.tree, last));
  if (name === "add_tool") return "add_tool";
  if (name === "tool") {
    if (callee.type === "attribute") return meant !== null && FOREIGN.test(meant) ? null : "tool";
    // A bare `tool` must come from somewhere: an import or `tool = server.tool`.
    return meant !== null && meant !== "tool" && !FOREIGN.test(meant) ? "tool" : null;
  }
  return name === "Tool" && isOfSdk(names, callee, meant) ? "Tool" : null;
}

/** What an expression registers with when it is called or decorates: the arguments so far. */
export interface Registrar {
  kind: Kind;
  bound: Given;
  /** Whether it waits for nothing but the function. */
  ready: boolean;
}

/** Whether a name may stand for a decorator that was made before. */
function isKept(constants: Constants, names: PythonNames, node: SyntaxNode): boolean {
  const last = node.type === "attribute" ? child(node, "attribute") : node;
  if (last?.type !== "identifier") return false;
  const meant = names.bindings.get(textOf(names.tree, last))?.split(".").at(-1);
  return constants.kept.has(textOf(names.tree, last)) ||
    (meant !== undefined && constants.kept.has(meant));
}

/** What a callee registers: `mcp.tool`, a partial of it, a decorator kept under a name. */
export function registrarOf(
  constants: Constants,
  { names, node }: Expression,
  hops = 0,
): Registrar {
  const kind = kindOf(names, node);
  if (kind !== null || hops > 3) return { kind, bound: NOTHING_GIVEN, ready: false };
  const made = node.type === "call"
    ? givenBack(constants, { names, node })
    : isKept(constants, names, node)
    ? madeBy(constants, { names, node })
    : null;
  const none = { kind: null, bound: NOTHING_GIVEN, ready: false };
  if (made === null) return none;
  const partial = partialOf(constants, made);
  if (partial !== null) {
    const inner = registrarOf(constants, partial.callee, hops + 1);
    return { ...inner, bound: joined(inner.bound, partial.bound) };
  }
  const callee = child(made.node, "function");
  if (callee === null) return none;
  const inner = registrarOf(constants, { names: made.names, node: callee }, hops + 1);
  return inner.kind !== "tool"
    ? none
    : { ...inner, bound: joined(inner.bound, givenOf(constants, made)), ready: true };
}
