/**
 * Programs that run what they read from their input: `sh`, `python -`, `xargs sh -c`, `cat | sh`,
 * `docker exec -i NAME sh`, clients of databases that know commands of the shell.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import {
  type Argument,
  INTERPRETERS,
  POWERSHELL,
  SHELLS,
  startedBy,
  WRAPPERS,
} from "./command_lines.ts";
import { shellText } from "./shell_words.ts";

/** A started program that executes what is written to its standard input. */
export interface InputReader {
  by: "shell" | "code";
  /** The program, for people. */
  program: string;
}

const INPUT = /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;
/** They plan, or start, each line that they read. */
const STARTS_LINES = /^(at|batch|crontab|parallel)$/;
/** Interpreters that have no option for a text. */
const INTERACTIVE =
  /^(r|octave(-cli)?|gnuplot|m4|tclsh|wish|expect|guile|sbcl|clisp|ghci|irb|ipython[\d.]*|iex|erl|swipl|maxima|gp|sage|bpython|ptpython|scala|jshell)$/;
/** They have commands of the shell whatever file they are given. */
const ESCAPES_TO_SHELL = /^(gdb|lldb|ftp|lftp|sftp|ed|ex)$/;
/** Clients of databases with a command for the shell, and the options that give them another input. */
const CLIENTS: readonly (readonly [program: RegExp, other: RegExp])[] = [
  [/^(psql)$/, /^(-[a-zA-Z]*[cfl]|--command.*|--file.*|--list)$/],
  [/^(mysql|mariadb)$/, /^(-[a-zA-Z]*e|--execute.*)$/],
];
/** What brings a command to another place: the command is behind options and a name. */
const ELSEWHERE = /^(docker|podman|kubectl|oc|lxc|wsl|ssh|adb|nerdctl|incus|machinectl)$/;
const SSH_VALUE = /^-[BbcDEeFIiJLlmOopQRSWw]$/;

const code = (program: string): InputReader => ({ by: "code", program });
const shell = (program: string): InputReader => ({ by: "shell", program });

function ofShell(program: string, rest: readonly Argument[]): InputReader | null {
  const at = rest.findIndex(({ text }) => text !== null && /^[-+][A-Za-z]*c$/.test(text));
  if (at >= 0) {
    const text = rest[at + 1]?.text ?? null;
    return text === null ? null : readerOfText(text);
  }
  const [first] = rest.filter(({ text }) => text === null || !/^[-+]./.test(text));
  const takesInput = rest.some(({ text }) => text !== null && /^-[a-z]*s[a-z]*$/.test(text));
  return first === undefined || takesInput || INPUT.test(first.text ?? "") ? shell(program) : null;
}

function ofInterpreter(
  program: string,
  text: RegExp,
  rest: readonly Argument[],
): InputReader | null {
  if (rest.some((each) => each.text === null)) return null;
  const words = rest.map((each) => each.text!);
  if (words.some((each) => text.test(each) || each === "-m")) return null;
  const plain = words.filter((each) => !/^-./.test(each));
  return plain.every((each) => INPUT.test(each)) ? code(program) : null;
}

/** A program that has files, or texts, of its own as well. */
function ofOther(program: string, rest: readonly Argument[]): InputReader | null {
  const words = rest.map(({ text }) => text ?? "");
  if (program === "sqlite3") {
    const plain = words.filter((each) => !each.startsWith("-"));
    return plain.length <= 1 ? shell(program) : null;
  }
  const client = CLIENTS.find(([name]) => name.test(program));
  if (client !== undefined) {
    return words.some((each) => client[1].test(each)) ? null : shell(program);
  }
  if (/^g?make$/.test(program)) {
    return words.some((each, at) => /^(-f|--file)$/.test(words[at - 1] ?? "") && INPUT.test(each))
      ? shell(program)
      : null;
  }
  if (/^[gmn]?awk$/.test(program)) {
    return words.some((each, at) => words[at - 1] === "-f" && INPUT.test(each))
      ? code(program)
      : null;
  }
  return null;
}

