/**
 * Data that a library cuts out of an answer and evaluates, as clients of old web pages do
 * (`rows = eval(text[text.find("=") + 1:text.find(";")])`): a weakness for whoever calls it, and no
 * malice as long as nothing of the package runs it by itself.
 *
 * @module
 */
import { methodOf } from "../audit/flow/label_forms.ts";
import type { RawFinding } from "../finding.ts";
import { argumentsOf, type PythonNames, resolve } from "../python/names.ts";
import { isOwn, isParameter, valuesOf } from "../python/values/assigned.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { onlyWrapped } from "./decorators.ts";

type Modules = ReadonlyMap<string, PythonNames>;

const CALLS = nodeTypes("call");
const NAMES = nodeTypes("identifier");
/** Functions through which one may be reached; of more it is not said that nothing runs it. */
const MAX_CALLERS = 200;

/** `x.find("[")` and the like, with or without a number that is added. */
function isFound(names: PythonNames, node: SyntaxNode | null): boolean {
  if (node?.type === "binary_operator") return isFound(names, child(node, "left"));
  return node?.type === "call" && isCallOf(names, node, /^\.r?(find|index)$/);
}

/** Whether a method of this name is called. */
function isCallOf(names: PythonNames, call: SyntaxNode, method: RegExp): boolean {
  return method.test(methodOf(names, child(call, "function")!));
}

/** Whether a value is a part of a text: from or to a mark that is looked for, or one of its pieces. */
function isPart(names: PythonNames, node: SyntaxNode | undefined, depth = 0): boolean {
  if (node?.type === "identifier" && depth === 0 && isOwn(names, textOf(names.tree, node))) {
    const { values } = valuesOf(names, node);
    return values.length > 0 && values.every((value) => isPart(names, value, 1));
  }
  if (node?.type === "call" && isCallOf(names, node, /^\.(replace|[lr]?strip)$/)) {
    return isPart(names, child(child(node, "function")!, "object") ?? undefined, depth);
  }
  if (node?.type !== "subscript") return false;
  const [index, table] = [child(node, "subscript"), child(node, "value")];
  if (index?.type === "slice") return named(index).some((each) => isFound(names, each));
  return index?.type === "integer" && table?.type === "call" && isCallOf(names, table, /^\.split$/);
}

/** Whether `eval` is given such a part and nothing else, and what it gives is used. */
function evaluatesPart(names: PythonNames, call: SyntaxNode): boolean {
  const { positional, keywords } = argumentsOf(names.tree, call);
  return call.parent?.type !== "expression_statement" && positional.length === 1 &&
    keywords.size === 0 && isPart(names, positional[0]);
}

