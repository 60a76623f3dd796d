/**
 * Which variables of the environment an expression reads, in every way that Python has for it.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { withBound } from "../../python/calls/called_with.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { elsewhere } from "../../python/values/elsewhere.ts";
import { fold, foldTexts } from "../../python/values/folding.ts";
import type { Folded } from "../../python/values/folding_calls.ts";
import { argumentsOf, dottedText, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";

const READERS =
  /^(os\.getenvb?|getenvb?|os\.environb?\.(get|pop|setdefault|__getitem__)|environb?\.(get|pop|setdefault|__getitem__)|decouple\.(config|AutoConfig\(\))|dotenv\.get_key|starlette\.config\.Config\(\)|environs?\.Env\(\)(\.\w+)?|prefect\.\w+|js\.process\.env\.get)$/;
/** Objects that give variables by calls and subscripts: `Env()`, `Config()`, `dotenv_values()`. */
const MAKERS =
  /^(environs?\.Env|environ\.FileAwareEnv|decouple\.(AutoConfig|Config|RepositoryEnv)|starlette\.config\.Config|dotenv\.(dotenv_values|main\.dotenv_values)|dotenv_values)$/;
const ENVIRONMENT = /^(os\.environb?|environb?|posix\.environ)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{1,80}$/;

/** The variables that are read; `null`: one whose name the source does not say. */
export interface ReadVariables {
  names: string[] | null;
  /** The expression that names it. */
  key: SyntaxNode | null;
}

const text = (value: Folded): string | null =>
  typeof value === "string"
    ? value
    : value instanceof Uint8Array
    ? new TextDecoder().decode(value)
    : null;

function texts(value: Folded | undefined): string[] {
  if (value === undefined || typeof value === "number") return [];
  const single = text(value);
  if (single !== null) return [single];
  return (value as Folded[]).flatMap((each) => texts(each)).slice(0, 60);
}

/** The keys and values of a table in source, when `node` is one or stands for one. */
function tableTexts(names: PythonNames, node: SyntaxNode): string[] {
  const plain = plainValue(node);
  if (plain.type === "dictionary") {
    return named(plain).flatMap((pair) =>
      [child(pair, "key"), child(pair, "value")].flatMap((each) =>
        each === null ? [] : texts(fold(names, each))
      )
    );
  }
  if (plain.type === "set" || plain.type === "list" || plain.type === "tuple") {
    return named(plain).flatMap((each) => texts(fold(names, each)));
  }
  return texts(fold(names, plain));
}

/** What a loop or a comprehension around `node` goes through where it binds the name. */
function overOf(names: PythonNames, node: SyntaxNode, name: string): SyntaxNode | null {
  for (let up = node.parent; up !== null; up = up.parent) {
    const clauses = up.type === "for_statement"
      ? [up]
      : /comprehension|generator_expression/.test(up.type)
      ? named(up).filter(({ type }) => type === "for_in_clause")
      : [];
    for (const clause of clauses) {
      const left = child(clause, "left");
      if (left === null) continue;
      const bound = left.type === "identifier" ? [left] : named(left);
      if (bound.some((each) => textOf(names.tree, each) === name)) return child(clause, "right");
    }
  }
  return null;
}

/** What is gone through by `enumerate(x)`, `sorted(x)`, `x.items()`, `iter(x)`. */
function innermost(names: PythonNames, over: SyntaxNode): SyntaxNode[] {
  const plain = plainValue(over);
  if (plain.type !== "call") return [plain];
  const callee = child(plain, "function");
  const given = argumentsOf(names.tree, plain).positional;
  const object = callee?.type === "attribute" ? child(callee, "object") : null;
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  if (
    object !== null && method !== null && /^(items|keys|values)$/.test(textOf(names.tree, method))
  ) {
    return innermost(names, object);
  }
  const called = callee === null ? "" : textOf(names.tree, callee);
  return /^(enumerate|sorted|reversed|iter|list|tuple|set|zip)$/.test(called)
    ? given.flatMap((each) => innermost(names, each))
    : [plain];
}

