/**
 * Stage 1 on one Python file.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import { ruffOn, type RuffPart } from "../ruff/python_ruff.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { type FileTokens, tokensOf } from "./duplication.ts";
import { type FileMeasures, measure } from "./metrics.ts";
import { pythonIssues } from "./python.ts";
import { codeTokens } from "./tokens.ts";

/** What a Python file has. */
export interface LintedFile {
  measures: FileMeasures;
  tokens: FileTokens;
  issues: RawIssue[];
  /** What ruff found for stage 5. */
  security: RuffPart;
}

/** Measures and lints a Python file. */
export function lintFile(tree: SourceTree): LintedFile {
  const { quality, security } = ruffOn(tree.text);
  const code = codeTokens(tree);
  return {
    measures: measure(tree, code),
    tokens: tokensOf(tree, code),
    issues: pythonIssues(tree.path, quality),
    security,
  };
}
