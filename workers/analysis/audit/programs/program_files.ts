/**
 * Files and packages that programs run: `python FILE`, `bash FILE`, `python -m MODULE`,
 * `npx PACKAGE`, `pip install PACKAGE`, also behind `env`, `sudo` and the like.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import {
  type Argument,
  INTERPRETERS,
  POWERSHELL,
  SHELLS,
  startedBy,
  WRAPPERS,
} from "./command_lines.ts";

/** What a program runs beside texts. */
export interface RunFile {
  argument: Argument;
  /** `package` is fetched from elsewhere, `system` by the system's own package manager or a container. */
  by: "script" | "module" | "package" | "system";
  /** The program, for people. */
  program: string;
}

/** Programs whose first plain argument is a file that they run, beside shells and interpreters. */
const RUNS_FILE =
  /^(source|\.|osascript|wscript|cscript|mshta|rundll32|regsvr32|wine|ipython|papermill|tclsh|wish|expect|octave(-cli)?|sage|gnuplot|ansible-playbook|crontab|freecadcmd|jython|runhaskell|sbcl|guile|racket|clojure|kotlinc|scala-cli|swift|zx|coffee|electron|gdb-multiarch|streamlit|gunicorn|uvicorn|flask|celery)$/i;
/** Commands of programs after which a file comes that is run. */
const RUN_COMMAND: readonly (readonly [program: RegExp, command: RegExp])[] = [
  [/^deno$/, /^(run|test|serve|task)$/],
  [/^bun$/, /^run$/],
  [/^(go|dotnet|swift|zig|v|dart|mojo|nim|crystal|streamlit)$/, /^(run|script)$/],
];
/** Options of programs after which a file comes that is run. */
const FILE_OPTION: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [POWERSHELL, /^-f(ile)?$/i],
  [/^java$/, /^-(jar|cp|classpath|javaagent)$/],
  [/^make$|^gmake$/, /^(-f|--file|--makefile)$/],
  [/^(g|m|n)?awk$|^sed$/, /^(-f|--file)$/],
  [/^(gdb|lldb)$/, /^(-x|-ix|--command|-s|--source)$/],
  [/^(n?vim?|emacs)$/, /^(-S|-u|-s|--script|-l|--load)$/],
  [/^blender$/, /^(-P|--python)$/],
  [/^(ba|z|k)?sh$/, /^(--rcfile|--init-file)$/],
  [
    /^(node|bun|tsx|ts-node|deno)$/,
    /^(-r|--require|--import|--loader|--experimental-loader|--preload)$/,
  ],
  [/^at$|^batch$/, /^-f$/],
  [/^(ssh|scp|sftp)$/, /^-F$/],
];
/** Programs that start the one which their first plain argument names. */
const STARTS =
  /^(sudo|doas|env|nohup|timeout|nice|ionice|setsid|stdbuf|time|xargs|systemd-run|exec|command|strace|ltrace|unbuffer|firejail|proot|fakeroot|dbus-run-session|xvfb-run|gosu|busybox|start|chroot|taskset|flock|rlwrap)$/;
/** Wrappers with commands of their own, some of which are named like a program that starts another. */
const HAS_COMMANDS =
  /^(docker|podman|kubectl|lxc|adb|wsl|uv|poetry|pipenv|pipx|conda|npx|bunx|pnpm|yarn)$/;
const OWN_COMMAND = /^(exec|start|command)$/;
/** Options of interpreters that take a value. */
const VALUED = /^(-[WXoOIr]|--require|--import|--rcfile|--init-file|--loader|--config)$/;

/** Programs that fetch a package, by their commands; null where each use does. */
const FETCHERS: readonly (readonly [program: RegExp, commands: RegExp | null])[] = [
  [/^(npx|bunx|uvx|pnpx)$/, null],
  [/^(pip[\d.]*|pipx|easy_install)$/, /^(install|run|download|inject)$/],
  [/^(npm|pnpm|yarn|bun)$/, /^(exec|x|dlx|install|i|add|create|init)$/],
  [/^uv$/, /^(add|install|run)$/],
  [/^(poetry|pipenv|pdm|rye|hatch)$/, /^(add|install)$/],
  [/^(cargo|gem|go|deno|luarocks|cpanm?|composer|dotnet)$/, /^(install|get|require)$/],
];
const SYSTEM: readonly (readonly [program: RegExp, commands: RegExp])[] = [
  [
    /^(apt|apt-get|aptitude|apk|yum|dnf|zypper|pacman|brew|port|choco|winget|scoop|snap|flatpak|conda|mamba|micromamba|nix|nix-env)$/,
    /^(install|add|run|-S|-i|create|update|-iA|shell)$/,
  ],
  [/^(docker|podman|nerdctl)$/, /^(run|create)$/],
  [/^code$/, /^--install-extension$/],
];
/** Options of fetchers whose value is a package; of others it is none. */
const PACKAGE_OPTION = /^(--with|--from|-p|--package|--spec|--pip-args)$/;
const OTHER_OPTION =
  /^(-r|--requirement|-c|--constraint|-t|--target|--prefix|--root|-i|--index-url|--extra-index-url|--python|--directory|--project|--name|--network|-v|--volume|-e|--env|-w|--workdir|--user|-u|--cwd|--filter|-C|--mount|--entrypoint|--env-file|--platform|--cpus|-m|--memory|-n)$/;

