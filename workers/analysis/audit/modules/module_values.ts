/**
 * Modules that start programs or run code, handed on as values: kept in classes, tables and objects,
 * given to functions, returned. What is called of them elsewhere has no name that a scan could follow.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { usualModule } from "../../python/calls/usual_name.ts";
import { importNode, type PythonNames, resolve } from "../../python/names.ts";
import { isParameter, valuesOf } from "../../python/values/assigned.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { report, type Rule, rule } from "../rule.ts";

/** A module that is handed on as a value. */
export const HANDED_ON = rule(
  "py/module-as-value",
  "high",
  95,
  "Use the module by its name where you need it: passed as a value, it hides what is called of it",
);

/** Every rule of this module. */
export const MODULE_VALUE_RULES: readonly Rule[] = [HANDED_ON];

const MODULE = /^(os|subprocess|builtins|pty|importlib|runpy|_posixsubprocess)$/;
/** How modules are come by without an import. */
const IMPORTED =
  /\b(__import__|import_module|modules)\b|\b(globals|locals)\(\)\s*(\[|\.(get|pop|setdefault|__getitem__)\b)|\bvars\([\w.]*\)|\b__dict__\b/;
/** A module that is taken from another one, or from an object. */
const BORROWED = /\._?(os|subprocess|builtins|pty)\b(?![ \t]*[.(=])/;
/** What a name has that {@link usualModule} takes for such a module. */
const WORD =
  /(^|[^a-z])(os|subprocess\w*|builtins|__self__|pty|importlib|runpy|posix|nt)([^a-z]|$)/;
const NAMED = nodeTypes("identifier", "attribute");
const MADE = nodeTypes("call", "subscript");
/** What looks at a module and keeps nothing of it; other rules read the names that are looked up. */
const LOOKS =
  /^(getattr|setattr|delattr|hasattr|vars|dir|type|id|repr|str|print|bool|hash|help|callable|isinstance|issubclass|inspect\.\w+|importlib\.(reload|metadata\.\w+)|(\w+\.)*patch\.object|monkeypatch\.\w+)$/;
/** Places where something is kept or handed on. */
const KEEPS =
  /^(argument_list|keyword_argument|pair|list|tuple|set|expression_list|return_statement|yield|default_parameter|typed_default_parameter|conditional_expression|boolean_operator|named_expression|list_splat|for_statement|for_in_clause|list_comprehension|generator_expression|lambda|dictionary_comprehension|set_comprehension|await)$/;

const CHOOSES = /^(boolean_operator|conditional_expression|parenthesized_expression)$/;

/** `f"{host.os or 'unknown'}"`: only its text is kept. */
function isShown(parent: SyntaxNode): boolean {
  let outer: SyntaxNode | null = parent;
  while (outer !== null && CHOOSES.test(outer.type)) outer = outer.parent;
  return outer?.type === "interpolation";
}

/** `C.o = os`, `T["o"] = os`, `o = os` in the body of a class: names of functions are followed. */
export function isKept(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type !== "assignment") {
    return KEEPS.test(parent.type) && parent.parent?.type !== "delete_statement" &&
      !isShown(parent);
  }
  if (node.field !== "right") return false;
  const left = child(parent, "left");
  return left?.type !== "identifier" ||
    parent.parent?.parent?.parent?.type === "class_definition";
}

/** Where a name is not read, or read for its truth alone. */
export function isNoValue(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === "keyword_argument" || /_parameter$/.test(parent.type)) {
    return node.field !== "value";
  }
  if (parent.type === "pair") return node.field === "key";
  if (parent.type === "conditional_expression") return parent.children[2]?.number === node.number;
  if (/^for_/.test(parent.type)) return node.field === "left";
  // `posix and hasattr(posix, "x")` gives the module only where there is none.
  if (parent.type === "boolean_operator") {
    return node.field === "left" && child(parent, "operator")?.type === "and";
  }
  return parent.type === "lambda" ? node.field !== "body" : false;
}

