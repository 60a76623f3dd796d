/**
 * What functions put into the errors that they raise: a tool's client is told it.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { type Label, labelsOf, type Reader } from "./labels.ts";
import type { Scope } from "./scope.ts";

const RAISES = nodeTypes("raise_statement");
const CALLS = nodeTypes("call");

/**
 * Labels in the errors that a body raises.
 *
 * @param scope What the body's names hold; asked for where something is raised.
 * @param called Labels in the errors of a function of the project that the body calls.
 */
export function raisedIn(
  reader: Reader,
  body: SyntaxNode,
  scope: () => Scope,
  called?: (name: string) => ReadonlySet<Label>,
): Set<Label> {
  const found = new Set<Label>();
  const raised = [...walk(body, RAISES)].flatMap((node) => named(node).slice(0, 1));
  if (raised.length > 0) {
    const held = scope();
    for (const each of raised) {
      // An error is made of what it is given.
      const list = each.type === "call" ? child(each, "arguments") : null;
      for (const value of list === null ? [each] : named(list)) {
        labelsOf(reader, held, value, found);
      }
    }
  }
  if (called === undefined) return found;
  const names = new Set([...walk(body, CALLS)].flatMap((node) => {
    const callee = child(node, "function");
    const name = callee === null ? undefined : calleeOf(reader.names, callee)?.name;
    return name === undefined ? [] : [name];
  }));
  for (const name of names) {
    for (const label of called(name)) if (!/^(param|var-of):/.test(label)) found.add(label);
  }
  return found;
}
