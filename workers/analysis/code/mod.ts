/**
 * The rules of Berth's own by grammar.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { goIssues } from "./go.ts";
import { javascriptIssues } from "./javascript.ts";
import { rustIssues } from "./rust.ts";

/** Issues of a file in another language than Python. */
export function codeIssues(tree: SourceTree): RawIssue[] {
  switch (tree.grammar) {
    case "go":
      return goIssues(tree);
    case "rust":
      return rustIssues(tree);
    case "python":
      return [];
    default:
      return javascriptIssues(tree);
  }
}
