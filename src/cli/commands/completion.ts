/**
 * `berth completion`, and what its scripts ask for.
 *
 * @module
 */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { ShellName } from "../definitions/choices.ts";

/** Hidden command that the scripts call with the words of the line. */
export const COMPLETE = "__complete";

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

/** The script for a shell. */
export function completionScript(shell: ShellName): string {
  return SCRIPTS[shell];
}

/** A candidate, and what it is. */
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

/** What the last of `words` may become. */
export function candidatesFor(program: CommandUnknownOpts, words: string[]): Candidate[] {
  const word = words.at(-1) ?? "";
  let command = program;
  let positions = 0;
  const commands = [program];
  for (const [index, earlier] of words.slice(0, -1).entries()) {
    const valued = pendingOption(commands, words.slice(0, index + 1));
    if (earlier.startsWith("-") || valued !== undefined) continue;
    const next = command.commands
      .find((one) => one.name() === earlier || one.aliases().includes(earlier));
    if (next === undefined) positions++;
    else {
      command = next;
      commands.push(next);
      positions = 0;
    }
  }
  const matching = (all: Candidate[]) => all.filter(([text]) => text.startsWith(word));
  const pending = pendingOption(commands, words);
  if (pending !== undefined) {
    return matching((pending.argChoices ?? []).map((choice): Candidate => [choice, ""]));
  }
  if (word.startsWith("-")) return matching([...commands].reverse().flatMap(optionCandidates));
  const argument = command.registeredArguments[positions];
  const values = argument?.argChoices ?? [];
  return matching([
    ...command.commands.filter((one) => !one.name().startsWith("__"))
      .map((one): Candidate => [one.name(), one.description()]),
    ...values.map((choice): Candidate => [choice, ""]),
  ]);
}

/** The candidates as lines: word, tab, what it is. */
export function completionLines(program: CommandUnknownOpts, words: string[]): string {
  return candidatesFor(program, words)
    .map(([word, about]) => `${word}${about === "" ? "" : `\t${about.replace(/\s+/g, " ")}`}\n`)
    .join("");
}
