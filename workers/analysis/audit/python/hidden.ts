/**
 * Dangerous functions that are hidden: looked up by names that are put together, kept in tables,
 * handed on as values. Where the name cannot be told although it matters, that is a finding itself.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf, lookupOf } from "../../python/calls/callee.ts";
import type { Callee } from "../../python/calls/callee_type.ts";
import { stringValue } from "../../python/values/literals.ts";
import { lookedUp, type Lookup } from "../../python/calls/lookups.ts";
import { foldTexts } from "../../python/values/folding.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import { argumentsOf, type PythonNames, resolve } from "../../python/names.ts";
import { isDangerous } from "../../python/calls/sinks.ts";
import { usualModule } from "../../python/calls/usual_name.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { report, type Rule } from "../rule.ts";

/** A dangerous function that is looked up rather than named. */
export const HIDDEN_CALL: Rule = {
  id: "py/hidden-call",
  severity: "high",
  cwe: 506,
  advice: "Call the function by its name: there is no need to hide a harmless call",
};
const AS_VALUE: Rule = {
  id: "py/function-as-value",
  severity: "high",
  cwe: 95,
  advice:
    "Call the function by its name where you need it: passed as a value, it hides what it runs",
};
/** A name that cannot be followed where it matters. */
export const COMPUTED: Rule = {
  id: "py/computed-call",
  severity: "high",
  cwe: 506,
  advice: "Name the function in the source, or choose from a table of your own functions",
};
/** How the title begins where a table of names is used as a whole. */
export const WHOLE_TABLE = "All names of";

/** Functions that no honest server hands on as values. */
const NEVER_A_VALUE =
  /^(eval|exec|compile|__import__|os\.(system|popen|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?)|pty\.spawn|subprocess\.get(status)?output|asyncio\.create_subprocess_shell|importlib\.__import__)$/;
