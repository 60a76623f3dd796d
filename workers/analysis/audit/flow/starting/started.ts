/**
 * Programs that are started although the function which does so cannot be told: it came out of a
 * table, an object or another function. What it is given says what it does.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { valuesOf } from "../../../python/values/assigned.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { sinkOf } from "../../../python/calls/sinks.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../../syntax/tree.ts";
import { listedTexts, startedReader } from "../../programs/programs.ts";
import { inputReaderOf } from "../../programs/read_input.ts";
import { report } from "../../rule.ts";
import { givenShell } from "../../programs/shell_argument.ts";
import type { ObservedCall } from "../observed.ts";
import { typedInto } from "./terminals.ts";
import { INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import { toolParameter } from "../labels.ts";

const FEEDS = /^(communicate|write|writelines|send|sendline|sendall)$/;

/** `run(x, shell=True)`, `run(["sh", "-c", x])`, where nobody knows what `run` is. */
function unknown({ names, node, given, labels, target }: ObservedCall): RawFinding | null {
  const shell = given.keywords.has("shell") && givenShell(names, given);
  const texts = shell
    ? [...given.positional.slice(0, 1), given.keywords.get("args") ?? given.keywords.get("command")]
      .filter((each) => each !== undefined).map((each) => ({ node: each, program: "a shell" }))
    : listedTexts(names, given).filter(({ by }) => by === "shell");
  for (const { node: text, program } of texts) {
    const found = labels(text);
    const parameter = toolParameter(found);
    if (parameter === null && !found.has("network") || target() !== null) continue;
    return parameter === null
      ? report(REMOTE_CODE, names.tree, node, `Response data reaches ${program}`)
      : report(
        INJECTION.shell,
        names.tree,
        node,
        `Parameter "${parameter}" is part of what ${program} runs as text`,
      );
  }
  return null;
}

/** The call that made an object: `p = Popen(…)`, `p.stdin` of it. */
function makersOf(names: PythonNames, object: SyntaxNode): SyntaxNode[] {
  const attribute = object.type === "attribute" ? child(object, "attribute") : null;
  const isInput = attribute !== null && textOf(names.tree, attribute) === "stdin";
  const holder = isInput ? child(object, "object") : object;
  if (holder === null) return [];
  return holder.type === "call"
    ? [holder]
    : valuesOf(names, holder).values.filter(({ type }) => type === "call");
}

/** What a call gives a program that was started before, and the calls that may have started it. */
export interface Feeding {
  text: SyntaxNode;
  makers: SyntaxNode[];
}

/** `p.communicate(x)`, `p.stdin.write(x)`, `print(x, file=p.stdin)`, `os.write(p.stdin.fileno(), x)`. */
export function feedingOf({ names, node, callee: called, given }: ObservedCall): Feeding | null {
  const callee = child(node, "function");
  const [first, second] = given.positional;
  if (called?.name === "print" || called?.name === "os.write") {
    const written = called.name === "print" ? given.keywords.get("file") : first;
    const text = called.name === "print" ? first : second;
    if (written === undefined || text === undefined) return null;
    const number = written.type === "call" ? child(written, "function") : null;
    const into = number?.type === "attribute" ? child(number, "object") : written;
    return into?.type === "attribute" ? { text, makers: makersOf(names, into) } : null;
  }
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  const object = callee?.type === "attribute" ? child(callee, "object") : null;
  const text = first ?? given.keywords.get("input");
  if (method === null || object === null || text === undefined) return null;
  if (!FEEDS.test(textOf(names.tree, method))) return null;
  return { text, makers: makersOf(names, object) };
}

/** `p = Popen(["bash"], stdin=PIPE)`, then `p.communicate(x)`. */
function fed(call: ObservedCall): RawFinding | null {
  const { names, node, labels } = call;
  const feeding = feedingOf(call);
  if (feeding === null || feeding.makers.length === 0) return null;
  const found = labels(feeding.text);
  const parameter = toolParameter(found);
  if (parameter === null && !found.has("network")) return null;
  for (const maker of feeding.makers) {
    const name = calleeOf(names, child(maker, "function") ?? maker)?.name ?? "";
    const made = argumentsOf(names.tree, maker);
    const [command] = made.positional;
    // `p = os.popen("sh", "w")`, then `p.write(x)`.
    const isShell = sinkOf(name) === "shell" || givenShell(names, made);
    const reader = isShell
      ? command === undefined ? null : inputReaderOf(names, command)
      : sinkOf(name) === "process"
      ? startedReader(names, name, made)
      : null;
    if (reader === null) continue;
    if (parameter === null) {
      return report(
        REMOTE_CODE,
        names.tree,
        node,
        `Response data reaches ${reader.program}`,
      );
    }
    const title = `Parameter "${parameter}" is part of what ${reader.program} runs as text`;
    return report(INJECTION[reader.by === "code" ? "code" : "shell"], names.tree, node, title);
  }
  return null;
}

/** The finding of a call that starts, or feeds, a program by a function that has no known name. */
export function startedUnknown(call: ObservedCall): RawFinding | null {
  return unknown(call) ?? fed(call) ?? typedInto(call);
}
