/**
 * Answers that are asked for again and again, kept. A name that is given a value of itself many times
 * (`query = query.where(…)`) leads from each of these to each of them: what follows values answers a
 * node once for each depth, or takes a power of the depth.
 *
 * @module
 */
import type { SyntaxNode } from "../../syntax/tree.ts";
import type { PythonNames } from "../names.ts";

/** Values are followed so deep, and no deeper. */
export const MAX_HOPS = 20;

/** Asks about a node of a module, `hops` deep in other questions. */
export type Question<Answer> = (names: PythonNames, node: SyntaxNode, hops: number) => Answer;

/** `ask` of what is new; null beyond {@link MAX_HOPS}. */
export function remembered<Answer>(ask: Question<Answer | null>): Question<Answer | null> {
  const known = new WeakMap<PythonNames, Map<number, Answer | null>>();
  return (names, node, hops) => {
    if (hops > MAX_HOPS) return null;
    let answers = known.get(names);
    if (answers === undefined) known.set(names, answers = new Map());
    const key = node.number * (MAX_HOPS + 1) + hops;
    let answer = answers.get(key);
    if (answer === undefined) answers.set(key, answer = ask(names, node, hops));
    return answer;
  };
}
