/**
 * What it means that a labelled value reaches a function that does something.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { plainValue } from "../../python/assigned.ts";
import { lookupOf } from "../../python/callee.ts";
import { stringValue } from "../../python/literals.ts";
import { type PythonNames, resolve } from "../../python/names.ts";
import {
  addressPosition,
  PATH_METHODS,
  type SinkKind,
  sinkOf,
  targetPosition,
} from "../../python/sinks.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { optionTexts } from "../program_options.ts";
import { runTexts } from "../programs.ts";
import { report } from "../rule.ts";
import { givenShell } from "../shell_argument.ts";
import type { ObservedCall } from "./flow.ts";
import { ENCODED_CODE, INJECTION, REMOTE_CODE } from "./flow_rules.ts";
import { leaked, sends } from "./leaks.ts";
import { type Label, toolParameter } from "./labels.ts";
import { startedUnknown } from "./started.ts";
import { foreignDescription } from "./descriptions.ts";

const WHOLE_MODULES =
  /^(globals\(\)|sys\.modules|builtins|__builtins__|os|subprocess|importlib|shutil)$/;
const DATABASE = /cur|conn|db|database|session|engine|sql|query|client|pool|tx/i;

/** Arguments that run, and whether the tainted one is the program or just an argument. */
function processTaint(
  call: ObservedCall,
  target: SyntaxNode,
): { name: string; grave: boolean } | null {
  const { names, given, labels } = call;
  const all = toolParameter(labels(target));
  const value = target.type === "identifier"
    ? names.values.get(textOf(names.tree, target)) ?? target
    : target;
  if (call.callee?.name.includes("exec") && target.type !== "list") {
    const program = toolParameter(labels(target));
    const rest = given.positional.slice(1).map((each) => toolParameter(labels(each)));
    if (program !== null && target.type !== "list_splat") return { name: program, grave: true };
    const other = rest.find((each) => each !== null) ?? program;
    return other === undefined || other === null ? null : { name: other, grave: false };
  }
  if (all === null) return null;
  if (value.type === "list" || value.type === "binary_operator") {
    const [program] = named(value);
    const first = program === undefined ? null : toolParameter(labels(program));
    return { name: first ?? all, grave: first !== null && program!.type !== "list_splat" };
  }
  // A variable: usually a list that was built above, so the program itself is rarely the caller's.
  return { name: all, grave: target.type !== "identifier" };
}