/** A table behind a name. */
function behind(names: PythonNames, node: SyntaxNode): SyntaxNode {
  const dotted = dottedText(names.tree, node);
  return (dotted === null ? undefined : names.values.get(dotted)) ?? node;
}

/** The texts that an expression may be: folded, or what a loop goes through. */
export function textsFrom(names: PythonNames, node: SyntaxNode): string[] {
  const plain = plainValue(node);
  const folded = foldTexts(names, plain) ?? texts(fold(names, plain, elsewhere(names)));
  if (folded.length > 0) return folded;
  const parts = plain.type === "identifier" ? [plain] : identifiersIn(plain);
  for (const part of parts) {
    const over = overOf(names, node, textOf(names.tree, part));
    const found = over === null
      ? []
      : innermost(names, over).flatMap((each) => tableTexts(names, behind(names, each)));
    if (found.length > 0) return found;
  }
  return [];
}

/** The names of variables that an expression may be; null where the source does not say. */
export function namesFrom(names: PythonNames, key: SyntaxNode): string[] | null {
  const found = textsFrom(names, key).filter((each) => NAME.test(each));
  return found.length === 0 ? null : found;
}

function identifiersIn(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const waiting = [node];
  for (let at = waiting.pop(); at !== undefined && found.length < 10; at = waiting.pop()) {
    if (at.type === "identifier") found.push(at);
    waiting.push(...named(at));
  }
  return found;
}

function isEnvironment(names: PythonNames, node: SyntaxNode | null): boolean {
  return node !== null && ENVIRONMENT.test(calleeOf(names, node)?.name ?? "");
}

/** What `x.copy()` and `dict(x)` copy. */
function copied(names: PythonNames, node: SyntaxNode): SyntaxNode | null {
  const callee = node.type === "call" ? child(node, "function") : null;
  if (callee === null) return null;
  if (callee.type === "attribute") {
    const method = child(callee, "attribute");
    const isCopy = method !== null && textOf(names.tree, method) === "copy";
    return isCopy ? child(callee, "object") : null;
  }
  const isDict = textOf(names.tree, callee) === "dict";
  return isDict ? argumentsOf(names.tree, node).positional[0] ?? null : null;
}

function isSource(names: PythonNames, node: SyntaxNode | null): boolean {
  if (node === null) return false;
  const meant = calleeOf(names, node)?.name ?? "";
  if (ENVIRONMENT.test(meant) || MAKERS.test(meant)) return true;
  const { values } = /^(identifier|attribute)$/.test(node.type)
    ? valuesOf(names, node)
    : { values: [] };
  if (
    values.some((each) => isEnvironment(names, each) || isEnvironment(names, copied(names, each)))
  ) {
    return true;
  }
  const maker = node.type === "call"
    ? child(node, "function")
    : node.type === "identifier"
    ? child(names.calls.get(textOf(names.tree, node)) ?? node, "function")
    : null;
  return maker !== null && MAKERS.test(calleeOf(names, maker)?.name ?? "");
}

