/**
 * A second opinion on what is no Python: ruff's own parser.
 *
 * @module
 */
import { createRuff, type Ruff } from "./ruff.ts";

let engine: Ruff | undefined;

/** Whether no Python up to 3.14 compiles the text. */
export function isSyntaxError(text: string): boolean {
  // Syntax errors are reported whichever rules are asked for; this one finds nothing else.
  engine ??= createRuff(["E902"]);
  return engine.check(text).findings.some(({ code }) => code === "invalid-syntax");
}