/** Arguments of a command that are no options, nor their values. */
function plain(rest: readonly Argument[], from: number, valued: RegExp): Argument[] {
  const found: Argument[] = [];
  for (let at = from; at < rest.length; at++) {
    const { text } = rest[at]!;
    if (text !== null && valued.test(text)) at++;
    else if (text === null || !/^[-+]/.test(text)) found.push(rest[at]!);
  }
  return found;
}

function fetched(program: string, rest: readonly Argument[]): RunFile[] {
  for (const [table, by] of [[FETCHERS, "package"], [SYSTEM, "system"]] as const) {
    const entry = table.find(([name]) => name.test(program));
    if (entry === undefined) continue;
    const commands = entry[1];
    const at = commands === null
      ? -1
      : rest.findIndex(({ text }) => text !== null && commands.test(text));
    if (commands !== null && at < 0) continue;
    const named = rest.flatMap((each, index) =>
      PACKAGE_OPTION.test(rest[index - 1]?.text ?? "") ? [each] : []
    );
    const others = plain(
      rest,
      at + 1,
      new RegExp(`${OTHER_OPTION.source}|${PACKAGE_OPTION.source}`),
    );
    const command = at < 0 ? "" : rest[at]!.text!;
    // Those that run take one package, what follows are its arguments.
    const runs = commands === null || /^(exec|x|dlx|run|create|init)$/.test(command);
    const isOwn = program === "uv" && command === "run";
    const packages = isOwn
      ? named
      : runs
      ? named.length > 0 ? named : others.slice(0, 1)
      : [...named, ...others];
    return packages.map((argument) => ({ argument, by, program }));
  }
  return [];
}

function script(program: string, rest: readonly Argument[]): RunFile[] {
  const one = (argument: Argument | undefined, by: RunFile["by"] = "script") =>
    argument === undefined ? [] : [{ argument, by, program }];
  const option = FILE_OPTION.find(([name]) => name.test(program))?.[1];
  const files = option === undefined
    ? []
    : rest.filter((_, at) => option.test(rest[at - 1]?.text ?? "")).flatMap((each) => one(each));
  if (files.length > 0) return files;
  const command = RUN_COMMAND.find(([name]) => name.test(program))?.[1];
  const at = command === undefined ? -1 : rest.findIndex(({ text }) => command.test(text ?? ""));
  if (at >= 0) return one(plain(rest, at + 1, VALUED)[0]);
  const isShell = SHELLS.test(program);
  const interpreter = INTERPRETERS.find(([name]) => name.test(program));
  if (!isShell && interpreter === undefined && !RUNS_FILE.test(program) && program !== "java") {
    return [];
  }
  for (let at = 0; at < rest.length; at++) {
    const { text } = rest[at]!;
    if (text !== null && VALUED.test(text)) at++;
    else if (text === "-m" && !isShell) return one(rest[at + 1], "module");
    else if (text !== null && (isShell ? /^[-+][A-Za-z]*c$/ : interpreter?.[1])?.test(text)) {
      return [];
    } else if (text === null || !/^[-+]/.test(text)) return one(rest[at]);
  }
  return [];
}

/** The files and packages that a command line runs. */
export function runFiles(
  names: PythonNames,
  argv: readonly Argument[],
  hops = 0,
): RunFile[] {
  const [first, ...rest] = argv;
  const program = first === undefined ? null : startedBy(names, first);
  if (program === null || hops > 4) return [];
  const found = fetched(program, rest);
  if (found.length > 0) return found;
  const files = script(program, rest);
  const [file] = files;
  if (file?.by === "module" && /^(pip|pipx|uv|ensurepip)$/.test(file.argument.text ?? "")) {
    return runFiles(names, argv.slice(argv.indexOf(file.argument)), hops + 1);
  }
  if (files.length > 0 || !WRAPPERS.test(program)) return files;
  const hasCommands = HAS_COMMANDS.test(program);
  for (let at = 0; at < Math.min(rest.length, 30); at++) {
    if (hasCommands && OWN_COMMAND.test(rest[at]!.text ?? "")) continue;
    const inner = runFiles(names, rest.slice(at), hops + 1);
    if (inner.length > 0) return inner;
  }
  // `timeout 5 x`, `env A=1 x`.
  const started = STARTS.test(program)
    ? rest.find(({ text }) => text === null || !/^[-+]|^\w+=|^[\d.]+[smhd]?$/.test(text))
    : undefined;
  return started === undefined ? [] : [{ argument: started, by: "script", program }];
}
