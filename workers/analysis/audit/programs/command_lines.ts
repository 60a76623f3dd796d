/**
 * Command lines as Python source has them: which program is started, with which arguments.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { fold, foldText } from "../../python/values/folding.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../../python/names.ts";
import { remembered } from "../../python/values/remembered.ts";
import { type Starter, starterOf } from "../../python/calls/starters.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

/** Shells by their plain names. */
export const SHELLS = /^(ba|da|z|k|a|mk|fi|c|tc|rba|busybox-)?sh$/;
/** The shell of Windows. */
export const POWERSHELL = /^(powershell|pwsh)$/;
/** Interpreters by the options after which a program's text comes. */
export const INTERPRETERS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(python|pypy)[\d.]*w?$/, /^-[A-Za-z]*c$/],
  [/^(node|nodejs|deno|bun|tsx|ts-node)$/, /^(-[a-z]*[ep]|--eval|--print|eval)$/],
  [
    /^(perl|ruby|julia|elixir|groovy|lua|luajit|osascript|Rscript|scala|ghc|crystal)[\d.]*$/,
    /^-[A-Za-z]*[eE]$/,
  ],
  [/^php[\d.]*$/, /^-[rBRE]$/],
];
/** Programs whose first plain argument is a program's text. */
export const TEXT_FIRST = /^(awk|gawk|mawk|nawk|jshell)$/;
/** Programs that start the program which their later arguments name. */
export const WRAPPERS =
  /^(env|sudo|doas|nohup|timeout|nice|ionice|xargs|setsid|stdbuf|time|busybox|chroot|unshare|nsenter|flock|taskset|strace|find|su|runuser|script|watch|parallel|docker|podman|kubectl|wsl|uv|poetry|pipenv|pipx|conda|npx|bunx|pnpm|yarn|lxc|adb|toybox|start|dbus-run-session|firejail|proot|xvfb-run|exec|command|systemd-run|ltrace|chrt|cgexec|unbuffer|rlwrap|bwrap|setpriv|gosu|fakeroot)$/;
const GROWING = nodeTypes("call", "augmented_assignment");

/** A program's plain name. */
function plainName(text: string): string {
  return text.replace(/^.*[\\/]/, "").replace(/\.(exe|cmd|bat)$/i, "").toLowerCase() ||
    text;
}

/** An argument of a program: where it is written, and what it is where that can be told. */
export interface Argument {
  node: SyntaxNode;
  text: string | null;
  /** Whether the source says what it is by another way than the node. */
  stated?: true;
}

/** An argument that stands alone. */
export function argument(names: PythonNames, node: SyntaxNode): Argument {
  return { node, text: foldText(names, node) };
}

/** The program that an expression names; `python` for the running interpreter. */
function programOf(names: PythonNames, node: SyntaxNode, hops = 0): string | null {
  // `shell = shell or "sh"` must not lead round in circles.
  if (hops > 6) return null;
  const text = foldText(names, node);
  if (text !== null) return plainName(text);
  const plain = plainValue(node);
  const meant = calleeOf(names, plain)?.name;
  if (meant === "sys.executable" || meant === "sys._base_executable") return "python";
  if (plain.type === "boolean_operator") {
    return named(plain).map((each) => programOf(names, each, hops + 1)).find((each) =>
      each !== null
    ) ?? null;
  }
  if (plain.type === "identifier") {
    const [value] = valuesOf(names, plain).values;
    return value === undefined || value.type === "identifier"
      ? null
      : programOf(names, value, hops + 1);
  }
  if (plain.type === "subscript") {
    const key = child(plain, "subscript");
    return key !== null && foldText(names, key) === "SHELL" ? "sh" : null;
  }
  if (plain.type !== "call") return null;
  const callee = child(plain, "function");
  const [first] = argumentsOf(names.tree, plain).positional;
  const called = callee === null ? undefined : calleeOf(names, callee)?.name;
  if (first === undefined || called === undefined) return null;
  if (/^(shutil\.which|str|os\.fspath|pathlib\.Path)$/.test(called)) {
    return programOf(names, first, hops + 1);
  }
  if (/^(os\.getenv|os\.environ\.get)$/.test(called)) {
    const variable = foldText(names, first);
    return variable === "SHELL" || variable === "COMSPEC" ? "sh" : null;
  }
  return null;
}

