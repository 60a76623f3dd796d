/**
 * Which file of a repository is its README.
 *
 * @module
 */
import type { RepositoryFiles } from "../repository/archive.ts";

/** More is cut off: nobody reads so much. */
const MAX_BYTES = 64 * 1024;
const NAME = /^readme(\.(md|markdown|rst|txt))?$/i;

/** The README file of a repository, undecorated. */
export interface Readme {
  name: string;
  text: string;
  /** Whether it is Markdown, not plain text. */
  isMarkdown: boolean;
}

/** The README among `files`, cut at 64 KiB; null when there is none. */
export function readmeIn(files: RepositoryFiles): Readme | null {
  const [name] = [...files.keys()].filter((path) => NAME.test(path)).toSorted();
  if (name === undefined) return null;
  const bytes = files.get(name)!.subarray(0, MAX_BYTES);
  const text = new TextDecoder().decode(bytes).replaceAll("\0", "");
  return { name, text, isMarkdown: !/\.(rst|txt)$/i.test(name) };
}