/** A module without any of these words hands none of them on. */
const MENTIONS =
  /(?<![.\w])(eval|exec|compile|__import__)\b(?!\s*[(=:])|\b(eval|exec)\s*[:=)]|\b(system|popen|exec[lv]p?e?|spawn\w*|get(status)?output|create_subprocess_shell)\b(?!\s*\()|builtins\.\w+\b(?!\s*\()/;
const INSPECTS = /^(callable|isinstance|id|type|repr|hash|hasattr|print|inspect\.\w+)$/;
const HANDS_ON = /(^|\.)(to_thread|run_sync|run_in_executor|submit|start_soon|create_task)$/;
const NAMED = nodeTypes("identifier", "attribute");

/** Where an identifier is no value: names of definitions, keywords, imports, targets. */
function isNoValue(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (node.field === "name" && parent.type !== "named_expression") return true;
  if (node.field === "attribute" || node.field === "alias") return true;
  if (node.field === "left" && /assignment$/.test(parent.type)) return true;
  if (node.field === "function" && parent.type === "call") return true;
  return /^(dotted_name|aliased_import|type|parameters|lambda_parameters|global_statement|nonlocal_statement|delete_statement|comparison_operator|import_from_statement|import_statement|typed_parameter)$/
    .test(parent.type);
}

/** Whether the source gives the bare name another meaning where it is used. */
function isShadowed(names: PythonNames, node: SyntaxNode): boolean {
  if (node.type !== "identifier") return false;
  const name = textOf(names.tree, node);
  // `import x.eval as eval` and `from os import system` are read already.
  if (names.bindings.has(name)) return false;
  const { values, open } = valuesOf(names, node);
  if (values.length > 0 || isParameterOf(names, node, name)) return true;
  const own = names.functions.has(name) && !names.methods.has(name);
  return own || (open && isAttributeName(names, node));
}

function isParameterOf(names: PythonNames, node: SyntaxNode, name: string): boolean {
  for (
    let up = ancestor(node, "function_definition", "lambda");
    up !== null;
    up = ancestor(up, "function_definition", "lambda")
  ) {
    const list = child(up, "parameters");
    if (list === null) continue;
    // A default is evaluated outside: `def f(eval=eval)`.
    if (list.start <= node.start && node.end <= list.end) continue;
    for (const each of named(list)) {
      const own = each.type === "identifier" ? each : child(each, "name") ?? named(each)[0];
      if (own !== null && own !== undefined && textOf(names.tree, own) === name) return true;
    }
  }
  return false;
}

/** `object.compile` and `compile:` in a match are no built-ins. */
function isAttributeName(names: PythonNames, node: SyntaxNode): boolean {
  return names.tree.text[node.start - 1] === ".";
}

function asValue(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const { parent } = node;
  if (parent === null || isNoValue(node, parent)) return null;
  if (parent.type === "attribute") {
    const attribute = child(parent, "attribute");
    const read = attribute === null ? "" : textOf(names.tree, attribute);
    if (!/^__(call|self|class|getattribute|reduce|globals)__$/.test(read)) return null;
  }
  const name = resolve(names, node)?.replace(/^(builtins|__builtins__)\./, "")
    .replace(/^(posix|nt)\./, "os.");
  if (name === undefined || !NEVER_A_VALUE.test(name) || isShadowed(names, node)) return null;
  if (isCompared(parent)) return null;
  const call = parent.type === "argument_list" ? parent.parent : null;
  const callee = call === null ? null : child(call, "function");
  const called = callee === null ? "" : calleeOf(names, callee)?.name ?? textOf(names.tree, callee);
  // What threads are given is a call like any other.
  if (INSPECTS.test(called) || HANDS_ON.test(called)) return null;
  // Importing runs nothing by itself: what is called of the module is looked at where it is.
  const severity = name.endsWith("__import__") ? "medium" : AS_VALUE.severity;
  return report(AS_VALUE, names.tree, node, `${name} is passed as a value`, severity);
}

/** `f in (eval, exec)`. */
function isCompared(parent: SyntaxNode): boolean {
  return /^(tuple|list|set)$/.test(parent.type) && parent.parent?.type === "comparison_operator";
}

const LOOKS_UP =
  /getattr|__import__|import_module|__dict__|globals|locals|\bvars\b|builtins|sys\.modules|\bmodules\b|attrgetter|itemgetter|reduce|locate|resolve_name|import_string|import_from_string/;
const LOOKUPS = nodeTypes("call", "subscript");

/** Modules of which an unknown name is dangerous. */
const GRAVE =
  /^(builtins|__builtins__|os|subprocess|importlib|pty|posix|nt|_posixsubprocess|code|runpy|ctypes|marshal)$/;
const DANGEROUS_NAME =
  /^(system|popen|eval|exec|compile|exec[lv]p?e?|spawn[lv]?p?e?|posix_spawnp?|getoutput|getstatusoutput|Popen|check_output|check_call|__import__|fork|run)$/;
/** What turns data into names. */
const DECODES =
  /b(16|32|64|85)decode|fromhex|unhexlify|a2b_|\bchr\b|\bbytes(array)?\(|\.decode\(|codecs\.|rot_?13|\[\s*::\s*-1\s*\]|reversed\(|\.translate\(|\.replace\(|zlib\.|\^/;

/** Names of packages and paths become those of modules so: their words stay. */
const DISTRIBUTION = /\.replace\(\s*(["'])[-_. /]\1\s*,\s*(["'])[_.]\2\s*\)/g;

function textAround(names: PythonNames, key: SyntaxNode, hops = 0): string {
  const plain = plainValue(key);
  const written = textOf(names.tree, plain).slice(0, 2000);
  if (hops > 2 || !/^(identifier|attribute)$/.test(plain.type)) return written;
  return valuesOf(names, plain).values.slice(0, 5)
    .map((each) => textAround(names, each, hops + 1)).join("\n");
}

/** Whether a name comes out of decoded or rearranged data. */
function isObscure(names: PythonNames, key: SyntaxNode): boolean {
  return DECODES.test(textAround(names, key).replace(DISTRIBUTION, ""));
}

/** A literal beginning or end that none of the dangerous names has: `f"O_{flag}"`, `"get" + name`. */
function isFenced(names: PythonNames, key: SyntaxNode): boolean {
  const written = textOf(names.tree, plainValue(key));
  const start = /^[rf]{0,2}["']([A-Za-z_]{2,})/i.exec(written)?.[1];
  return start !== undefined &&
    !/^(sy|po|ev|ex|co|sp|ge|ru|ca|ch|__|im|fo)/.test(start);
}

function isTarget(node: SyntaxNode): boolean {
  return (node.field === "left" && /assignment$/.test(node.parent?.type ?? "")) ||
    /^(delete_statement|comparison_operator)$/.test(node.parent?.type ?? "");
}

function isCalled(node: SyntaxNode): boolean {
  let at = node;
  while (at.parent?.type === "parenthesized_expression") at = at.parent;
  return at.field === "function" && at.parent?.type === "call";
}

/** `__name__`, `cls.__module__`: one's own module. */
function isOwnModule(names: PythonNames, key: SyntaxNode): boolean {
  return /(^|\.)__(name|module|package)__$/.test(textOf(names.tree, plainValue(key)));
}

/** A lookup whose name cannot be told. */
function unknownName(names: PythonNames, node: SyntaxNode, lookup: Lookup): RawFinding | null {
  const { key } = lookup;
  const holder = /[.]/.test(lookup.holder) ? usualModule(lookup.holder) : lookup.holder;
  if (isTarget(node) || isFenced(names, key)) return null;
  const obscure = isObscure(names, key);
  if (GRAVE.test(holder)) {
    const title = `A computed name is looked up in ${holder}`;
    return report(COMPUTED, names.tree, node, title);
  }
  if (holder === "sys.modules" && isOwnModule(names, key)) {
    const read = node.parent?.type === "attribute" ? child(node.parent, "attribute") : null;
    // `sys.modules[len.__module__].eval` is none of the server's own.
    if (read === null || !/^(eval|exec|system|popen|__import__)$/.test(textOf(names.tree, read))) {
      return null;
    }
    return report(COMPUTED, names.tree, node, "A function of a computed module is called");
  }
  const own = /^(globals\(\)|sys\.modules)$/.test(holder);
  if (obscure && (own || isCalled(node) && lookup.detour === "getattr")) {
    return report(COMPUTED, names.tree, node, "A decoded name chooses the function to call");
  }
  if (!own || !isCalled(node)) return null;
  const title = "A computed name chooses the function to call";
  return report(COMPUTED, names.tree, node, title, "medium");
}

/** A module whose name is computed, and what is done with it. */
function unknownModule(names: PythonNames, node: SyntaxNode, callee: string): RawFinding | null {
  if (!/^(__import__|importlib\.(import_module|__import__))$/.test(callee)) return null;
  const [first] = argumentsOf(names.tree, node).positional;
  if (first === undefined || foldTexts(names, first) !== null) return null;
  if (isObscure(names, first)) {
    return report(COMPUTED, names.tree, node, "A decoded name chooses the module to import");
  }
  const attribute = node.parent?.type === "attribute" ? child(node.parent, "attribute") : null;
  return attribute !== null && DANGEROUS_NAME.test(textOf(names.tree, attribute))
    ? report(COMPUTED, names.tree, node, "A function of a computed module is called")
    : null;
}

function hiddenCallee(names: PythonNames, node: SyntaxNode, lookup: Lookup): Callee | null {
  const name = lookedUp(names, lookup)?.find((each) =>
    isDangerous(each) && each !== "os.startfile" && !/^(importlib|runpy)\.|^ctypes\./.test(each)
  );
  return name === undefined || isTarget(node) ? null : { name, detour: lookup.detour };
}

/** `getattr(connection, "load_extension", None)`: whether an object has a method, which is named openly. */
function asksForMethod(names: PythonNames, node: SyntaxNode, { holder, key, detour }: Lookup) {
  if (detour !== "getattr" || node.type !== "call" || isCalled(node)) return false;
  const [object, , otherwise] = argumentsOf(names.tree, node).positional;
  const [first = ""] = holder.split(".");
  return object !== undefined && otherwise?.type === "none" && key.type === "string" &&
    stringValue(names.tree.text, key) !== null && !GRAVE.test(usualModule(holder)) &&
    !names.bindings.has(first) && !isObscure(names, object);
}

function looked(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const lookup = lookupOf(names, node);
  if (lookup === null) {
    const callee = node.type === "call" ? child(node, "function") : null;
    const name = callee === null ? null : calleeOf(names, callee)?.name ?? null;
    return name === null ? null : unknownModule(names, node, name);
  }
  const hidden = asksForMethod(names, node, lookup) ? null : hiddenCallee(names, node, lookup);
  if (hidden !== null) {
    const way = lookup.detour === "getattr" ? "getattr" : "a namespace";
    return report(HIDDEN_CALL, names.tree, node, `${hidden.name} is called through ${way}`);
  }
  return lookedUp(names, lookup) === null ? unknownName(names, node, lookup) : null;
}

/** Whole tables of a dangerous module's names that are used by other means than one known name. */
function wholeTable(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const { parent } = node;
  if (parent === null || parent.type === "subscript" && node.field === "value") return null;
  if (parent.type === "attribute") {
    const method = child(parent, "attribute");
    const read = method === null ? "" : textOf(names.tree, method);
    const isHandedOn = /^(get|__getitem__)$/.test(read) && !isCalled(parent);
    if (!isHandedOn && !/^(values|items|copy|popitem)$/.test(read)) return null;
  }
  const call = node.type === "call" ? child(node, "function") : null;
  if (call === null && !textOf(names.tree, node).endsWith("__dict__")) return null;
  const [first] = call === null ? [] : argumentsOf(names.tree, node).positional;
  const holder = call !== null && textOf(names.tree, call) === "vars" && first !== undefined
    ? resolve(names, first)
    : (resolve(names, node) ?? calleeOf(names, node)?.name)
      ?.replace(/^__dict__$/, "builtins").replace(/\.__dict__$/, "") ?? null;
  if (holder === null || !GRAVE.test(usualModule(holder)) || isTarget(node)) return null;
  // A name for the table is followed where it is used.
  if (parent.type === "assignment") return null;
  const title = `${WHOLE_TABLE} ${holder} are used at once`;
  return report(COMPUTED, names.tree, node, title);
}

/** Findings of a module. */
export function pythonHidden(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const findings: (RawFinding | null)[] = [];
  const { text } = names.tree;
  if (MENTIONS.test(text)) {
    for (const node of walk(names.tree.root, NAMED)) findings.push(asValue(names, node));
  }
  if (LOOKS_UP.test(text)) {
    for (const node of walk(names.tree.root, LOOKUPS)) findings.push(looked(names, node));
    for (const node of nodes.of("attribute")) findings.push(wholeTable(names, node));
    for (const { node } of nodes.calls) findings.push(wholeTable(names, node));
  }
  return findings.filter((each) => each !== null);
}

/** Every rule of this module. */
export const HIDDEN_RULES: readonly Rule[] = [AS_VALUE, COMPUTED];
