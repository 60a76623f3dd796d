/**
 * What a tool says that it runs for its caller, by its name and description: all that a client sees of
 * it. Only what is said counts. A calculator that evaluates Python says nothing of the kind.
 *
 * @module
 */
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { isGivenElsewhere, type Runs, saidElsewhere } from "./purpose_languages.ts";

type Said = Pick<ToolDeclaration, "name" | "description">;

const RUN =
  "(?:run|runs|running|execute|executes|executing|execution|exec|invoke|invokes|issue|launch|launches|submit|send|spawn|spawns)";
const COMMAND =
  "(?:commands?|command[- ]lines?|shell|bash|powershell|pwsh|zsh|cmd|terminal|cli|process(?:es)?|programs?|executables?|subprocess)";
const CODE =
  "(?:code|python|javascript|typescript|scripts?|snippets?|cells?|programs?|r code|lua|ruby)";
const QUERY = "(?:sql|cypher|sparql|mql|gql|quer(?:y|ies)|statements?|ddl|dml)";
/** At most four words, of one sentence. */
const FEW = "(?:[\\s`'\"(/,*]+[\\w+#]+){0,4}?[\\s`'\"(/,*]+";
const NEGATED =
  /\b(?:never|not|no|cannot|can't|won't|doesn't|don't|without|nor|neither|instead of|rather than|refuses?|unable|forbid\w*|prevents?|blocks?|disallow\w*|avoids?)\b/;

/** The verb and what it is about next to each other. */
const near = (verb: string, noun: string) => new RegExp(`\\b${verb}${FEW}${noun}\\b`);

const LANGUAGE = "(?:sql|cypher|sparql)";
const SAYS: Record<Runs, readonly RegExp[]> = {
  sql: [
    near(`(?:${RUN}|explain|explains|analy[sz]e|validate|profile|perform)`, QUERY),
    new RegExp(`\\b${LANGUAGE}(?: \\w+)? (?:quer|statement|command|script|code)`),
    new RegExp(`\\bquer(?:y|ies)\\b[^.\\n]{0,40}?\\b(?:with|using|in|by) ${LANGUAGE}\\b`),
    /\b(?:raw|read only|select|custom|arbitrary) (?:quer(?:y|ies)|statements?)\b/,
  ],
  commands: [
    near(RUN, COMMAND),
    new RegExp(`\\b${COMMAND} (?:executor|execution|runner|executed|run)\\b`),
  ],
  code: [near(RUN, CODE), near("(?:evaluate|evaluates|eval)", "(?:code|python|javascript)")],
};
const SAYS_CONTAINERS = near(
  `(?:${RUN}|create|creates|start|starts)`,
  "(?:containers?|docker|images?)",
);
/** What a parameter is called or said to be that is run. */
const GIVEN: Record<Runs, RegExp> = {
  sql: /sql|quer|stmt|statement|cypher|sparql|\bddl\b|\bdml\b|\bmql\b|^q$/,
  commands: /command|cmd|shell|script|\bargv?\b|\bargs\b|arguments|program|executable|\bcli\b/,
  code: /code|script|source|snippet|program|\bcells?\b|python|expression|statement|command|\blua\b/,
};
/** Names of all that a tool is given. */
const ALL_GIVEN =
  /^(?:arguments|args|kwargs|params?|input|inputs|request|data|payload|body|options)$/;
/** Names that are the whole purpose: `bash`, `terminal`, `run_command`, `python_repl`. */
const NAMED: Record<Runs, RegExp> = {
  sql:
    /\b(?:sql|cypher|sparql)\b|^(?:query|queries)$|\b(?:run|exec|execute|read|write|explain|raw|database|db|select) (?:\w+ )?(?:query|queries)\b|\bquery (?:database|db|data|sql)\b/,
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
export function words(text: string): string {
  return text.slice(0, MAX_READ).replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ")
    .replace(/[ \t]+/g, " ").toLowerCase();
}

/** What a description says, up to where a sentence denies something. */
export function said(description: string): string {
  return words(description).split(/(?<=[.!?;])\s|\n\s*\n|\n\s*[-*]/)
    .map((each) => (each.split(NEGATED)[0] ?? "").replace(/\s+/g, " ")).join("\n");
}

/** What a tool says that it runs. */
export function purposesOf({ name, description }: Said): Set<Runs> {
  const own = words(name);
  const texts = [own, said(description ?? "")];
  const elsewhere = saidElsewhere(description ?? "");
  const kinds: Runs[] = ["sql", "commands", "code"];
  return new Set(
    kinds.filter((kind) =>
      elsewhere.has(kind) || NAMED[kind].test(own) ||
      SAYS[kind].some((each) => texts.some((text) => each.test(text)))
    ),
  );
}

/** Whether a tool says that it runs containers. */
export function saysContainers({ name, description }: Said): boolean {
  return SAYS_CONTAINERS.test(words(name)) || SAYS_CONTAINERS.test(said(description ?? ""));
}

/** Whether a parameter is one for what a tool runs, by its name or by what is said of it. */
export function isForRunning(
  kind: Runs,
  parameter: string,
  descriptions: readonly string[],
): boolean {
  const own = words(parameter);
  if (GIVEN[kind].test(own) || ALL_GIVEN.test(own)) return true;
  return descriptions.some((text) => GIVEN[kind].test(said(text)) || isGivenElsewhere(kind, text));
}

/** Whether a tool says outright that it runs queries of its caller. */
export function saysSql({ name, description }: Said): boolean {
  return SQL_IN_SO_MANY_WORDS.test(words(name)) ||
    SQL_IN_SO_MANY_WORDS.test(said(description ?? "")) ||
    saidElsewhere(description ?? "").has("sql");
}
