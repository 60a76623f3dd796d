/**
 * Languages that the checks of servers take as one.
 *
 * @module
 */
import type { SourceTree } from "../../syntax/source_tree.ts";

/** The family of a file's language: TypeScript is JavaScript here. */
export function familyOf({ grammar }: Pick<SourceTree, "grammar">): string {
  return grammar === "typescript" || grammar === "tsx" ? "javascript" : grammar;
}
