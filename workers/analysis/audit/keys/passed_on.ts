/**
 * Functions and classes of a project that send some of what they are given to where they are told:
 * `Client(url, key)`. Each object has its own address and key, which are judged where it is made.
 *
 * @module
 */
import { argumentsOf } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { Label } from "../flow/labels.ts";
import type { ObservedCall, Sending } from "../flow/observed.ts";
import { isAddress, looksLikeSending, makersOf, maySend } from "./senders.ts";

/** Arguments with which a client is made, of what goes along with each of its requests. */
const GOES_ALONG = /^(headers|auth|params|cookies|data|default_headers|api_key|token)$/;

/** `session` in `session.get(…)`. */
export function objectOf({ node }: ObservedCall): SyntaxNode | null {
  const expression = child(node, "function");
  return expression?.type === "attribute" ? child(expression, "object") : null;
}

/** A request that was made before: `r` in `session.send(r)` and `session.send(r.prepare())`. */
function requestOf(call: ObservedCall, given: SyntaxNode): SyntaxNode[] {
  const { tree } = call.names;
  if (!/\.(send|urlopen|open)$/.test(textOf(tree, child(call.node, "function") ?? call.node))) {
    return [];
  }
  const callee = given.type === "call" ? child(given, "function") : null;
  const isPrepared = callee?.type === "attribute" && /\.prepare$/.test(textOf(tree, callee));
  const request = isPrepared ? child(callee, "object") : given;
  return request?.type === "identifier" ? [request] : [];
}

const CALLS = nodeTypes("call");

/** The openers that a module has all of `urllib.request` use. */
function installedFor({ names, callee }: ObservedCall): SyntaxNode[] {
  const { tree } = names;
  if (callee?.name !== "urllib.request.urlopen" || !tree.text.includes("install_opener")) return [];
  return [...walk(tree.root, CALLS)]
    .filter((each) => /(^|\.)install_opener$/.test(textOf(tree, child(each, "function")!)))
    .flatMap((each) => argumentsOf(tree, each).positional);
}

/** What goes along with a request of a client: what the client was made with, and given since. */
export function goingAlong(call: ObservedCall, makers: readonly SyntaxNode[]): Set<Label> {
  const object = objectOf(call);
  const found = new Set(object === null ? [] : call.stored(object));
  for (const label of call.hooked(object, makers)) found.add(label);
  for (const opener of installedFor(call)) {
    for (const label of call.stored(opener)) found.add(label);
  }
  for (const request of call.given.positional.flatMap((each) => requestOf(call, each))) {
    for (const label of call.stored(request)) found.add(label);
  }
  for (const maker of makers) {
    for (const [key, value] of argumentsOf(call.names.tree, maker).keywords) {
      if (!GOES_ALONG.test(key)) continue;
      for (const label of call.labels(value)) found.add(label);
    }
  }
  return found;
}

function parametersIn(labels: Iterable<Label>): string[] {
  return [...labels].filter((label) => label.startsWith("param:")).map((label) => label.slice(6));
}

/** What a call within a function sends of the function's parameters; null when nothing. */
export function sendingOf(call: ObservedCall): Sending | null {
  if (!looksLikeSending(call)) return null;
  const object = objectOf(call);
  const makers = object === null ? [] : makersOf(call, object);
  const { positional, keywords } = call.given;
  const addresses = [...keywords].filter(([key]) => isAddress(key)).map(([, value]) => value);
  const others = [...keywords].filter(([key]) => !isAddress(key)).map(([, value]) => value);
  const along = goingAlong(call, makers);
  const of = (nodes: readonly SyntaxNode[]) =>
    nodes.flatMap((each) => parametersIn(call.labels(each)));
  const made = makers.flatMap((maker) =>
    [...argumentsOf(call.names.tree, maker).keywords].filter(([key]) => isAddress(key))
      .map(([, value]) => value)
  );
  const to = of([...positional, ...addresses, ...made]);
  const what = [...of([...positional, ...others]), ...parametersIn(along)];
  if (to.length === 0 || what.length === 0 || !maySend(call, makers)) return null;
  return { to, what };
}
