/**
 * `berth completion`, and what its scripts ask for.
 *
 * @module
 */
import type { Argument, CommandUnknownOpts } from "@commander-js/extra-typings";
import { namedServers } from "../client/names.ts";
import type { CliContext } from "../context.ts";
import type { ShellName } from "../definitions/choices.ts";
import { SERVER } from "../definitions/definition.ts";
import { oneLine } from "../output/terminal_text.ts";
import { chooseRegistry } from "../settings/settings.ts";

/** Hidden command that the scripts call with the words of the line. */
const COMPLETE = "__complete";

const SCRIPTS: Record<ShellName, string> = {
  bash: `# berth completion for bash:  source <(berth completion bash)
_berth() {
  local IFS=$'\\n'
  COMPREPLY=($(berth ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _berth berth
`,
  zsh: `#compdef berth
# berth completion for zsh:  source <(berth completion zsh)
_berth() {
  local -a found
  local line
  while IFS=$'\\t' read -r word text; do
    [[ -n $word ]] && found+=("\${word//:/\\\\:}\${text:+:$text}")
  done < <(berth ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe berth found; else _files; fi
}
(( $+functions[compdef] )) && compdef _berth berth
`,
  fish: `# berth completion for fish:  berth completion fish | source
function __berth_complete
  set -l words (commandline -opc) (commandline -ct)
  berth ${COMPLETE} -- $words[2..-1] 2>/dev/null
end
complete -c berth -f -a '(__berth_complete)'
complete -c berth -n 'test -z (__berth_complete | string collect)' -F
`,
};

export function completionScript(shell: ShellName): string {
  return SCRIPTS[shell];
}

export type Candidate = [word: string, about: string];

function optionCandidates(command: CommandUnknownOpts): Candidate[] {
  return command.options.filter(({ hidden }) => !hidden)
    .map((option) => [option.long ?? option.short ?? "", option.description]);
}

/** The option whose value is being typed, if there is one. */
function pendingOption(commands: CommandUnknownOpts[], words: string[]) {
  const before = words.at(-2);
  if (before === undefined) return undefined;
  return commands.flatMap(({ options }) => [...options])
    .find((option) =>
      (option.required || option.optional) && (option.long === before || option.short === before)
    );
}

/** What the last of `words` may become: what the program itself knows, and of which kind the rest is. */
interface Place {
  word: string;
  fixed: Candidate[];
  /** What a registry knows. */
  kind: "server" | "tool" | null;
  /** The arguments before the word. */
  before: string[];
}

/** Which of the values that a registry knows `argument` takes. */
function kindOf(argument: Argument | undefined): Place["kind"] {
  if (argument === undefined) return null;
  const { description } = argument;
  if (description === SERVER || argument.name() === "target") return "server";
  return argument.name() === "tool" ? "tool" : null;
}

function placeOf(program: CommandUnknownOpts, words: string[]): Place {
  const word = words.at(-1) ?? "";
  let command = program;
  let before: string[] = [];
  const commands = [program];
  for (const [index, earlier] of words.slice(0, -1).entries()) {
    const valued = pendingOption(commands, words.slice(0, index + 1));
    if (earlier.startsWith("-") || valued !== undefined) continue;
    const next = command.commands
      .find((one) => one.name() === earlier || one.aliases().includes(earlier));
    if (next === undefined) before.push(earlier);
    else {
      command = next;
      commands.push(next);
      before = [];
    }
  }
  const pending = pendingOption(commands, words);
  if (pending !== undefined) {
    const fixed = (pending.argChoices ?? []).map((choice): Candidate => [choice, ""]);
    return { word, fixed, kind: pending.long === "--tool" ? "tool" : null, before: [] };
  }
  if (word.startsWith("-")) {
    const fixed = [...commands].reverse().flatMap(optionCandidates);
    return { word, fixed, kind: null, before };
  }
  const argument = command.registeredArguments[before.length];
  const fixed = [
    ...command.commands.filter((one) => !one.name().startsWith("__"))
      .map((one): Candidate => [one.name(), one.description()]),
    ...(argument?.argChoices ?? []).map((choice): Candidate => [choice, ""]),
  ];
  return { word, fixed, kind: kindOf(argument), before };
}

/** Names that shells take as one word as they stand. */
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_.\/-]{0,127}$/;

/** Value of an option that every command has, among the words of a line. */
function valueOf(words: string[], ...names: string[]): string | undefined {
  const at = words.findIndex((word) => names.includes(word));
  const joined = words.find((word) => names.some((name) => word.startsWith(`${name}=`)));
  return at >= 0 ? words[at + 1] : joined?.slice(joined.indexOf("=") + 1);
}

/** What the registry knows of the place; nothing where it does not answer. */
async function namesFor(context: CliContext, place: Place, words: string[]): Promise<Candidate[]> {
  const { kind, word, before: [server] } = place;
  if (kind === null) return [];
  try {
    const { url } = await chooseRegistry(context, valueOf(words.slice(0, -1), "-r", "--registry"));
    if (kind === "server") {
      const found = await namedServers(context, url, word);
      return found.map(({ name, description }): Candidate => [name, oneLine(description, 80)]);
    }
    const found = await namedServers(context, url, server ?? "");
    const tools = found.filter(({ name }) => server === undefined || name === server)
      .flatMap((one) => one.tools).filter((name) => PLAIN.test(name));
    return [...new Set(tools)].sort().map((name): Candidate => [name, ""]);
  } catch {
    // A configuration that cannot be read is for commands to tell of.
    return [];
  }
}

/** The candidates as lines: word, tab, what it is. */
export async function completionLines(
  context: CliContext,
  program: CommandUnknownOpts,
  words: string[],
): Promise<string> {
  const place = placeOf(program, words);
  const names = await namesFor(context, place, words);
  return [...place.fixed, ...names].filter(([text]) => text.startsWith(place.word))
    .map(([text, about]) => `${text}${about === "" ? "" : `\t${about.replace(/\s+/g, " ")}`}\n`)
    .join("");
}
