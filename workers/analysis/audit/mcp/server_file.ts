/**
 * What the checks of a server need of each file that may run, and what can be told from it alone.
 *
 * @module
 */
import type { SourceTree } from "../../syntax/source_tree.ts";
import { assignedIn } from "./assigned.ts";
import { type MisleadingText, misleadingTexts } from "./results.ts";

export interface ServerFile {
  /** Names of constants that it assigns. */
  constants: string[];
  texts: MisleadingText[];
}

/** Names of constants, which other files may use. */
export const CONSTANT = /^[A-Z][A-Z0-9_]{2,}$/;

/** Reads a file that may run. */
export function serverFile(tree: SourceTree): ServerFile {
  return {
    constants: [...assignedIn(tree).keys()].filter((name) => CONSTANT.test(name)),
    texts: misleadingTexts(tree),
  };
}
