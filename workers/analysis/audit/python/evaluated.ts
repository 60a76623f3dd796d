/**
 * Literal texts that a library evaluates, where they do more than a formula does.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { evaluation } from "../../python/calls/evaluation.ts";
import { foldTexts } from "../../python/values/folding.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import type { PythonNames } from "../../python/names.ts";
import { textsOf } from "../../python/reach/paths.ts";
import { partFaults } from "../../templates/expressions.ts";
import { report, type Rule, rule } from "../rule.ts";

const EVALUATED = rule(
  "py/evaluated-text",
  "high",
  95,
  "Write the code as code instead of evaluated text, so that people and scans can read it",
);

const REACHES = /__\w+__|\b(import_module|getattr|globals|locals|vars|exec|eval|open)\s*\(/;

/** Findings of a module. */
export function pythonEvaluated(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  return nodes.calls.flatMap(({ node, expression, callee, given }) => {
    const found = evaluation(names, expression, callee?.name, given);
    if (found === null) return [];
    const { by, texts, evaluator } = found;
    const stated = texts.flatMap((each) => textsOf(names, each) ?? foldTexts(names, each) ?? []);
    const isHostile = (text: string) =>
      evaluator.hostile?.test(text) === true ||
      evaluator.reach === "full" && REACHES.test(text) ||
      partFaults([{ code: text, at: 0 }]).length > 0;
    return stated.some(isHostile)
      ? [report(EVALUATED, names.tree, node, `${by} evaluates text that accesses the interpreter`)]
      : [];
  });
}

/** Every rule of this module. */
export const EVALUATED_RULES: readonly Rule[] = [EVALUATED];
