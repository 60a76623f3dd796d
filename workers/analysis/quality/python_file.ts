/**
 * Stage 1 on one Python file.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import { ruffOn, type RuffPart } from "../ruff/python_ruff.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { type MeasuredFile, measureFile } from "./measured_file.ts";
import { pythonIssues } from "./python.ts";

export interface LintedFile extends MeasuredFile {
  issues: RawIssue[];
  /** What ruff found for stage 5. */
  security: RuffPart;
}

/** Measures and lints a Python file. */
export function lintFile(tree: SourceTree): LintedFile {
  const { quality, security } = ruffOn(tree.text);
  return { ...measureFile(tree), issues: pythonIssues(tree.path, quality), security };
}
