/**
 * Programs that are fetched when the server runs: packages of no fixed version that are installed or
 * started, downloads that a shell reads.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import type { PythonNames } from "../../python/names.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { shellTextsOf, startedLines } from "../flow/files/starts.ts";
import { type Argument, startedBy } from "../programs/command_lines.ts";
import type { StartedCall } from "../flow/starting/process.ts";
import { runFiles } from "../programs/program_files.ts";
import { optionTexts } from "../programs/program_options.ts";
import { runTexts } from "../programs/programs.ts";
import { shellText } from "../programs/shell_words.ts";
import { report, type Rule, rule } from "../rule.ts";

const FETCHED = rule(
  "py/fetched-program",
  "high",
  494,
  "Declare the dependency, or pin its version: the program may change at any time",
);

/** Every rule of this module. */
export const FETCHED_RULES: readonly Rule[] = [FETCHED];

const LOCAL =
  /^(\.{1,2}([\\/]|$)|[\\/~]|[A-Za-z]:[\\/]|file:|workspace:|link:)|^[^:]*\.(whl|tgz|tar\.gz|zip)$/;
const PINNED = /(===?|[@#~^]|=)v?\d|@[0-9a-f]{12,40}(#|$)|@sha\d+:|#[0-9a-f]{7,40}$/i;
/** What installs packages itself. */
const OWN = /^(pip|setuptools|wheel|uv|pipx|npm|ensurepip)(\[|$|[<>=~!])/;

/** The SDKs, which a server requires anyway. */
const SDK = /^(mcp|fastmcp)(\[[\w,-]{0,60}\])?([<>=~!].*)?$/;
const INSTALLERS = /^(pip[\d.]*|uv|uvx|pipx)$/;
/** What has packages come from elsewhere. */
const ELSEWHERE =
  /^(-i|-f|--(extra-)?index(-url)?|--default-index|--find-links|--config-file|--trusted-host)\b|:\/\//;
const SETS_ELSEWHERE = /\b(PIP|UV)_[A-Z_]*(INDEX|LINKS|CONFIG|TRUSTED)/;

/** Whether a command writes down what a project requires, and installs nothing. */
function onlyDeclares(argv: readonly Argument[]): boolean {
  const words = argv.map(({ text }) => text);
  return words[0] === "uv" && words[1] === "add" &&
    (words.includes("--no-sync") || words.includes("--frozen"));
}

/** Whether an SDK is fetched from where everybody has it from. */
function isSdk(
  { tree }: PythonNames,
  program: string,
  fetched: string,
  argv: readonly Argument[],
): boolean {
  const isOpen = onlyDeclares(argv);
  return SDK.test(fetched) && INSTALLERS.test(program) && !SETS_ELSEWHERE.test(tree.text) &&
    argv.slice(1).every(({ text }) => text === null ? isOpen : !ELSEWHERE.test(text));
}

const isPinned = (text: string) => LOCAL.test(text) || PINNED.test(text) || OWN.test(text);

/** A shell that reads what a download answers. */
const READ_BY_SHELL = new RegExp(
  [
    // An interpreter with a program of its own reads data, unless that runs what it reads.
    String
      .raw`\b(curl|wget|http|fetch)\b[^|\n;]{1,500}\|\s*((sudo|env|nohup)\s+(-\S+\s+)*)?(/\S{1,50}/)?((ba|z|da|k|fi)?sh\b|(python[\d.]*|node|perl|ruby|php)\b(?!\s+(-\w+\s+)*(-m\s+json\b|-\w*[cep]\s(?![^|]*(\b(exec|eval|system|popen|spawn\w*|Function|compile|run|pickle|marshal)\b|__)))))`,
    String.raw`\|\s*xargs\b[^|\n;]{0,200}\b(ba|z|da|k)?sh\s+-c\b`,
    String
      .raw`(\b(ba|z|da|k)?sh|python[\d.]*|source|eval|\.)\s+(-\w+\s+)?["']?(<\(|\$\(|\`)\s*(curl|wget)\b`,
    String
      .raw`\b(iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[\s\S]{1,500}(\|\s*)?\b(iex|invoke-expression)\b`,
    String
      .raw`\b(iex|invoke-expression)\b[\s\S]{1,200}(downloadstring|iwr|irm|invoke-webrequest)`,
    String
      .raw`(\bdownloadfile|-outfile|\bstart-bitstransfer)\b[\s\S]{1,500}\b(start-process|invoke-item)\b`,
  ].join("|"),
  "i",
);

const ADDRESS = String.raw`["']?(?:https?:|ftp:|\\\\[^\\\s])`;
/** Programs by the arguments with which they run what an address, or their own text, says. */
const RUNS_ADDRESS: readonly (readonly [program: RegExp, argument: RegExp])[] = [
  [/^mshta$/, new RegExp(String.raw`(^|\s)(${ADDRESS}|["']?(vbscript|javascript|about):)`, "i")],
  [/^regsvr32$/, new RegExp(String.raw`(^|\s|[-/]i:\s*)${ADDRESS}`, "i")],
  [/^rundll32$/, new RegExp(String.raw`(^|\s)(["']?(javascript|vbscript):|["']?\\\\[^\\\s])`, "i")],
  [/^wmic$/, new RegExp(String.raw`[-/]format:\s*${ADDRESS}`, "i")],
  [
    /^(msiexec|cscript|wscript|hh|ieexec|msxsl|installutil|regasm|cmstp)$/,
    new RegExp(String.raw`(^|\s)${ADDRESS}`, "i"),
  ],
  // It is made for certificates: who fetches other files with it hides that.
  [/^certutil$/, new RegExp(String.raw`[-/](urlcache|verifyctl)\b.*\s${ADDRESS}`, "i")],
  [/^bitsadmin$/, /\bhttps?:.+\.(exe|dll|ps1|bat|cmd|vbs|js|scr|msi|hta)\b/i],
  [/^deno$/, /^(run|serve|test|install)\s+(-\S+\s+)*https?:\/\/(?!\S*@v?\d)/],
];
const MAX_WORDS = 12;

/** The program of a command line that runs what an address says. */
function runsAddress(names: PythonNames, argv: readonly Argument[]): string | null {
  for (const [at, word] of argv.slice(0, MAX_WORDS).entries()) {
    const program = word.text === null ? null : startedBy(names, word);
    const entry = RUNS_ADDRESS.find(([name]) => program !== null && name.test(program));
    if (entry?.[1].test(argv.slice(at + 1).map(({ text }) => text ?? "").join(" "))) {
      return program;
    }
  }
  return null;
}

/** Without this option `npx` asks before it fetches what is not installed. */
function asks(argv: readonly Argument[]): boolean {
  return argv[0]?.text === "npx" && !argv.some(({ text }) => /^(-y|--yes)$/.test(text ?? ""));
}

/** What a started program runs as text in a language, or by an option. */
function otherTexts({ names, callee, given }: StartedCall): string[] {
  const name = callee?.name ?? "";
  const codes = runTexts(names, name, given).filter(({ by }) => by === "code");
  return [...codes.map(({ node }) => node), ...optionTexts(names, name, given)]
    .map((node) => shellText(names, node));
}

function ofCall(names: PythonNames, call: ModuleCall, runs: boolean): RawFinding | null {
  const kind = sinkOf(call.callee?.name ?? "");
  if (kind !== "shell" && kind !== "process") return null;
  const started = { names, callee: call.callee, given: call.given };
  const grave = runs ? FETCHED.severity : "medium";
  for (const text of [...shellTextsOf(started), ...otherTexts(started)]) {
    if (READ_BY_SHELL.test(text)) {
      return report(FETCHED, names.tree, call.node, "A shell runs downloaded code", grave);
    }
  }
  for (const { argv } of startedLines(started)) {
    const runner = runsAddress(names, argv);
    if (runner !== null) {
      return report(FETCHED, names.tree, call.node, `${runner} runs what it fetches`, grave);
    }
    for (const { argument, by, program } of runFiles(names, argv)) {
      if (by !== "package" || argument.text === null || isPinned(argument.text)) continue;
      const title = `${program} fetches ${argument.text} without a fixed version`;
      const isKnown = asks(argv) || isSdk(names, program, argument.text, argv);
      return report(FETCHED, names.tree, call.node, title, isKnown ? "medium" : grave);
    }
  }
  return null;
}

/** Findings of a module. */
export function pythonFetched(names: PythonNames, nodes: ModuleNodes, runs: boolean): RawFinding[] {
  return nodes.calls.map((each) => ofCall(names, each, runs)).filter((each) => each !== null);
}
