/**
 * Options through which programs that are no shells run a text: `git -c`, `gdb -ex`,
 * `tar --checkpoint-action=exec=`. Fixed values are ordinary there, a caller's are not.
 *
 * @module
 */
import { plainValue } from "../../python/values/assigned.ts";
import type { CallArguments, PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import { type Argument, commandOf, startedBy } from "./command_lines.ts";

/** Programs by the options whose value they run. */
const OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(git|jj|hg)$/, /^(-c|--config|--upload-pack|--receive-pack|-u|--exec)$/],
  [/^(gdb|lldb)$/, /^-{0,2}-(ex|iex|eval-command|init-eval-command|o|one-line)$/],
  [/^(n?vim?|ex|view|emacs)$/, /^(-c|-S|--cmd|--eval|-eval)$/],
  [/^(npx|npm|pnpm)$/, /^(-c|--call)$/],
  [/^(tar|bsdtar|rsync|scp|sftp)$/, /^(-I|-e|--rsh|-S|--to-command|--use-compress-program)$/],
];
/** Programs that hand all of their arguments to a shell. */
const JOINS = /^(watch|parallel)$/;
/** Programs that type, or plan, what follows one of these commands. */
const TYPES: readonly (readonly [program: RegExp, command: RegExp])[] = [
  [
    /^tmux$/,
    /^(send-keys|send|run-shell|run|if-shell|new-session|new|new-window|neww|split-window|respawn-\w+)$/,
  ],
  [/^screen$/, /^(stuff|exec|-dmS?)$/],
  [/^schtasks$/, /^\/tr$/i],
  [/^wmic$/, /^create$/i],
  [/^(wt|konsole|xterm|gnome-terminal|alacritty|kitty)$/, /^(-e|--|-x)$/],
];
const NAMES_PLACE = /^-[tsncF]$/;
/** Options that hold what is run after an equals sign. */
const HOLDS =
  /(checkpoint-action=exec|--to-command|--use-compress-program|ProxyCommand|--upload-pack|--receive-pack|--rsh|core\.(sshCommand|pager|editor|fsmonitor|hooksPath)|diff\.external|credential\.helper)=|alias\.\w+=!/;
/** A setting of git that runs nothing: `user.name=…`. */
const SETTING = /^[rf]{0,2}["'](\w[\w.-]*)=/i;
const RUNNING_SETTING =
  /^(core\.(sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy)|alias\.|pager\.|.*\.(helper|command|cmd|textconv|external|smudge|clean|process|driver|program)$)/i;
function isHarmlessSetting(names: PythonNames, node: SyntaxNode): boolean {
  const key = SETTING.exec(textOf(names.tree, plainValue(node)))?.[1];
  return key !== undefined && !RUNNING_SETTING.test(key);
}

function ofOptions(names: PythonNames, argv: readonly Argument[]): SyntaxNode[] {
  const [first, ...rest] = argv;
  const program = first === undefined ? null : startedBy(names, first);
  if (program === null) return [];
  if (JOINS.test(program)) return rest.map(({ node }) => node);
  const command = TYPES.find(([name]) => name.test(program))?.[1];
  const at = command === undefined ? -1 : rest.findIndex(({ text }) => command.test(text ?? ""));
  if (at >= 0) {
    return rest.slice(at + 1)
      .filter((_, index) => !NAMES_PLACE.test(rest[at + index]?.text ?? ""))
      .map(({ node }) => node);
  }
  const option = OPTIONS.find(([name]) => name.test(program))?.[1];
  return rest.filter(({ node }, at) => {
    if (HOLDS.test(textOf(names.tree, node).slice(0, 500))) return true;
    const before = rest[at - 1]?.text;
    return option !== undefined && typeof before === "string" && option.test(before) &&
      !(program === "git" && isHarmlessSetting(names, node));
  }).map(({ node }) => node);
}

/** What a call that starts a program hands it to run by an option. */
export function optionTexts(
  names: PythonNames,
  name: string,
  given: CallArguments,
): SyntaxNode[] {
  return ofOptions(names, commandOf(names, name, given) ?? []);
}
