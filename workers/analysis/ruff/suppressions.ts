/**
 * Suppression comments of Python linters. The author of scanned code does not decide what the scan
 * may say, so the comments are made unreadable for the engine, length and positions kept.
 *
 * @module
 */

/** Text without effective suppressions, and the lines that had one. */
export interface Neutralised {
  text: string;
  lines: number[];
}

const NOQA = /noqa/gi;
const TOOL = /(#[ \t]*)(ruff|flake8)(?=\s*:)/gi;
/** Comments that silence a security or quality tool, whichever it is. */
const SUPPRESSION =
  /#.*?\b(noqa|nosec|nosemgrep|pylint\s*:\s*(disable|skip-file)|(ruff|flake8)\s*:)/i;

/** Disarms every suppression comment of ruff and flake8 and lists where any tool was silenced. */
export function neutralise(text: string): Neutralised {
  const lines: number[] = [];
  if (/noqa|nosec|nosemgrep|pylint|ruff|flake8/i.test(text)) {
    text.split("\n").forEach((line, index) => {
      // A line of a megabyte is not a comment that somebody wrote.
      if (line.length < 10_000 && SUPPRESSION.test(line)) lines.push(index + 1);
    });
  }
  return {
    lines,
    text: text.replace(NOQA, (word) => `${word[0]}0${word.slice(2)}`)
      .replace(TOOL, (_, before: string, tool: string) => `${before}${tool.slice(0, -1)}_`),
  };
}
