/**
 * Whether a module's source has a word, asked once for each module.
 *
 * @module
 */
import type { PythonNames } from "../names.ts";

const known = new WeakMap<object, Map<RegExp, boolean>>();

/** Whether the pattern, which is one of the program's own, is found in a module's source. */
export function mentions({ tree }: PythonNames, pattern: RegExp): boolean {
  let answers = known.get(tree);
  if (answers === undefined) known.set(tree, answers = new Map());
  let answer = answers.get(pattern);
  if (answer === undefined) answers.set(pattern, answer = pattern.test(tree.text));
  return answer;
}
