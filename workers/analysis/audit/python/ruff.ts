/**
 * ruff's security rules on a Python file.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { createRuff, type Ruff, type RuffFinding } from "../../ruff/ruff.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { movesNoCode } from "./direction.ts";
import { RULES } from "./ruff_table.ts";

/** The names that ruff's preview mode reports in place of codes. */
const PREVIEW_NAMES: ReadonlyMap<string, string> = new Map([
  ["bad-file-permissions", "S103"],
  ["suspicious-telnetlib-import", "S401"],
  ["suspicious-ftplib-import", "S402"],
  ["suspicious-pickle-import", "S403"],
  ["suspicious-subprocess-import", "S404"],
  ["suspicious-xml-etree-import", "S405"],
  ["suspicious-xml-sax-import", "S406"],
  ["suspicious-xml-expat-import", "S407"],
  ["suspicious-xml-minidom-import", "S408"],
  ["suspicious-xml-pulldom-import", "S409"],
  ["suspicious-xmlrpc-import", "S411"],
  ["suspicious-httpoxy-import", "S412"],
  ["suspicious-pycrypto-import", "S413"],
  ["suspicious-pyghmi-import", "S415"],
]);

/** Characters that change the direction of text. */
const TURNED = "PLE2502";

/** Imports of risky modules and the fuller check of file modes exist in preview only. */
let preview: Ruff | undefined;

/** The lines of a finding: long statements carry what matters on later ones. */
function linesOf({ line, endLine }: RuffFinding, tree: SourceTree): string {
  return tree.text.split("\n", endLine).slice(line - 1, endLine).join("\n").slice(0, 2000);
}

function weigh(found: RuffFinding, tree: SourceTree): RawFinding | null {
  const { code, message, line, endLine } = found;
  const rule = RULES[code];
  if (rule === undefined) return null;
  return {
    rule: code,
    severity: code === TURNED && movesNoCode(tree, line)
      ? "medium"
      : typeof rule.severity === "string"
      ? rule.severity
      : rule.severity(message, linesOf(found, tree)),
    cwe: `CWE-${rule.cwe}`,
    title: message.split("\n", 1)[0]!.slice(0, 200),
    detail: rule.fix,
    file: tree.path,
    line,
    end_line: endLine,
  };
}

/** Without any of these words, or letters that Python takes for theirs, preview finds nothing. */
const FOR_PREVIEW =
  // deno-lint-ignore no-control-regex
  /telnetlib|ftplib|pickle|dill|shelve|subprocess|xml|Crypto|pyghmi|wsgiref|twisted|chmod|[^\u0000-\u007f]/i;

/** What ruff's security rules say of a file, suppressions ignored; `found` was found already. */
export function ruffSecurity(tree: SourceTree, found: readonly RuffFinding[]): RawFinding[] {
  preview ??= createRuff(["S4", "S103"], { preview: true, names: PREVIEW_NAMES });
  const early = FOR_PREVIEW.test(tree.text) ? preview.check(tree.text).findings : [];
  return [...found, ...early]
    .map((each) => weigh(each, tree))
    .filter((each) => each !== null);
}