/** The command that is run elsewhere: `docker exec -i NAME sh`, `ssh HOST bash -s`. */
function ofElsewhere(
  names: PythonNames,
  program: string,
  rest: readonly Argument[],
): InputReader | null {
  if (program === "ssh") {
    let at = 0;
    while (at < rest.length && rest[at]!.text?.startsWith("-")) {
      at += SSH_VALUE.test(rest[at]!.text!) ? 2 : 1;
    }
    const command = rest.slice(at + 1);
    return command.length === 0 ? shell("a shell of another machine") : readerIn(names, command);
  }
  for (let at = 1; at < Math.min(rest.length, 20); at++) {
    const started = startedBy(names, rest[at]!);
    const isKnown = started !== null && (SHELLS.test(started) || POWERSHELL.test(started) ||
      INTERPRETERS.some(([name]) => name.test(started)));
    // An image has the name of the program that it is for: `docker run python:3 python -`.
    if (!isKnown || rest[at]!.text?.includes(":")) continue;
    const found = readerIn(names, rest.slice(at));
    if (found !== null) return found;
  }
  return null;
}

/** A shell or an interpreter that reads its program from what it is given as input. */
export function readerIn(names: PythonNames, argv: readonly Argument[]): InputReader | null {
  for (let at = 0; at < Math.min(argv.length, 10); at++) {
    const program = startedBy(names, argv[at]!);
    const rest = argv.slice(at + 1);
    if (program === null) return null;
    if (program === "xargs") return handedBy(names, rest);
    if (SHELLS.test(program)) return ofShell(program, rest);
    if (STARTS_LINES.test(program) || ESCAPES_TO_SHELL.test(program)) return shell(program);
    if (POWERSHELL.test(program) || program === "cmd") return shell(program);
    const interpreter = INTERPRETERS.find(([name]) => name.test(program));
    if (interpreter !== undefined) return ofInterpreter(program, interpreter[1], rest);
    if (INTERACTIVE.test(program)) return ofInterpreter(program, /^-[ef]$/, rest);
    const other = ofOther(program, rest);
    if (other !== null) return other;
    if (ELSEWHERE.test(program)) return ofElsewhere(names, program, rest);
    if (!WRAPPERS.test(program) && !(at > 0 && /^-/.test(program))) return null;
  }
  return null;
}

const XARGS_VALUE = /^(-[nPLsdEa]|--max-\w+|--delimiter|--arg-file|--process-slot-var)$/;

/** What runs the words that xargs reads: the command that it puts them behind, or into. */
function handedBy(names: PythonNames, rest: readonly Argument[]): InputReader | null {
  const at = rest.findIndex(({ text }, index) =>
    text !== null && !text.startsWith("-") && !XARGS_VALUE.test(rest[index - 1]?.text ?? "") &&
    !/^-I$|^--replace$/.test(rest[index - 1]?.text ?? "")
  );
  const command = at < 0 ? null : startedBy(names, rest[at]!);
  if (command === null) return null;
  const takes = SHELLS.test(command) || WRAPPERS.test(command) || POWERSHELL.test(command) ||
    INTERPRETERS.some(([name]) => name.test(command));
  return takes ? shell(`xargs ${command}`) : null;
}

const SHELL_WORD = String
  .raw`(?:(?:sudo|env|nohup|exec|command|time)\s+(?:-\S+\s+)*)*(?:\/\S{1,50}\/)?(?:(?:ba|da|z|k|a|fi)?sh)(?:\s+-[a-bd-z]+)*(?:\s+(?:-|\/dev\/stdin))?\s*(?=$|[;&|)\n>])`;
const CODE_WORD = String
  .raw`(?:(?:sudo|env|nohup|exec|command|time)\s+(?:-\S+\s+)*)*(?:\/\S{1,50}\/)?(?:python[\d.]*|node|perl|ruby|php|lua)(?:\s+-[a-bdf-lnq-z]+)*(?:\s+(?:-|\/dev\/stdin))?\s*(?=$|[;&|)\n>])`;
