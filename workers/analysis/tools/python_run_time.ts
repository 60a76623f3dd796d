/**
 * Python that makes tools in ways that its source does not name: what it lists is known only while
 * it runs.
 *
 * @module
 */
import { stringValue } from "../python/values/literals.ts";
import { mentions } from "../python/reach/mentions.ts";
import { argumentsOf, type PythonNames, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../syntax/tree.ts";
import { isFollowed } from "./python_given.ts";
import type { Constants } from "./python_modules.ts";

/** Calls that add tools which the source does not name. */
const COMPUTED =
  /(^|\.)(from_openapi|from_fastapi|from_openapi_spec|as_proxy|create_proxy|import_server|mount|add_provider|add_transformed_tool|register_all|register_tools)$/;
/** A module without any of these words makes none. */
export const RUN_TIME_WORDS =
  /from_openapi|from_fastapi|as_proxy|create_proxy|import_server|mount|add_provider|register_all/;

/** Tools read from data, or made from other tools. */
const READ =
  /(^|\.)(\w*Tool|ListToolsResult)\.(model_validate|model_validate_json|model_construct|parse_obj|parse_raw|from_tool)$/;
const COPY = /(^|\.)model_copy$/;
const NAMES_IT = /["']name["']|\bname\s*=/;

/** Classes of the SDKs, and what of them decides which tools are listed. */
const SERVING = /\b(FastMCP|MCPServer|Middleware|\w*Provider|ToolManager)\b/;
const LISTING = new Set([
  ...["list_tools", "_list_tools", "_mcp_list_tools", "get_tools", "_get_tools", "on_list_tools"],
  ...["list_tools_mcp", "_list_tools_mcp", "_list_tools_middleware"],
]);
/** A module with neither has no such key; escapes may spell one. */
const SCHEMA = /input_?schema|\\[xuUN0-7]/i;
const SCHEMA_KEYS = new Set(["inputSchema", "input_schema"]);

function isRegistering(names: PythonNames, node: SyntaxNode): boolean {
  if (node.type !== "attribute") return false;
  const last = child(node, "attribute");
  return last !== null && /^(tool|add_tool)$/.test(textOf(names.tree, last));
}

function isCopyOfTool(names: PythonNames, call: SyntaxNode, callee: string): boolean {
  if (!COPY.test(callee)) return false;
  const list = child(call, "arguments");
  return list !== null && NAMES_IT.test(textOf(names.tree, list));
}

function fromCall(names: PythonNames, constants: Constants, node: SyntaxNode): boolean {
  const callee = child(node, "function");
  if (callee === null) return false;
  const meant = resolve(names, callee) ?? textOf(names.tree, callee);
  if (COMPUTED.test(meant) || READ.test(meant) || isCopyOfTool(names, node, meant)) return true;
  // What registers is handed on: to map, a function of the server's own, functools.partial.
  const { positional, keywords } = argumentsOf(names.tree, node);
  if ([...positional, ...keywords.values()].some((given) => isRegistering(names, given))) {
    return !/^(functools\.)?partial$/.test(meant) || !isFollowed(constants, names, node);
  }
  // `tool = server.tool()`: what it decorates later.
  const { parent } = node;
  return isRegistering(names, callee) && parent !== null &&
    ["assignment", "return_statement", "named_expression"].includes(parent.type) &&
    positional.every((given) => stringValue(names.tree.text, given) !== null) &&
    !isFollowed(constants, names, node);
}

function fromClass(names: PythonNames, node: SyntaxNode): boolean {
  const bases = child(node, "superclasses");
  const body = child(node, "body");
  if (bases === null || body === null || !SERVING.test(textOf(names.tree, bases))) return false;
  return named(body).some((member) => {
    const name = member.type === "function_definition" ? child(member, "name") : null;
    return name !== null && LISTING.has(textOf(names.tree, name));
  });
}

function fromPair(names: PythonNames, node: SyntaxNode): boolean {
  const key = child(node, "key");
  return key !== null && SCHEMA_KEYS.has(stringValue(names.tree.text, key) ?? "");
}

/** Whether `node`, a call, class or pair of a dictionary, makes tools that nobody can name. */
export function makesTools(names: PythonNames, constants: Constants, node: SyntaxNode): boolean {
  switch (node.type) {
    case "call":
      return fromCall(names, constants, node);
    case "class_definition":
      return fromClass(names, node);
    case "pair":
      return mentions(names, SCHEMA) && fromPair(names, node);
    default:
      return false;
  }
}