/** `if __name__ == "__main__":`, which no import runs. */
function isForScript({ tree }: PythonNames, node: SyntaxNode): boolean {
  const around = ancestor(node, "if_statement");
  if (around === null || node.start >= child(around, "consequence")!.end) return false;
  const condition = child(around, "condition");
  return condition !== null && /^__name__\s*==\s*["']__main__["']$/.test(textOf(tree, condition));
}

/** The function around a node that no decorator runs; null at the top of a module or a class. */
function functionAround(
  modules: Modules,
  names: PythonNames,
  node: SyntaxNode,
): string | null {
  const around = ancestor(node, "function_definition");
  if (around === null || !onlyWrapped(modules, names, around)) return null;
  return textOf(names.tree, child(around, "name")!);
}

/** What finds a function of any module by a text, of which no name says which it is. */
const LOOKS_UP =
  /\bvars\s*\(\s*[^)\s]|\bgetattr\s*\([^\n]*\)\s*\(|\b(?:__getattribute__|__dict__|methodcaller|attrgetter)\b|\bsys\s*\.\s*modules\b/;
/** What finds those that its own module has. */
const LOOKS_UP_OWN = /\b(?:globals|locals|vars)\s*\(/;
const STAR = /^[ \t]*from\s[^\n]*\simport\s*\(?\s*\*/m;

/** Whether a module may find one of these functions by a text. */
function looksUp({ tree: { text } }: PythonNames, functions: ReadonlySet<string>): boolean {
  if (!LOOKS_UP_OWN.test(text)) return false;
  return STAR.test(text) || functions.values().some((name) => text.includes(name));
}

/** Whether an expression stands for a module of the package. */
function isOwnModule(
  names: PythonNames,
  modules: Modules,
  node: SyntaxNode,
  hops = 0,
): boolean {
  if (node.type === "call") {
    return /(^|\.)(import_module|__import__)$/.test(textOf(names.tree, child(node, "function")!));
  }
  if (node.type === "subscript") return LOOKS_UP_OWN.test(textOf(names.tree, node));
  const meant = resolve(names, node);
  if (meant === null || isParameter(names, node, meant)) return false;
  const path = meant.replace(/^\.+/, "").replaceAll(".", "/");
  const isFile = path !== "" &&
    modules.keys().some((each) =>
      `/${each}`.endsWith(`/${path}.py`) || `/${each}`.endsWith(`/${path}/__init__.py`)
    );
  return isFile || (hops < 3 &&
    valuesOf(names, node).values.some((each) => isOwnModule(names, modules, each, hops + 1)));
}

/** `f = getattr(module, name)`, of a module of the package and a name that no literal says. */
function takesByText(modules: Modules): boolean {
  return modules.values().some((names) =>
    /\bgetattr\s*\(/.test(names.tree.text) && [...walk(names.tree.root, CALLS)].some((call) => {
      if (textOf(names.tree, child(call, "function")!) !== "getattr") return false;
      const [object, name] = argumentsOf(names.tree, call).positional;
      return object !== undefined && name?.type !== "string" && isOwnModule(names, modules, object);
    })
  );
}

const known = new WeakMap<Modules, Map<string, string[] | null>>();

/** Functions that use a name; null where it is used otherwise than by being called in one. */
function callersOf(modules: Modules, name: string): string[] | null {
  const found = known.get(modules) ?? new Map<string, string[] | null>();
  known.set(modules, found);
  let callers = found.get(name);
  if (callers === undefined) found.set(name, callers = lookedFor(modules, name));
  return callers;
}

function lookedFor(modules: Modules, name: string): string[] | null {
  const callers = new Set<string>();
  for (const names of modules.values()) {
    const { tree } = names;
    if (!tree.text.includes(name)) continue;
    for (const node of walk(tree.root, NAMES)) {
      if (textOf(tree, node) !== name) continue;
      const { parent } = node;
      if (parent === null || ancestor(node, "import_from_statement") !== null) continue;
      if (parent.type === "function_definition" && node.field === "name") continue;
      if (parent.type === "keyword_argument" && node.field === "name") continue;
      if (isForScript(names, node)) continue;
      const isPart = parent.type === "attribute" && node.field === "attribute";
      const used = isPart ? parent : node;
      if (used.parent?.type !== "call" || used.field !== "function") return null;
      const caller = functionAround(modules, names, node);
      if (caller === null) return null;
      callers.add(caller);
    }
  }
  return [...callers];
}

/** Whether a finding is about such data, in a function that only a user of the package calls. */
export function isCutOut({ file, line }: RawFinding, modules: Modules): boolean {
  const names = modules.get(file);
  if (names === undefined) return false;
  const calls = [...walk(names.tree.root, CALLS)].filter((call) =>
    names.tree.lineAt(call.start) === line && child(call, "function")?.type === "identifier" &&
    textOf(names.tree, child(call, "function")!) === "eval"
  );
  if (calls.length === 0 || !calls.every((call) => evaluatesPart(names, call))) return false;
  if (modules.values().some(({ tree }) => LOOKS_UP.test(tree.text)) || takesByText(modules)) {
    return false;
  }
  const waiting = calls.map((call) => functionAround(modules, names, call));
  const seen = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === null || seen.size > MAX_CALLERS) return false;
    // What Python itself calls has no caller in the source.
    if (/^__\w+__$/.test(name)) return false;
    if (seen.has(name)) continue;
    seen.add(name);
    const callers = callersOf(modules, name);
    if (callers === null) return false;
    waiting.push(...callers);
  }
  return !modules.values().some((each) => looksUp(each, seen));
}
