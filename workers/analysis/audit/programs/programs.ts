/**
 * Programs that run a text which they are given: `sh -c TEXT`, `python -c TEXT`, `ssh HOST TEXT`,
 * also behind `env`, `sudo`, `xargs` and the like. A list of arguments is no protection there.
 *
 * @module
 */
import { foldText } from "../../python/values/folding.ts";
import type { CallArguments, PythonNames } from "../../python/names.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import {
  type Argument,
  argument,
  commandOf,
  elementsOf,
  INTERPRETERS,
  POWERSHELL,
  SHELLS,
  startedBy,
  TEXT_FIRST,
  WRAPPERS,
} from "./command_lines.ts";
import { type InputReader, readerIn, runArguments } from "./read_input.ts";
import { inputOf } from "./given_input.ts";

const SSH_VALUE = /^-[BbcDEeFIiJLlmOopQRSWw]$/;

/** Keys of the registry that name what Windows starts. */
export const RUN_KEY =
  /\\CurrentVersion\\+(Run|RunOnce|RunServices|Policies\\+Explorer\\+Run|Winlogon|Image File Execution Options)|\\Shell\\+Open\\+Command|\\CurrentControlSet\\+Services|\\Environment$/i;

/** A text that a started program runs. */
export interface RunText {
  node: SyntaxNode;
  /** `remote` is a shell of another machine. */
  by: "shell" | "code" | "remote";
  /** The program, for people. */
  program: string;
}

/** The texts that a command line runs, from its program on. */
function runBy(names: PythonNames, argv: readonly Argument[], hops = 0): RunText[] {
  const [first, ...rest] = argv;
  const program = first === undefined ? null : startedBy(names, first);
  if (program === null || hops > 4) return [];
  const options = rest.map(({ text }) => text);
  const after = (option: RegExp): SyntaxNode | undefined => {
    const at = options.findIndex((each) => each !== null && option.test(each));
    return at < 0 ? undefined : rest[at + 1]?.node;
  };
  const all = (from: number, by: RunText["by"]) =>
    from < 0 ? [] : rest.slice(from).map(({ node }) => ({ node, by, program }));
  if (SHELLS.test(program)) {
    const at = options.findIndex((each) => each !== null && /^[-+][A-Za-z]*c$/.test(each));
    const text = at < 0 ? undefined : rest[at + 1];
    if (text === undefined) return [];
    const more = text.text === null ? [] : runArguments(text.text, rest.slice(at + 2));
    return [text, ...more].map(({ node }) => ({ node, by: "shell", program }));
  }
  if (program === "schtasks") {
    const text = after(/^\/tr$/i);
    return text === undefined ? [] : [{ node: text, by: "shell", program }];
  }
  if (program === "reg") {
    const text = after(/^\/d$/i);
    const runs = options.some((each) => each !== null && RUN_KEY.test(each));
    return text === undefined || !runs ? [] : [{ node: text, by: "shell", program }];
  }
  if (program === "cmd") {
    const at = options.findIndex((each) => each !== null && /^\/[ckr]$/i.test(each));
    return at < 0 ? [] : all(at + 1, "shell");
  }
  if (POWERSHELL.test(program)) {
    const file = options.some((each) => each !== null && /^-f(ile)?$/i.test(each));
    return file ? [] : all(0, "shell").filter(({ node }) => !isOption(names, node));
  }
  const interpreter = INTERPRETERS.find(([name]) => name.test(program));
  if (interpreter !== undefined) {
    const text = after(interpreter[1]);
    return text === undefined ? [] : [{ node: text, by: "code", program }];
  }
  if (TEXT_FIRST.test(program)) {
    const at = options.findIndex((each) => each === null || !each.startsWith("-"));
    return at < 0 ? [] : all(at, "code").slice(0, 1);
  }
  if (program === "ssh" || program === "plink" || program === "sshpass") {
    let at = 0;
    while (at < rest.length && options[at]?.startsWith("-")) {
      at += SSH_VALUE.test(options[at]!) ? 2 : 1;
    }
    return program === "sshpass" ? inside(names, rest, hops) : all(at + 1, "remote");
  }
  if (!WRAPPERS.test(program)) return [];
  const text = /^(su|runuser|script|env|flock)$/.test(program)
    ? after(/^(-c|--command|-S|--split-string)$/)
    : undefined;
  return [
    ...(text === undefined ? [] : [{ node: text, by: "shell" as const, program }]),
    ...inside(names, rest, hops),
  ];
}

function isOption(names: PythonNames, node: SyntaxNode): boolean {
  return /^-/.test(foldText(names, node) ?? "");
}

/** The command line behind a wrapper: from the first argument that names a program that runs text. */
function inside(names: PythonNames, rest: readonly Argument[], hops: number): RunText[] {
  for (let at = 0; at < Math.min(rest.length, 30); at++) {
    const found = runBy(names, rest.slice(at), hops + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** A list that may be a command line, whatever it is given to. */
export function listedTexts(names: PythonNames, given: CallArguments): RunText[] {
  return given.positional.filter(({ type }) => /^(list|tuple|identifier)$/.test(type))
    .flatMap((each) => runBy(names, elementsOf(names, each) ?? []));
}

/** What a call that starts a program lets the program run as text. */
export function runTexts(names: PythonNames, name: string, given: CallArguments): RunText[] {
  const listed = commandOf(names, name, given) ?? aloneIn(names, given);
  if (listed === null) return [];
  // `executable` is what is started; the first argument is then a mere title.
  const started = given.keywords.get("executable");
  const argv = started === undefined ? listed : [argument(names, started), ...listed.slice(1)];
  const found = runBy(names, argv);
  const input = inputOf(names, given);
  if (input === undefined) return found;
  const reader = readerIn(names, argv);
  return reader === null ? found : [...found, { node: input, ...reader }];
}

/** The shell or interpreter that a call starts and that reads what it runs from its input. */
export function startedReader(
  names: PythonNames,
  name: string,
  given: CallArguments,
): InputReader | null {
  return readerIn(names, commandOf(names, name, given) ?? aloneIn(names, given) ?? []);
}

/** A program that is no list: `check_output("bash", input=x)`. */
function aloneIn(names: PythonNames, { positional }: CallArguments): Argument[] | null {
  const [first] = positional;
  return first === undefined ? null : [argument(names, first)];
}
