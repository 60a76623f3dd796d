/**
 * What the attributes of an object hold, as far as a function shows it.
 *
 * @module
 */
import { valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf } from "../../python/names.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import type { Label } from "./labels.ts";
import type { ObservedCall } from "./observed.ts";

const MAKES_OBJECTS =
  /(^|\.)(SimpleNamespace|Namespace|type|new_class|make_dataclass|NamedTuple|namedtuple|TypedDict|create_model|Mock|MagicMock)$/;

/** Labels of what was stored in the attributes of an object, and of what it was made with. */
export function attributeLabels(call: ObservedCall, object: SyntaxNode): Set<Label> {
  const { names, labels } = call;
  const found = call.stored(object);
  for (const made of object.type === "call" ? [object] : valuesOf(names, object).values) {
    const callee = made.type === "call" ? child(made, "function") : null;
    if (callee === null || !MAKES_OBJECTS.test(calleeOf(names, callee)?.name ?? "")) continue;
    const { positional, keywords } = argumentsOf(names.tree, made);
    for (const each of [...positional, ...keywords.values()]) {
      for (const label of labels(each)) found.add(label);
    }
  }
  return found;
}
