/**
 * The parts of results that are several values: `return command, environment`. Who takes such a result
 * apart has each by itself.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import { plainValue } from "../../python/values/assigned.ts";
import { argumentsOf } from "../../python/names.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import type { Label, Reader } from "../flow/labels.ts";

type Read = (value: SyntaxNode) => ReadonlySet<Label>;

const ROWS = /^(tuple|expression_list)$/;
const known = new WeakMap<ReadonlySet<Label>, readonly ReadonlySet<Label>[]>();

/** Remembers what each part of a function's results carries, where all have as many of them. */
export function rememberParts(
  result: ReadonlySet<Label>,
  values: readonly SyntaxNode[],
  read: Read,
): void {
  if (!result.has("env")) return;
  const count = values[0] === undefined ? 0 : named(values[0]).length;
  const isRows = count > 1 &&
    values.every((each) =>
      each.parent?.type === "return_statement" && ROWS.test(each.type) &&
      named(each).length === count && named(each).every(({ type }) => !/splat/.test(type))
    );
  if (!isRows) return;
  const parts = Array.from(
    { length: count },
    (_, at) => new Set(values.flatMap((each) => [...read(named(each)[at]!)])),
  );
  known.set(result, parts);
}

/**
 * What a part of an own function's result carries: not the environment that is another part of it.
 * Null where that is not known.
 */
export function partsOf(
  reader: Reader,
  value: SyntaxNode,
  count: number,
  read: Read,
): ReadonlySet<Label>[] | null {
  const call = plainValue(value);
  const callee = call.type === "call" ? child(call, "function") : null;
  const name = callee === null ? undefined : calleeOf(reader.names, callee)?.name;
  const result = name === undefined ? null : reader.returned(name);
  const parts = result === null ? undefined : known.get(result.labels);
  if (parts === undefined || parts.length !== count) return null;
  const { positional, keywords } = argumentsOf(reader.names.tree, call);
  // What a function is given may be in any part.
  if ([...positional, ...keywords.values()].some((each) => read(each).has("env"))) return null;
  const all = read(value);
  return parts.map((part) =>
    part.has("env") ? all : new Set([...all].filter((label) => label !== "env"))
  );
}
