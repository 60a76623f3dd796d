/**
 * Which of its parameters a function of the project hands on from the beginning: `def command(x):
 * return [x, "-l"]` lets its caller choose a program, `return ["git", x]` does not.
 *
 * @module
 */
import type { PythonNames } from "../../../python/names.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { bind, BINDS_NAMES, grow } from "../assigning.ts";
import { guardedNames } from "../checks/guards.ts";
import type { Reader } from "../labels.ts";
import { Scope } from "../scope.ts";
import { callerLabels, leadingParameters, leadOf } from "./lead.ts";
import { isWholeOrNothing } from "./whole.ts";
import { lambdaOf } from "../named_functions.ts";
import type { FindFunction } from "../observed.ts";
import { ownParameters } from "../parameters.ts";

const BINDS_AND_CALLS = nodeTypes(...BINDS_NAMES, "call");
const RESULTS = nodeTypes("return_statement", "yield");
const MAX_DEPTH = 12;

/** The parameters that a function's results begin with, and those that they are. */
interface OwnLeads {
  leading: readonly string[];
  whole: readonly string[];
}

const NONE: OwnLeads = { leading: [], whole: [] };

const known = new WeakMap<PythonNames, Map<number, OwnLeads>>();
let depth = 0;

/** What names hold at the end of a function that begins with `scope`. */
export function scopeAtEnd(reader: Reader, body: SyntaxNode, scope: Scope): Scope {
  for (const node of walk(body, BINDS_AND_CALLS)) {
    if (node.type === "call") grow(reader, scope, node);
    else bind(reader, scope, node);
  }
  return scope;
}

function leadsOf(
  { names, definition }: NonNullable<ReturnType<FindFunction>>,
  find: FindFunction,
  readerOf: (names: PythonNames) => Reader,
): OwnLeads {
  let all = known.get(names);
  if (all === undefined) known.set(names, all = new Map());
  const told = all.get(definition.number);
  if (told !== undefined) return told;
  // Set first, so that functions that call each other come to an end.
  all.set(definition.number, NONE);
  const body = child(definition, "body");
  if (body === null || depth > MAX_DEPTH) return NONE;
  depth++;
  const reader = readerOf(names);
  const guarded = guardedNames({ names, find }, body);
  const own = ownParameters(names, definition).filter((name) => !guarded.has(name));
  const scope = scopeAtEnd(
    reader,
    body,
    new Scope(own.map((name) => [name, callerLabels(name)])),
  );
  const values = definition.type === "lambda" ? [body] : [...walk(body, RESULTS)].flatMap(named);
  const leading = [
    ...new Set(values.flatMap((each) => leadingParameters(leadOf(reader, scope, each)))),
  ];
  const isWhole = values.every((each) => isWholeOrNothing(reader, scope, each));
  const found = { leading, whole: isWhole ? leading : [] };
  depth--;
  all.set(definition.number, found);
  return found;
}

/** Finds the parameters that the results of a module's functions begin with, or are. */
export function leadsOfOwn(
  names: PythonNames,
  find: FindFunction,
  readerOf: (names: PythonNames) => Reader,
): Pick<Reader, "leading" | "whole"> {
  const of = (name: string) => {
    const target = find(names, name) ?? lambdaOf(names, name);
    return target === null ? null : leadsOf(target, find, readerOf);
  };
  return {
    leading: (name) => of(name)?.leading ?? null,
    whole: (name) => of(name)?.whole ?? null,
  };
}