/** The plain name of the program that a command line starts. */
export function startedBy(names: PythonNames, { node, text }: Argument): string | null {
  return text === null ? programOf(names, node) : plainName(text);
}

/** What is put behind a list that has a name: `c.append(x)`, `c.extend([x])`, `c += [x]`. */
function grown(names: PythonNames, list: SyntaxNode, hops: number): Argument[] {
  const name = textOf(names.tree, list);
  const around = ancestor(list, "function_definition") ?? names.tree.root;
  const found: Argument[] = [];
  for (const node of walk(around, GROWING)) {
    const callee = node.type === "call" ? child(node, "function") : null;
    const called = callee === null ? "" : textOf(names.tree, callee);
    const left = child(node, "left");
    const added = called === `${name}.append` || called === `${name}.extend`
      ? argumentsOf(names.tree, node).positional[0]
      : left !== null && textOf(names.tree, left) === name
      ? child(node, "right")
      : undefined;
    if (added === null || added === undefined) continue;
    const many = called.endsWith(".append") ? null : elementsOf(names, added, hops + 1);
    found.push(...many ?? [argument(names, added)]);
  }
  return found;
}

/** Of several lists, the one whose program runs texts. */
function tellingOf(lists: readonly (Argument[] | null)[]): Argument[] | null {
  const known = lists.filter((each) => each !== null);
  return known.find(([first]) => runsTexts(first?.text ?? null)) ?? known[0] ?? null;
}

/** `["sh", "-c"] + [x]`, a name of such a list, `*ARGS`: its elements; null where they are unknown. */
export function elementsOf(names: PythonNames, given: SyntaxNode, hops = 0): Argument[] | null {
  return answer(names, given, hops);
}

const answer = remembered<Argument[]>(findElements);

function findElements(names: PythonNames, given: SyntaxNode, hops: number): Argument[] | null {
  const node = plainValue(given);
  if (hops > 5) return null;
  if (node.type === "list" || node.type === "tuple") {
    return named(node).flatMap((each) =>
      each.type === "list_splat"
        ? elementsOf(names, named(each)[0] ?? each, hops + 1) ?? [argument(names, each)]
        : [argument(names, each)]
    );
  }
  if (node.type === "binary_operator") {
    return [child(node, "left"), child(node, "right")].flatMap((side) =>
      side === null ? [] : elementsOf(names, side, hops + 1) ?? [argument(names, side)]
    );
  }
  if (node.type === "conditional_expression") {
    return tellingOf(
      [node.children[0]!, node.children.at(-1)!].map((each) => elementsOf(names, each, hops + 1)),
    );
  }
  if (node.type === "identifier" || node.type === "attribute") {
    const found = tellingOf(
      valuesOf(names, node).values.map((each) => elementsOf(names, each, hops + 1)),
    );
    return found === null || !runsTexts(found[0]?.text ?? null)
      ? found
      : [...found, ...grown(names, node, hops)];
  }
  if (node.type !== "call") return null;
  const callee = child(node, "function");
  const [first] = argumentsOf(names.tree, node).positional;
  const called = callee === null ? undefined : calleeOf(names, callee)?.name;
  if (first !== undefined && (called === "list" || called === "tuple")) {
    return elementsOf(names, first, hops + 1);
  }
  const value = called === "shlex.split" && first !== undefined
    ? foldText(names, first)?.split(/\s+/)
    : fold(names, node);
  return Array.isArray(value)
    ? value.map((text) => ({ node, text: typeof text === "string" ? text : null }))
    : null;
}

