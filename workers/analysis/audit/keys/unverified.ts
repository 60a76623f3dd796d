/**
 * Keys that are sent although nobody checks who receives them: `urlopen(request, context=…)` with a
 * context that checks no certificates.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { ObservedCall } from "../flow/observed.ts";
import { UNVERIFIED } from "../python/calls.ts";
import { report } from "../rule.ts";
import { keysIn, nodesOf } from "./judge_keys.ts";
import { goingAlong, objectOf } from "./passed_on.ts";
import { looksLikeSending, makersOf } from "./senders.ts";

const CONTEXT = /^(context|verify|ssl|ssl_context|sslcontext)$/;
const CHECKS_NOTHING = /^ssl\._create_(unverified|stdlib)_context$/;
const CALLS = nodeTypes("call");
const REQUEST = /(^|\.)Request$/;

/** An expression, or what the name that it is stands for. */
function meantBy(names: PythonNames, node: SyntaxNode): SyntaxNode[] {
  const plain = plainValue(node);
  return /^(identifier|attribute)$/.test(plain.type) ? valuesOf(names, plain).values : [plain];
}

function isMade(names: PythonNames, node: SyntaxNode, by: RegExp): boolean {
  const callee = node.type === "call" ? child(node, "function") : null;
  return callee !== null && by.test(calleeOf(names, callee)?.name ?? "");
}

function checksNothing(names: PythonNames, { keywords }: CallArguments): boolean {
  return [...keywords].some(([key, value]) =>
    CONTEXT.test(key) &&
    meantBy(names, value).some((each) => isMade(names, each, CHECKS_NOTHING))
  );
}

/** What the requests that a call is given were made with, and given since: `r.add_header(…)`. */
function givenToRequests({ names, node, given }: ObservedCall): SyntaxNode[] {
  const { tree } = names;
  const around = ancestor(node, "function_definition") ?? tree.root;
  const calls = given.positional.flatMap((each) => {
    const made = meantBy(names, each).filter((maker) => isMade(names, maker, REQUEST));
    const start = `${textOf(tree, each)}.add_`;
    return made.length === 0 || each.type !== "identifier" ? made : [
      ...made,
      ...[...walk(around, CALLS)].filter((call) => textOf(tree, call).startsWith(start)),
    ];
  });
  return calls.flatMap((each) => {
    const { positional, keywords } = argumentsOf(tree, each);
    return [...positional, ...keywords.values()];
  });
}

/** The finding of a request that carries a key to whoever answers. */
export function keyToAnyone(call: ObservedCall): RawFinding | null {
  const { names } = call;
  if (!/_context\b/.test(names.tree.text) || !looksLikeSending(call)) return null;
  const object = objectOf(call);
  const makers = object === null ? [] : makersOf(call, object);
  const made = makers.map((each) => argumentsOf(names.tree, each));
  if (![call.given, ...made].some((each) => checksNothing(names, each))) return null;
  const labels = [...nodesOf(call), ...givenToRequests(call)].flatMap((
    each,
  ) => [...call.labels(each)]);
  const keys = keysIn([...labels, ...goingAlong(call, makers)]);
  if (keys.length === 0) return null;
  const title = `${keys[0]!.slice(0, 60)} is sent without a check of certificates`;
  return report(UNVERIFIED, names.tree, call.node, title);
}
