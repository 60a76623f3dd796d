/**
 * What the parameters of a function carry where it is called.
 *
 * @module
 */
import type { CallArguments } from "../../python/names.ts";
import { filesIn, placeLabels } from "./files/places.ts";
import type { FindFunction, ObservedCall } from "./observed.ts";
import { ownParameters } from "./parameters.ts";
import { Scope } from "./scope.ts";

/** The scope with which a function begins that is given this. */
export function scopeOfCall(
  call: ObservedCall,
  { names, definition }: NonNullable<ReturnType<FindFunction>>,
  { positional, keywords }: CallArguments,
): Scope {
  const scope = new Scope();
  const given = ownParameters(names, definition).flatMap((name, at) => {
    const value = keywords.get(name) ?? positional[at];
    return value === undefined ? [] : [{ name, value }];
  });
  for (const { name, value } of given) {
    const labels = call.kept(value);
    if (labels.size > 0) scope.add(name, labels);
  }
  if (scope.size === 0 || !filesIn(names, definition).writes) return scope;
  // Which files they are matters where they are written.
  for (const { name, value } of given) {
    const places = placeLabels(call, value);
    if (places.length > 0) scope.add(name, places);
  }
  return scope;
}
