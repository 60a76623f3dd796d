/**
 * Patterns that take far more time than a text has characters: on a text that is made for it, one
 * match stops the process that everything else runs in.
 *
 * @module
 */
import { RegExpParser } from "@eslint-community/regexpp";
import { analyse } from "scslre";
import ts from "typescript";

/** Why a pattern may be slow; null when it is not. */
export function whySlow(pattern: string): string | null {
  const [, source] = /^\/([\s\S]*)\/([a-z]*)$/.exec(pattern)!;
  // What follows a reference backwards depends on the text: the analysis leaves it out.
  if (/\\(?:[1-9]|k<)/.test(source!)) return "refers backwards";
  const literal = new RegExpParser().parseLiteral(pattern);
  const [report] = analyse(literal, { reportTypes: { Move: false } }).reports;
  return report === undefined ? null : report.exponential ? "exponential" : "polynomial";
}

/** The slow patterns of a module, each with its line. */
export function slowPatterns(path: string, text: string): string[] {
  const module = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isRegularExpressionLiteral(node)) {
      const why = whySlow(node.text);
      const { line } = module.getLineAndCharacterOfPosition(node.getStart());
      if (why !== null) found.push(`${path}:${line + 1}: ${node.text} (${why})`);
    }
    ts.forEachChild(node, visit);
  }
  visit(module);
  return found;
}
