/**
 * Statements with which databases start programs or run code of the system: a server that executes
 * them has a shell without calling one.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import type { PythonNames } from "../../python/names.ts";
import { argumentsOf } from "../../python/names.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { textsOf } from "../keys/destinations.ts";
import { report, type Rule, rule } from "../rule.ts";

const PROGRAM = rule(
  "py/database-program",
  "high",
  78,
  "Do not have a database start programs: run what the server needs where the scan can read it",
);

/** Every rule of this module. */
export const DATABASE_PROGRAM_RULES: readonly Rule[] = [PROGRAM];

/** A module without any of these words has no such statement. */
const WORDS =
  /shellfs|xp_cmdshell|\bprogram\b|plpython|plperl|plsh\b|sys_(?:exec|eval)|load_extension|\|\s*['"]/i;
const EXECUTES =
  /(^|\.)(execute|executemany|executescript|exec_driver_sql|sql|query|raw|text|fetch|fetchrow|fetchval|fetchall|run|read_sql\w*)$/;
const LOADS = /(^|\.)(install_extension|load_extension)$/;
const STATEMENTS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\b(?:install|load)\s+['"]?shellfs\b/i, "an extension that runs commands of the shell"],
  [/\bcopy\b[\s\S]{1,400}?\b(?:to|from)\s+program\b/i, "a copy through a program"],
  [/\bxp_cmdshell\b/i, "commands of the system"],
  [
    /\bcreate\s+(?:or\s+replace\s+)?function\b[\s\S]{1,2000}?\blanguage\s+['"]?(?:plpython\w*|plperlu|plsh)\b/i,
    "a function in an unrestricted language",
  ],
  [/\bsys_(?:exec|eval)\s*\(/i, "commands of the system"],
  [
    /\b(?:read_\w+\s*\(|from)\s*\[?\s*'[^']*\|\s*'|\bto\s+'\s*\|/i,
    "a pipe in place of a file",
  ],
];

/** Findings of a module. */
export function databasePrograms(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  if (!WORDS.test(names.tree.text)) return [];
  return nodes.calls.flatMap(({ node, expression }) => {
    const called = textOf(names.tree, expression).slice(-100);
    const loads = LOADS.test(called);
    if (!loads && !EXECUTES.test(called)) return [];
    const { positional, keywords } = argumentsOf(names.tree, node);
    const [text] = [...positional, keywords.get("query"), keywords.get("statement")]
      .filter((each) => each !== undefined);
    const texts = text === undefined ? [] : textsOf(names, text);
    const found = texts.flatMap((each) =>
      loads
        ? /^shellfs$/i.test(each) ? [STATEMENTS[0]![1]] : []
        : STATEMENTS.filter(([pattern]) => pattern.test(each.slice(0, 5000))).map(([, what]) =>
          what
        )
    );
    return found.length === 0
      ? []
      : [report(PROGRAM, names.tree, node, `A database is told to use ${found[0]}`)];
  });
}
