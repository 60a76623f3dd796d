/**
 * Functions of Python servers that a client calls without a tool's declaration.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { type PythonNames, resolve } from "../names.ts";

const DECORATORS = nodeTypes("decorator");

/** A module without any of these words has none. */
const WORDS = /call_tool|resource|prompt/;

/** Functions below `@server.call_tool()`, resources and prompts. */
export function handlersOf(names: PythonNames): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  if (!WORDS.test(names.tree.text)) return found;
  for (const node of walk(names.tree.root, DECORATORS)) {
    const [expression] = named(node);
    const callee = expression?.type === "call" ? child(expression, "function") : expression;
    const meant = callee === undefined || callee === null ? null : resolve(names, callee);
    if (meant === null || !/\.(call_tool|resource|read_resource|get_prompt|prompt)$/.test(meant)) {
      continue;
    }
    const definition = node.parent === null ? null : child(node.parent, "definition");
    if (definition?.type === "function_definition") found.push(definition);
  }
  return found;
}

/** Whether a handler is that of `tools/call`, which is called for every tool. */
export function handlesCalls(names: PythonNames, handler: SyntaxNode): boolean {
  return (handler.parent?.children ?? []).some((each) => {
    const expression = each.type === "decorator" ? named(each)[0] : undefined;
    const callee = expression?.type === "call" ? child(expression, "function") : expression;
    return callee !== undefined && callee !== null &&
      /\.call_tool$/.test(resolve(names, callee) ?? "");
  });
}