/** A shell at the beginning of a line, or behind a pipe that its input goes through. */
const READS_SHELL = new RegExp(String.raw`(?:^|[;&|(\n])\s*${SHELL_WORD}`);
const READS_CODE = new RegExp(String.raw`(?:^|[;&|(\n])\s*${CODE_WORD}`);
const XARGS =
  /\bxargs\s+(?:-\S+\s+(?:\{\}\s+|\d+\s+)?)*(?:sudo\s+|env\s+)?(?:(?:ba|da|z|k|fi)?sh|python[\d.]*|perl|ruby|node)\b/;
const EVALUATED =
  /\bread\b[\s\S]{0,200}\b(?:eval|sh\s+-c|bash\s+-c)\b|\b(?:eval|sh\s+-c|bash\s+-c)\s+["']?(?:\$\(\s*(?:cat|<\s*\/dev\/stdin)|`cat)|(?:^|[;&|\n]\s*)(?:source|\.)\s+\/dev\/stdin/;
/** What a pipe begins with that does not read its input. */
const OWN_TEXT = /^\s*(?:echo|printf|ls|find|git|curl|wget|ps|date|cat\s+[^-|;&\s])/;

/** What runs the input of a shell's text: `cat | sh`, `xargs -n1 sh -c`, `read l; eval "$l"`. */
export function readerOfText(text: string): InputReader | null {
  if (EVALUATED.test(text)) return shell("a shell");
  for (const line of text.slice(0, 5000).split(/&&|\|\||[;\n]/)) {
    if (OWN_TEXT.test(line)) continue;
    if (XARGS.test(line)) return shell("xargs");
    if (READS_SHELL.test(line)) return shell("a shell");
    if (READS_CODE.test(line)) return code("an interpreter");
    if (/(^|\|)\s*(crontab\s+-|at\s+\S|batch\b)/.test(line)) return shell("cron");
  }
  return null;
}

/** What runs the input of a shell's text that an expression gives. */
export function inputReaderOf(names: PythonNames, text: SyntaxNode): InputReader | null {
  return readerOfText(shellText(names, text));
}

/** Where a shell's text runs its arguments as text: `eval "$1"`, `sh -c "$0"`. */
const RUNS_ARGUMENTS =
  /\beval\b[^;|&\n]*\$(?:\{?\d|@|\*)|(?:^|[;&|(\n]\s*)["']?\$(?:\{?\d|\*)|\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s+["']?\$|\$(?:\{?\d|@|\*)[^;&\n]*\|\s*(?:ba|da|z|k)?sh\b/;
/** Where it starts them as a program. */
const STARTS_ARGUMENTS = /(?:^|[;&|(\n]\s*|\bexec\s+)["']?\$(?:@|\{@\}|\*)/;

/** The arguments behind a shell's text that it runs as text, or as the program. */
export function runArguments(text: string, after: readonly Argument[]): readonly Argument[] {
  if (RUNS_ARGUMENTS.test(text)) return after;
  return STARTS_ARGUMENTS.test(text) ? after.slice(1, 2) : [];
}

/** Variables that a shell's text runs as text or as the program: `eval "$CMD"`, `$CMD`. */
export function runNames(text: string): Set<string> {
  const ways = [
    /\beval\b[^;|&\n]{0,200}?\$\{?([A-Za-z_]\w{0,100})/g,
    /(?:^|[;&|(\n])\s*["']?\$\{?([A-Za-z_]\w{0,100})/g,
    /\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s+["']?\$\{?([A-Za-z_]\w{0,100})/g,
    /\$\{?([A-Za-z_]\w{0,100})[^;&\n]{0,200}\|\s*(?:ba|da|z|k)?sh\b/g,
  ];
  return new Set(ways.flatMap((way) => [...text.matchAll(way)].map(([, name]) => name!)));
}
