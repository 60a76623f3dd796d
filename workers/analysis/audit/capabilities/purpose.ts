/**
 * What a tool says that it runs for its caller, by its name and description: all that a client sees of
 * it. Only what is said counts. A calculator that evaluates Python says nothing of the kind.
 *
 * @module
 */
import type { ToolDeclaration } from "../../tools/declaration.ts";

/** What a caller may have run, all of which it writes itself. */
export type Runs = "sql" | "commands" | "code";

type Said = Pick<ToolDeclaration, "name" | "description">;

const RUN =
  "(?:run|runs|running|execute|executes|executing|execution|exec|invoke|issue|launch|perform|submit|send|spawn|start|process|try)";
const COMMAND =
  "(?:commands?|command[- ]lines?|shell|bash|powershell|pwsh|zsh|cmd|terminal|cli|process(?:es)?|programs?|executables?|subprocess)";
const CODE =
  "(?:code|python|javascript|typescript|scripts?|snippets?|notebooks?|cells?|programs?|r code|lua|ruby)";

/** The two words near each other, in the same sentence. */
const near = (verb: string, noun: string) => new RegExp(`\\b${verb}\\b[^.\\n]{0,80}?\\b${noun}\\b`);

const SAYS: Record<Runs, readonly RegExp[]> = {
  sql: [/\b(?:sql|cypher|quer(?:y|ies)|statements?|select|ddl|dml|mql|gql|sparql|explain)\b/],
  commands: [
    near(RUN, COMMAND),
    new RegExp(`\\b(?:${RUN}|create|creates)\\b[^.\\n]{0,80}?\\b(?:containers?|docker|images?)\\b`),
    new RegExp(`\\b${COMMAND}\\b[^.\\n]{0,40}?\\b(?:executor|execution|runner|executed|run)\\b`),
  ],
  code: [near(RUN, CODE), /\b(?:evaluate|eval)\b[^.\n]{0,40}?\b(?:code|python|javascript)\b/],
};
/** Names that are the whole purpose: `bash`, `terminal`, `run_command`, `python_repl`. */
const NAMED: Record<Runs, RegExp> = {
  sql: /\b(?:sql|cypher|query|queries|sparql)\b/,
  commands:
    /^(?:shell|bash|terminal|cmd|powershell|console|command)$|\b(?:run|exec|execute|shell) (?:shell|bash|cmd|command|commands|terminal|process|exec|program|cli)\b|\bcommand (?:run|exec|execute)\b/,
  code:
    /\b(?:python|js|javascript|code) (?:repl|interpreter|exec|eval|run|execute)\b|\b(?:run|exec|execute|eval|evaluate)(?: \w+)? (?:code|python|script|javascript|js|snippet)\b/,
};
/** A query that is run inside of another has to be said in so many words. */
const SQL_IN_SO_MANY_WORDS =
  /\b(?:sql|cypher|sparql)\b|\b(?:run|execute|explain|analy[sz]e|validate|profile)\w*\b[^.\n]{0,60}?\b(?:quer(?:y|ies)|statements?)\b/;

const MAX_READ = 4000;

/** `runShellCommand`, `run_shell_command` and `run-shell-command` as words. */
function words(text: string): string {
  return text.slice(0, MAX_READ).replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ")
    .replace(/[ \t]+/g, " ").toLowerCase();
}

/** What a tool says that it runs. */
export function purposesOf({ name, description }: Said): Set<Runs> {
  const own = words(name);
  const said = words(description ?? "");
  const kinds: Runs[] = ["sql", "commands", "code"];
  return new Set(
    kinds.filter((kind) =>
      NAMED[kind].test(own) || SAYS[kind].some((pattern) => pattern.test(own) || pattern.test(said))
    ),
  );
}

/** Whether a tool says outright that it runs queries of its caller. */
export function saysSql({ name, description }: Said): boolean {
  return SQL_IN_SO_MANY_WORDS.test(words(name)) ||
    SQL_IN_SO_MANY_WORDS.test(words(description ?? ""));
}
