/**
 * What it means that a labelled value reaches a call which starts a program: as the program, as a text
 * or a file that the program runs, in the environment or the folder that decide what runs.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf } from "../../../python/names.ts";
import { starterOf } from "../../../python/calls/starters.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { type Argument, commandOf } from "../../programs/command_lines.ts";
import { runFiles } from "../../programs/program_files.ts";
import { optionTexts } from "../../programs/program_options.ts";
import { inputOf } from "../../programs/given_input.ts";
import { runTexts } from "../../programs/programs.ts";
import { inputReaderOf, runNames } from "../../programs/read_input.ts";
import { shellText } from "../../programs/shell_words.ts";
import { report } from "../../rule.ts";
import { givenShell } from "../../programs/shell_argument.ts";
import { environmentOf, runningVariables } from "./environment.ts";
import type { ObservedCall } from "../observed.ts";
import { ENCODED_CODE, INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import { type Label, toolParameter } from "../labels.ts";
import { leadingParameter } from "./lead.ts";

export type StartedCall = Pick<ObservedCall, "names" | "callee" | "given">;

/** The command line of a call, the program first; null where it is no list. */
export function argvOf({ names, callee, given }: StartedCall): Argument[] | null {
  const listed = commandOf(names, callee!.name, given);
  // `Popen(args, bufsize, executable)`.
  const third = /^subprocess\.\w+$/.test(callee!.name) ? given.positional[2] : undefined;
  const started = given.keywords.get("executable") ??
    (third === undefined || third.type === "none" ? undefined : third);
  if (started === undefined || listed === null) return listed;
  return [{ node: started, text: null }, ...listed.slice(1)];
}

/** Whether a call that starts a program has a shell read what it is given. */
export function readByShell({ names, callee, given }: StartedCall): boolean {
  if (givenShell(names, given)) return true;
  const starter = starterOf(callee!.name);
  const [first] = given.positional;
  return starter?.layout === "line" && first !== undefined &&
    commandOf(names, callee!.name, given) === null;
}

/** What a strange value is run as. */
interface Strange {
  /** What a caller's parameter is there. */
  as: string;
  /** What reaches the program where a request answered it. */
  by: string;
  rule?: keyof typeof INJECTION;
}

function strange(
  { names, node }: ObservedCall,
  labels: ReadonlySet<Label>,
  { as, by, rule = "process" }: Strange,
): RawFinding | null {
  const parameter = toolParameter(labels);
  if (parameter !== null) {
    return report(INJECTION[rule], names.tree, node, `Parameter "${parameter}" ${as}`);
  }
  return labels.has("network")
    ? report(REMOTE_CODE, names.tree, node, `Response data reaches ${by}`)
    : null;
}

/** A text that the started program runs. */
function textRun(call: ObservedCall): RawFinding | null {
  const { names, callee, given, labels, node } = call;
  for (const { node: text, by, program } of runTexts(names, callee!.name, given)) {
    const found = labels(text);
    const said = strange(call, found, {
      as: `is part of what ${program} runs as text`,
      by: program,
      rule: by === "code" ? "code" : "shell",
    });
    if (said !== null) return said;
    if (found.has("encoded")) {
      return report(ENCODED_CODE, names.tree, node, `Decoded text reaches ${program}`);
    }
  }
  for (const text of optionTexts(names, callee!.name, given)) {
    const said = strange(call, labels(text), {
      as: "is an option or a variable that runs as a command",
      by: "an option that runs as a command",
      rule: "shell",
    });
    if (said !== null) return said;
  }
  return null;
}