/** Methods of templates that fill in the names of a table, by what a name looks like in them. */
const FILLS: readonly (readonly [method: RegExp, maker: RegExp, name: RegExp])[] = [
  [/^(safe_)?substitute$/, /(^|\.)Template$/, /\$\{?(\w+)/g],
  [/^vformat$/, /(^|\.)Formatter$/, /\{(\w+)/g],
  [/^render(_async)?$/, /(^|\.)(Template|from_string)$/, /(?<=\{[{%][^{}]*?)\b([A-Z]\w+)/g],
];

/** The variables that a stated template is filled with: `Template("$KEY").substitute(os.environ)`. */
function filledIn(names: PythonNames, node: SyntaxNode): string[] {
  const callee = child(node, "function")!;
  const object = callee.type === "attribute" ? child(callee, "object") : null;
  if (object === null) return [];
  const method = textOf(names.tree, child(callee, "attribute")!);
  const fills = FILLS.find(([called]) => called.test(method));
  if (fills === undefined) return [];
  const { positional, keywords } = argumentsOf(names.tree, node);
  const isWhole = [...positional, ...keywords.values()]
    .map((each) => each.type === "dictionary_splat" ? named(each)[0] ?? each : each)
    .some((each) => isEnvironment(names, each) || isEnvironment(names, copied(names, each)));
  if (!isWhole) return [];
  const made = object.type === "identifier" ? valuesOf(names, object).values : [object];
  const stated = made.flatMap((each) => {
    const maker = each.type === "call" ? child(each, "function") : null;
    if (maker === null || !fills[1].test(textOf(names.tree, maker))) return [];
    const [text] = method === "vformat" ? positional : argumentsOf(names.tree, each).positional;
    return text === undefined ? [] : textsFrom(names, text);
  });
  return stated.flatMap((text) => [...text.matchAll(fills[2])].map((match) => match[1]!));
}

/** Calls and subscripts that read nothing: nearly all, and flows come to them again and again. */
const idle = new WeakMap<PythonNames, Set<number>>();

/**
 * What a call or a subscript reads of the environment; null when it reads nothing of it. Only for
 * when all modules of the project are read.
 */
export function variablesRead(names: PythonNames, node: SyntaxNode): ReadVariables | null {
  let reading = idle.get(names);
  if (reading === undefined) idle.set(names, reading = new Set());
  if (reading.has(node.number)) return null;
  const found = findVariables(names, node);
  if (found === null) reading.add(node.number);
  return found;
}

function findVariables(names: PythonNames, node: SyntaxNode): ReadVariables | null {
  if (node.type === "subscript") {
    const key = child(node, "subscript");
    if (key === null || key.type === "slice" || !isSource(names, child(node, "value"))) return null;
    return { names: namesFrom(names, key), key };
  }
  if (node.type !== "call") return null;
  const callee = child(node, "function");
  if (callee === null) return null;
  const target = calleeOf(names, callee);
  const { positional, keywords } = withBound(target, argumentsOf(names.tree, node));
  const name = target?.name ?? "";
  if ((name === "map" || /(^|\.)(executor|pool)\.map$/.test(name)) && positional.length > 1) {
    const mapped = calleeOf(names, positional[0]!)?.name ?? "";
    if (!READERS.test(mapped)) return null;
    return { names: tableTexts(names, behind(names, positional[1]!)), key: null };
  }
  if (/^operator\.(itemgetter|getitem)$/.test(name)) return null;
  const inner = callee.type === "call" ? child(callee, "function") : null;
  if (inner !== null && calleeOf(names, inner)?.name === "operator.itemgetter") {
    if (positional[0] === undefined || !isSource(names, positional[0])) return null;
    const keys = argumentsOf(names.tree, callee).positional;
    return { names: keys.flatMap((each) => texts(fold(names, each))), key: null };
  }
  if (name === "os.path.expandvars" || name === "posixpath.expandvars") {
    const found = positional[0] === undefined ? [] : textsFrom(names, positional[0])
      .flatMap((each) => [...each.matchAll(/[$%]\{?(\w+)/g)].map((match) => match[1]!));
    return found.length === 0 ? null : { names: found, key: null };
  }
  const filled = filledIn(names, node);
  if (filled.length > 0) return { names: filled, key: null };
  const object = callee.type === "attribute" ? child(callee, "object") : null;
  const method = callee.type === "attribute" ? child(callee, "attribute") : null;
  const called = method === null ? "" : textOf(names.tree, method);
  const reads = READERS.test(name) ||
    isSource(names, object) && !/^(items|keys|values|copy|update|clear)$/.test(called) ||
    callee.type === "identifier" && isSource(names, callee) &&
      names.calls.has(textOf(names.tree, callee));
  if (!reads) return null;
  const at = name === "dotenv.get_key" ? 1 : 0;
  const key = positional[at] ?? keywords.get("key") ?? keywords.get("name") ?? null;
  if (key === null) return null;
  return { names: namesFrom(names, key), key };
}
