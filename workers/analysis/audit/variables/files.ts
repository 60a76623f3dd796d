/**
 * Files that describe a server's variables, and what they may say.
 *
 * @module
 */

/** A variable of a text of the repository; members that it says nothing of are absent. */
export interface DescribedVariable {
  name: string;
  required?: boolean;
  secret?: boolean;
  description?: string;
  default?: string;
  choices?: string[];
  file: string;
  line: number;
  /** Whether the author names it as one that the server takes, whatever the code reads. */
  declared: boolean;
}

/** Kinds of such files, the formal ones first. */
export const DESCRIBING = {
  registry: /(^|\/)server\.json$/,
  bundle: /(^|\/)manifest\.json$/,
  smithery: /(^|\/)smithery\.ya?ml$/,
  example: /(^|\/)\.?env[.-](example|sample|template|dist)$|(^|\/)\.env\.[a-z]*example$/i,
  readme: /(^|\/)readme(\.md|\.markdown)?$/i,
} as const;

/** Whether a file may describe variables. */
export function describesVariables(path: string): boolean {
  return Object.values(DESCRIBING).some((pattern) => pattern.test(path)) &&
    !/(^|\/)node_modules\//.test(path);
}