/** A file, a module or a package that the started program runs. */
function fileRun(call: ObservedCall): RawFinding | null {
  for (const { argument, by, program } of runFiles(call.names, argvOf(call) ?? [])) {
    if (argument.text !== null || argument.stated) continue;
    // Only the version of a package that the source names.
    if (/^[rf]*["'][\w.-]+(\[[\w,-]+\])?==/i.test(textOf(call.names.tree, argument.node))) continue;
    const what = by === "script" || by === "module" ? `the ${by}` : "the package";
    const said = strange(call, call.labels(argument.node), {
      as: `chooses ${what} that ${program} runs`,
      by: program,
    });
    if (said !== null) return said;
  }
  return null;
}

/** Variables that decide what the started program runs. */
function environmentRun(call: ObservedCall): RawFinding | null {
  const environment = environmentOf(call.callee!.name, call.given);
  if (environment === undefined) return null;
  const [text] = call.given.positional;
  const texts = readByShell(call) && text !== undefined
    ? [shellText(call.names, text)]
    : (argvOf(call) ?? []).map((each) => each.text ?? "").filter((each) => each.includes("$"));
  const own = new Set(texts.flatMap((each) => [...runNames(each)]));
  for (const { value, name } of runningVariables(call, environment, own)) {
    const said = strange(call, call.labels(value), {
      as: `sets the variable ${name}, which decides what runs`,
      by: `the variable ${name}`,
      rule: "shell",
    });
    if (said !== null) return said;
  }
  return null;
}

const RELATIVE = /^(\.{1,2}[\\/]|[\w.-]+[\\/])/;

/** A program, or its script, in a folder that the caller chooses. */
function folderRun(call: ObservedCall): RawFinding | null {
  const folder = call.given.keywords.get("cwd") ?? call.given.keywords.get("_cwd") ??
    enteredBefore(call);
  if (folder === undefined) return null;
  const argv = argvOf(call) ??
    (call.given.positional[0] === undefined
      ? []
      : [{ node: call.given.positional[0], text: textIn(call, call.given.positional[0]) }]);
  const inFolder = RELATIVE.test(argv[0]?.text ?? "");
  return inFolder
    ? strange(call, call.labels(folder), {
      as: "chooses the folder of the program to run",
      by: "the folder of the program to run",
    })
    : null;
}

const CALLS = nodeTypes("call");

/** The folder that the function around a call has gone to: `os.chdir(x)`. */
function enteredBefore({ names, node }: ObservedCall): SyntaxNode | undefined {
  if (!names.tree.text.includes("chdir")) return undefined;
  for (const each of walk(ancestor(node, "function_definition") ?? names.tree.root, CALLS)) {
    const callee = child(each, "function");
    if (callee === null || !/^(os|contextlib)\.chdir$/.test(calleeOf(names, callee)?.name ?? "")) {
      continue;
    }
    return argumentsOf(names.tree, each).positional[0];
  }
  return undefined;
}

function textIn({ names }: ObservedCall, node: SyntaxNode): string | null {
  return node.type === "string" ? textOf(names.tree, node).replace(/^\w*["']+/, "") : null;
}

/** The program itself, and, less severe, its arguments. */
function programRun(call: ObservedCall, target: SyntaxNode | undefined): RawFinding | null {
  const { names, callee, node, labels, lead } = call;
  const argv = argvOf(call);
  const all = new Set([
    ...target === undefined ? [] : labels(target),
    ...(argv ?? []).flatMap((each) => each.stated ? [] : [...labels(each.node)]),
  ]);
  const [first] = argv ?? [];
  const chosen = first === undefined
    ? target === undefined
      ? new Set<Label>()
      : /^(identifier|attribute|subscript)$/.test(target.type)
      ? lead(target)
      : new Set(labels(target))
    : first.stated
    ? new Set<Label>()
    : first.node.type === "list_splat"
    ? lead(named(first.node)[0] ?? first.node)
    : new Set(labels(first.node));
  // `cmd.insert(0, x)`.
  if (target !== undefined && !first?.stated) {
    for (const label of lead(target)) chosen.add(label);
  }
  const name = callee!.name;
  if (chosen.has("encoded")) {
    return report(
      ENCODED_CODE,
      names.tree,
      node,
      `Decoded text names the program that ${name} runs`,
    );
  }
  if (chosen.has("network")) {
    const title = `Response data reaches ${name}`;
    return report(REMOTE_CODE, names.tree, node, title);
  }
  const program = toolParameter(chosen) ?? leadingParameter(chosen);
  const parameter = program ?? toolParameter(all);
  if (parameter === null) return null;
  const what = program === null ? "an argument of the program that" : "the program that";
  return report(
    INJECTION.process,
    names.tree,
    node,
    `Parameter "${parameter}" reaches ${what} ${name} runs`,
    program === null ? "medium" : "high",
  );
}

/** The finding of a call that starts a program without a shell. */
export function judgeProcess(
  call: ObservedCall,
  target: SyntaxNode | undefined,
): RawFinding | null {
  const grave = textRun(call) ?? fileRun(call) ?? environmentRun(call) ?? folderRun(call);
  return grave ?? programRun(call, target);
}

/** The finding of what a shell's fixed text reads and runs: `run("cat | sh", shell=True, input=x)`. */
export function judgeInput(call: ObservedCall): RawFinding | null {
  const { names, given, labels } = call;
  const input = inputOf(names, given);
  const [text] = given.positional;
  const reader = input === undefined || text === undefined ? null : inputReaderOf(names, text);
  if (reader === null) return null;
  return strange(call, labels(input!), {
    as: `is part of what ${reader.program} runs as text`,
    by: reader.program,
    rule: reader.by,
  });
}

/** The finding of a shell's environment, beside that of its text. */
export function judgeSurroundings(call: ObservedCall): RawFinding | null {
  return environmentRun(call) ?? folderRun(call);
}
