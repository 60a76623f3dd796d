/**
 * ruff's security rules on a Python file.
 *
 * @module
 */
import type { RawFinding } from "../finding.ts";
import { createRuff, type Ruff, type RuffFinding } from "../ruff/ruff.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { PREVIEW_NAMES, RULES } from "./ruff_table.ts";

interface Engines {
  stable: Ruff;
  /** Imports of risky modules and the fuller check of file modes exist in preview only. */
  preview: Ruff;
}

let engines: Engines | undefined;

function start(): Engines {
  return {
    stable: createRuff(["S", "PLE2502"], { ignore: ["S101", "S103"] }),
    preview: createRuff(["S4", "S103"], { preview: true, names: PREVIEW_NAMES }),
  };
}

function weigh({ code, message, line, endLine }: RuffFinding, tree: SourceTree): RawFinding | null {
  const rule = RULES[code];
  if (rule === undefined) return null;
  // Long statements carry what matters on later lines.
  const source = tree.text.split("\n", endLine).slice(line - 1, endLine).join("\n").slice(0, 2000);
  return {
    rule: code,
    severity: typeof rule.severity === "string" ? rule.severity : rule.severity(message, source),
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

/** What ruff's security rules say of a file, suppressions ignored. */
export function ruffSecurity(tree: SourceTree): RawFinding[] {
  engines ??= start();
  const stable = engines.stable.check(tree.text);
  const preview = FOR_PREVIEW.test(tree.text) ? engines.preview.check(tree.text).findings : [];
  return [...stable.findings, ...preview]
    .map((each) => weigh(each, tree))
    .filter((each) => each !== null);
}
