/**
 * Which records are asked for beside those that a source answers with.
 *
 * @module
 */
import { aliasesToAsk } from "../../../workers/analysis/advisories/alias_groups.ts";
import type { OsvRecord } from "../../../workers/analysis/advisories/osv_schema.ts";
import type { Requirement } from "./manifest_schema.ts";

/** What a source of advisories has on the requirements of a repository. */
export interface Answers {
  /** The records of one requirement. */
  of: (requirement: Pick<Requirement, "ecosystem" | "name" | "allowed">) => readonly OsvRecord[];
  /** Records that others name as aliases. */
  aliases: readonly OsvRecord[];
  /** The records are of every version, whatever was asked for. */
  everyVersion: boolean;
}

/**
 * Ids whose records may know a severity. Which of the records of every version count is not known
 * yet, so that all of their aliases may be of use.
 */
export function aliasesOf(records: ReadonlySet<OsvRecord>, everyVersion: boolean): string[] {
  if (!everyVersion) return aliasesToAsk([...records]);
  return [...new Set([...records].flatMap(({ aliases }) => aliases ?? []))];
}