/** Whether a program runs texts, or starts programs that may. */
function runsTexts(program: string | null): boolean {
  const name = program === null ? "" : plainName(program);
  return program === null || SHELLS.test(name) || POWERSHELL.test(name) || WRAPPERS.test(name) ||
    TEXT_FIRST.test(name) || /^(cmd|ssh)$/.test(name) ||
    INTERPRETERS.some(([interpreter]) => interpreter.test(name));
}

/** Positional arguments before the program's own: `spawnlp(mode, file, arg0, …)`. */
const NAMED_PROGRAM = /^os\.(exec|spawn|posix_spawn)/;
const ONE_BY_ONE = /(create_subprocess_exec|subprocess_exec)$/;

/** Words that are given one by one, some of them by a list with a star. */
function wordsOf(names: PythonNames, given: readonly SyntaxNode[]): Argument[] {
  return given.flatMap((each) =>
    each.type === "list_splat"
      ? elementsOf(names, named(each)[0] ?? each) ?? [argument(names, each)]
      : [argument(names, each)]
  );
}

/** Methods of a command whose name is the program. */
const OF_COMMAND = /\.(run|popen|run_fg|run_bg|run_tee|run_nohup|run_retcode|nohup|with_env)$/;

/** The command line of a library's function. */
function startedWords(
  names: PythonNames,
  name: string,
  { layout, at, keys }: Starter,
  given: CallArguments,
  words: Argument[],
): Argument[] | null {
  const target = given.positional[at[0] ?? -1] ??
    keys.map((key) => given.keywords.get(key)).find((each) => each !== undefined);
  if (layout === "text") return null;
  if (layout === "named" || layout === "words") {
    const isMethod = OF_COMMAND.test(name);
    const all = isMethod ? words.flatMap((each) => elementsOf(names, each.node) ?? [each]) : words;
    const node = all[0]?.node ?? given.keywords.get("_in");
    if (layout === "words" || node === undefined) return all;
    const program = name.replace(OF_COMMAND, "").split(".").at(-1)!;
    return [{ node, text: program.replaceAll("_", "-"), stated: true }, ...all];
  }
  if (target === undefined) return null;
  if (layout === "program") {
    const rest = given.positional[at[0]! + 1] ?? given.keywords.get("args");
    return [argument(names, target), ...(rest === undefined ? [] : elementsOf(names, rest) ?? [])];
  }
  return elementsOf(names, target);
}

/** The arguments of what a call starts, the program first. */
export function commandOf(
  names: PythonNames,
  name: string,
  given: CallArguments,
): Argument[] | null {
  const positional = wordsOf(names, given.positional);
  const starter = starterOf(name);
  if (starter !== null) return startedWords(names, name, starter, given, positional);
  if (NAMED_PROGRAM.test(name)) {
    const [program, ...rest] = positional.slice(/^os\.spawn/.test(name) ? 1 : 0);
    if (program === undefined) return null;
    // `execl(file, arg0, …)` lists them, `execv(file, args)` has a list; arg0 is a mere title.
    const list = /^os\.(exec|spawn)l/.test(name)
      ? rest
      : elementsOf(names, (rest[0] ?? program).node) ?? [];
    return [program, ...list.slice(1)];
  }
  if (ONE_BY_ONE.test(name)) {
    return positional.slice(name.endsWith("create_subprocess_exec") ? 0 : 1);
  }
  if (name === "_posixsubprocess.fork_exec" || positional.length === 0) {
    const only = positional[0]?.node ?? given.keywords.get("args") ?? given.keywords.get("command");
    return only === undefined ? null : elementsOf(names, only);
  }
  // `pexpect.spawn(program, [arguments])`.
  if (name.startsWith("pexpect.") && positional[1] !== undefined) {
    return [positional[0]!, ...elementsOf(names, positional[1].node) ?? []];
  }
  return elementsOf(names, positional[0]!.node);
}