/** Whether a literal beginning fixes scheme and host, so that only the path is the caller's. */
function fixesHost({ names }: ObservedCall, address: SyntaxNode): boolean {
  const text = textOf(names.tree, address).slice(0, 1000);
  if (/^[rbf]*["']{1,3}https?:\/\/[^/{"'\s]+\/?[/?"'{]/i.test(text)) {
    return !/^[rbf]*["']{1,3}https?:\/\/[^/{"']*\{/i.test(text);
  }
  // `BASE + path`, `f"{BASE}/…"` with a constant of the module.
  const start = /^(?:f["']{1,3}\{)?([A-Za-z_][\w.]*)/.exec(text)?.[1];
  const constant = start === undefined ? undefined : names.constants.get(start);
  return constant !== undefined && /^https?:\/\/[^/]+/.test(constant);
}

function sinkTarget(call: ObservedCall, kind: SinkKind): SyntaxNode | undefined {
  const { positional, keywords } = call.given;
  if (kind === "request") {
    return keywords.get("url") ?? positional[addressPosition(call.callee!.name)];
  }
  const named = [
    "args",
    "cmd",
    "command",
    "program",
    "file",
    "path",
    "location",
    "sql",
    "query",
    "statement",
    "filter",
    "filterstr",
    "pattern",
  ];
  const at = targetPosition(call.callee!.name);
  return positional[at] ?? named.map((key) => keywords.get(key)).find((each) => each !== undefined);
}

const TWO_PATHS = /^(os\.(rename|replace|symlink|link)|shutil\.(copy\w*|move|unpack_archive))$/;

/** The caller's parameter in what a sink uses: for files, either of two paths. */
function usedParameter(call: ObservedCall, target: SyntaxNode): string | null {
  const first = toolParameter(call.labels(target));
  const second = call.given.positional[1];
  if (first !== null || second === undefined || !TWO_PATHS.test(call.callee!.name)) return first;
  return toolParameter(call.labels(second));
}

/** The caller's word in the text that a started shell or interpreter runs. */
function textRun({ names, node, callee, given, labels }: ObservedCall): RawFinding | null {
  for (const { node: text, by, program } of runTexts(names, callee!.name, given)) {
    const parameter = toolParameter(labels(text));
    if (parameter === null) continue;
    const rule = INJECTION[by === "code" ? "code" : "shell"];
    const title = `Parameter "${parameter}" is part of what ${program} runs as text`;
    return report(rule, names.tree, node, title);
  }
  for (const text of optionTexts(names, callee!.name, given)) {
    const parameter = toolParameter(labels(text));
    if (parameter === null) continue;
    const title = `Parameter "${parameter}" is an option or a variable that is run`;
    return report(INJECTION.shell, names.tree, node, title);
  }
  return null;
}

function injected(call: ObservedCall, kind: SinkKind, target: SyntaxNode): RawFinding | null {
  const { names, node, callee } = call;
  const shell = kind === "shell" || (kind === "process" && givenShell(names, call.given));
  const name = callee!.name;
  if (kind === "process" && !shell) {
    const text = textRun(call);
    if (text !== null) return text;
    const taint = processTaint(call, target);
    if (taint === null) return null;
    const what = taint.grave ? "the program that" : "an argument of what";
    return report(
      INJECTION.process,
      names.tree,
      node,
      `Parameter "${taint.name}" reaches ${what} ${name} runs`,
      taint.grave ? "high" : "medium",
    );
  }
  const parameter = usedParameter(call, target);
  if (parameter === null) return null;
  if (kind === "request" && fixesHost(call, target)) return null;
  // A caller's text as a value of a condition stays a value.
  if (kind === "query" && target.type === "dictionary") return null;
  if (kind === "sql" && !DATABASE.test(name.split(".").slice(-2, -1)[0] ?? name)) return null;
  if (kind === "sql" && textOf(names.tree, target) === parameter) {
    // A tool for queries: nothing is injected where the caller writes all of it.
    const title = `Parameter "${parameter}" is the query that ${name} runs`;
    return report(INJECTION.sql, names.tree, node, title, "medium");
  }
  return report(
    INJECTION[shell ? "shell" : kind],
    names.tree,
    node,
    `Parameter "${parameter}" reaches ${name}${kind === "request" ? " as its address" : ""}`,
  );
}

/** The caller's parameter that is formatted itself, not one that is put into a text. */
function formatTemplate(
  object: SyntaxNode,
  labels: (expression: SyntaxNode) => Set<Label>,
): string | null {
  const written = object.type === "identifier" || object.type === "attribute";
  return written ? toolParameter(labels(object)) : null;
}

function pathMethod({ node, names, labels }: ObservedCall): RawFinding | null {
  const callee = child(node, "function");
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  const object = callee?.type === "attribute" ? child(callee, "object") : null;
  if (method === null || object === null) return null;
  const name = textOf(names.tree, method);
  if (name === "format" || name === "format_map") {
    const template = formatTemplate(object, labels);
    if (template === null) return null;
    const title = `Parameter "${template}" is a format string`;
    return report(INJECTION.format, names.tree, node, title);
  }
  if (!PATH_METHODS.has(name)) return null;
  const parameter = toolParameter(labels(object));
  if (parameter === null) return null;
  return report(
    INJECTION.file,
    names.tree,
    node,
    `Parameter "${parameter}" reaches a path's ${name}()`,
  );
}

/** A loader of YAML that makes any object. */
const MAKES_OBJECTS = /(^|\.)(C?(Unsafe)?Loader)$/;

/** The loader, also behind a name of the module. */
function loaderName(names: PythonNames, loader: SyntaxNode): string {
  return resolve(names, loader) ?? textOf(names.tree, loader);
}

/** Whether a loader of arrays or weights is told to make any object. */
function unpickles(names: PythonNames, { keywords }: ObservedCall["given"]): boolean {
  const said = (key: string, value: string) => {
    const node = keywords.get(key);
    return node !== undefined && textOf(names.tree, node) === value;
  };
  return said("allow_pickle", "True") || said("weights_only", "False");
}

function kindOf({ names, given }: ObservedCall, name: string): SinkKind | null {
  if (/^(numpy|np|torch)\.load$/.test(name)) return unpickles(names, given) ? "pickle" : null;
  if (name !== "yaml.load" && name !== "yaml.load_all") return sinkOf(name);
  const loader = given.keywords.get("Loader") ?? given.positional[1];
  return loader === undefined || MAKES_OBJECTS.test(loaderName(names, loader)) ? "pickle" : null;
}

/** A caller's word that chooses which of all functions is called: `globals()[name](…)`. */
function chosenFunction({ names, node, labels }: ObservedCall): RawFinding | null {
  const expression = child(node, "function");
  const lookup = expression === null ? null : lookupOf(names, plainValue(expression));
  if (lookup === null || !WHOLE_MODULES.test(lookup.holder)) return null;
  const parameter = toolParameter(labels(lookup.key));
  // A fixed beginning or end leaves the choice among one's own functions.
  if (parameter === null || /^f?["']\w|^["']/.test(textOf(names.tree, lookup.key))) return null;
  const title = `Parameter "${parameter}" chooses the function that is called`;
  return report(INJECTION.code, names.tree, node, title);
}

/** What must not be chosen by the answer of a request. */
const RUNS: ReadonlySet<SinkKind> = new Set(["code", "shell", "process", "pickle", "import"]);

/** The finding that a call with labelled arguments makes, or null. */
export function judge(call: ObservedCall): RawFinding | null {
  const kind = call.callee === null ? null : kindOf(call, call.callee.name);
  if (kind !== "request" && sends(call)) {
    const leak = leaked(call);
    if (leak !== null) return leak;
  }
  if (kind === null) {
    return chosenFunction(call) ?? startedUnknown(call) ?? pathMethod(call) ??
      foreignDescription(call);
  }
  if (kind === "request") {
    const leak = leaked(call);
    if (leak !== null) return leak;
  }
  const target = sinkTarget(call, kind);
  if (target === undefined) return null;
  const twoPaths = kind === "file" && TWO_PATHS.test(call.callee!.name);
  if (stringValue(call.names.tree.text, target) !== null && !twoPaths) return null;
  if (RUNS.has(kind)) {
    const labels = call.labels(target);
    const name = call.callee!.name;
    if (labels.has("network")) {
      const title = `What a request answers reaches ${name}`;
      return report(REMOTE_CODE, call.names.tree, call.node, title);
    }
    if (labels.has("encoded") && (kind === "code" || kind === "shell")) {
      return report(ENCODED_CODE, call.names.tree, call.node, `Decoded text reaches ${name}`);
    }
  }
  return injected(call, kind, target);
}
