/**
 * Size, complexity and tokens of one file.
 *
 * @module
 */
import type { SourceTree } from "../syntax/source_tree.ts";
import { type FileTokens, tokensOf } from "./duplication.ts";
import { type FileMeasures, measure } from "./metrics.ts";
import { codeTokens } from "./tokens.ts";

export interface MeasuredFile {
  measures: FileMeasures;
  tokens: FileTokens;
}

export function measureFile(tree: SourceTree): MeasuredFile {
  const code = codeTokens(tree);
  return { measures: measure(tree, code), tokens: tokensOf(tree, code) };
}