/** `self._os = os`, `go(os=os)`: what is called of it is read by that name. */
function keepsName(names: PythonNames, node: SyntaxNode, parent: SyntaxNode): boolean {
  const target = parent.type === "keyword_argument" ? child(parent, "name") : child(parent, "left");
  const part = target?.type === "attribute" ? child(target, "attribute") : target;
  const name = part?.type === "identifier" ? textOf(names.tree, part) : "";
  return /^_?(os|subprocess|builtins|pty)$/.test(name) &&
    textOf(names.tree, node).replace(/^_/, "") === name.replace(/^_/, "");
}

/** Whether the function around has the name for something else. */
export function isOther(names: PythonNames, node: SyntaxNode): boolean {
  if (node.type !== "identifier") return false;
  const name = textOf(names.tree, node);
  if (isParameter(names, node, name)) return true;
  const word = new RegExp(`\\b${name}\\b`);
  const isImported = names.imports.some((each) =>
    word.test(textOf(names.tree, importNode(names, each)))
  );
  if (!isImported) {
    return !valuesOf(names, node).values.some((value) => moduleOf(names, value) !== null);
  }
  const around = ancestor(node, "function_definition");
  if (around === null) return false;
  if (new RegExp(`\\b(global|nonlocal)\\b[^\\n]*\\b${name}\\b`).test(names.tree.text)) return false;
  return valuesOf(names, node).values.some((value) =>
    ancestor(value, "function_definition")?.number === around.number
  );
}

function ofNode(names: PythonNames, node: SyntaxNode, module: string): RawFinding | null {
  const { parent } = node;
  if (parent === null || isNoValue(node, parent)) return null;
  if (keepsName(names, node, parent)) return null;
  const list = parent.type === "keyword_argument" ? parent.parent : parent;
  const call = list?.type === "argument_list" ? list.parent : null;
  const callee = call === null || call === undefined ? null : child(call, "function");
  if (callee !== null) {
    const called = calleeOf(names, callee)?.name ?? textOf(names.tree, callee).slice(0, 200);
    if (LOOKS.test(called)) return null;
  }
  if (isOther(names, node)) return null;
  return report(HANDED_ON, names.tree, node, `The module ${module} is passed as a value`);
}

/** The module that a name or a chain means; null for anything else. */
export function moduleOf(names: PythonNames, node: SyntaxNode): string | null {
  const meant = resolve(names, node);
  const name = meant === null ? "" : usualModule(meant);
  return MODULE.test(name) ? name : null;
}

/** Whether a local name of such a module is not only imported and followed by a dot. */
function isUsedAlone({ bindings, tree: { text } }: PythonNames): boolean {
  const local = [...bindings].filter(([, meaning]) => MODULE.test(usualModule(meaning)))
    .map(([name]) => name).filter((name) => /^\w+$/.test(name));
  if (local.length === 0) return false;
  const alone = new RegExp(
    `(?<![.\\w"'])(?:${local.join("|")})\\b(?![ \\t]*[.(\\w"'])`,
    "g",
  );
  for (const { index } of text.matchAll(alone)) {
    const line = text.slice(text.lastIndexOf("\n", index) + 1, index);
    if (!/^\s*(import|from)\s/.test(line)) return true;
  }
  return false;
}

/** Whether what other modules have may mean such a module, under any name. */
function isExported({ exported, bindings, tree: { text } }: PythonNames): boolean {
  const has = (meaning: string) => WORD.test(meaning);
  return exported.size > 0 &&
    (has(text) || exported.values().some(has) || bindings.values().some(has));
}

/** Finds modules that run code (`os`, `subprocess`, …) and are kept as values. */
export function pythonModuleValues(names: PythonNames): RawFinding[] {
  const { text, root } = names.tree;
  const findings: (RawFinding | null)[] = [];
  if (isUsedAlone(names) || BORROWED.test(text) || isExported(names)) {
    for (const node of walk(root, NAMED)) {
      const { parent } = node;
      if (parent === null || parent.type === "attribute" || !isKept(node, parent)) continue;
      const module = moduleOf(names, node);
      if (module !== null) findings.push(ofNode(names, node, module));
    }
  }
  if (IMPORTED.test(text)) {
    for (const node of walk(root, MADE)) {
      if (node.parent === null || !isKept(node, node.parent)) continue;
      const name = usualModule(calleeOf(names, node)?.name ?? "");
      if (MODULE.test(name)) findings.push(ofNode(names, node, name));
    }
  }
  return findings.filter((each) => each !== null);
}
