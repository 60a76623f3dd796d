/**
 * What Python functions give back.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const RETURNS = nodeTypes("return_statement", "yield");

/** What a function gives back. */
export function returnsOf(definition: SyntaxNode): SyntaxNode[] {
  const body = child(definition, "body");
  if (body === null) return [];
  if (definition.type === "lambda") return [body];
  return [...walk(body, RETURNS)]
    .filter((each) => ancestor(each, "function_definition", "lambda")?.number === definition.number)
    .flatMap((each) => named(each));
}
