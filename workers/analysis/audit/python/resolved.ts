/**
 * Dangerous functions that something else looks up: resolvers that take a name as text, loaders that
 * are handed a module's name, patterns and tables of a module's members.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { foldTexts } from "../../python/values/folding.ts";
import type { ModuleCall, ModuleNodes } from "../../python/reach/module_nodes.ts";
import { argumentsOf, type PythonNames, resolve } from "../../python/names.ts";
import { isDangerous, sinkOf } from "../../python/calls/sinks.ts";
import { usual } from "../../python/calls/usual_name.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { COMPUTED, HIDDEN_CALL } from "./hidden.ts";
import { report } from "../rule.ts";

/** What may find a function or a module by another way than its name in the source. */
const MENTIONS =
  /ImportString|EntryPoint|instantiate|_target_|\bConfig\b|dictConfig|getmembers|find_spec|ModuleSpec|load_module|getattr|_imp\b|_job\b|get_field|\bbreakpoint\b|loads?\b/;
const TAKES_TEXT =
  /(^|\.)(EntryPoint(\.parse|\.pattern)?|instantiate|dictConfig|DictConfigurator|ImportString|TypeAdapter|add_job|scheduled_job)$/;
const MODULE = /^(os|subprocess|builtins|pty|posix|nt|_posixsubprocess|marshal)$/;
const LOADS = /(^|\.)(find_spec|ModuleSpec|spec_from_loader|create_builtin|get_code|find_module)$/;
const MEMBERS = /^inspect\.getmembers(_static)?$/;
const HIDDEN_ATTRIBUTE =
  /^(__(subclasses|globals|code|builtins|import|loader|base|bases|mro|self)__|[fgct][a-z]?_(globals|builtins|locals|frame))$/;
const NEVER = /^(system|popen|eval|exec|__import__|getoutput|getstatusoutput|spawn[lv]p?e?)$/;
const DECODES =
  /^(base64\.\w*decode\w*|bytes\.fromhex|bytes|binascii\.\w+|codecs\.decode|zlib\.decompress|gzip\.decompress|io\.BytesIO)$/;
const STRINGS = nodeTypes("string", "concatenated_string", "binary_operator");
const PATTERNS = nodeTypes("keyword_pattern");

/** The dangerous function that a text means to a resolver: `os:system`, `ext://os.system`. */
function meantBy(text: string): string | undefined {
  if (text.length > 200) return undefined;
  const path = text.replace(/^.*=\s*/, "").replace(/^(ext|cfg):\/\//, "").trim();
  if (!/^\w+([.:]\w+)+$/.test(path)) return undefined;
  const name = usual(path.replace(":", "."));
  return isDangerous(name) ? name : undefined;
}

function namedByText(names: PythonNames, holder: SyntaxNode): string | undefined {
  const list = child(holder, "arguments") ?? holder;
  for (const each of walk(list, STRINGS)) {
    const found = foldTexts(names, each)?.map(meantBy).find((name) => name !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofCall(names: PythonNames, { node, callee, given }: ModuleCall): RawFinding | null {
  const name = callee?.name ?? "";
  const [first, second] = given.positional;
  if (TAKES_TEXT.test(name)) {
    const found = namedByText(names, node);
    if (found === undefined) return null;
    return report(
      HIDDEN_CALL,
      names.tree,
      node,
      `${found} is named in a string that ${name} resolves`,
    );
  }
  if (name === "breakpoint" && names.tree.text.includes("PYTHONBREAKPOINT")) {
    return report(
      HIDDEN_CALL,
      names.tree,
      node,
      "breakpoint calls the function that PYTHONBREAKPOINT names",
    );
  }
  if (first === undefined) return null;
  if (sinkOf(name) === "pickle" && isStated(names, first)) {
    return report(HIDDEN_CALL, names.tree, node, `${name} creates objects from data in the source`);
  }
  if (sinkOf(name) === "pickle" && isScrambled(names, first)) {
    const title = `${name} creates objects from data that cannot be scanned`;
    return report(COMPUTED, names.tree, node, title);
  }
  if (name.endsWith(".get_field")) {
    const field = foldTexts(names, first)?.find((each) => NEVER.test(each.split(".").at(-1)!));
    return field === undefined
      ? null
      : report(HIDDEN_CALL, names.tree, node, `${field} is looked up by a format field`);
  }
  if (LOADS.test(name)) {
    const module = foldTexts(names, first)?.find((each) => MODULE.test(each));
    return module === undefined
      ? null
      : report(HIDDEN_CALL, names.tree, node, `${module} is loaded with the import machinery`);
  }
  if (MEMBERS.test(name)) {
    const module = resolve(names, first) ?? "";
    return MODULE.test(module)
      ? report(COMPUTED, names.tree, node, `All names of ${module} are used at once`)
      : null;
  }
  return name === "getattr" && second !== undefined ? hiddenAttribute(names, node, second) : null;
}

const BYTES = /^\(?\s*[rR]?[bB][rR]?["']/;

/** Bytes that are written out, decoded or not: `b"cos…"`, `b64decode("Y29z…")`, a name of these. */
function isStated(names: PythonNames, given: SyntaxNode, hops = 0): boolean {
  const node = plainValue(given);
  if (hops > 4) return false;
  if (/^(string|concatenated_string)$/.test(node.type)) {
    return hops > 0 || BYTES.test(textOf(names.tree, node));
  }
  if (node.type === "identifier") {
    return valuesOf(names, node).values.some((each) => isStated(names, each, hops));
  }
  const callee = node.type === "call" ? child(node, "function") : null;
  const called = callee === null ? "" : calleeOf(names, callee)?.name ?? "";
  const [first] = callee === null ? [] : argumentsOf(names.tree, node).positional;
  return first !== undefined && DECODES.test(called) && isStated(names, first, hops + 1);
}

/** What turns bytes into others that only a key, or the code itself, makes readable. */
const SCRAMBLES = /\^|\[\s*::\s*-1\s*\]|\breversed\(|\.translate\(|\bmaketrans\b/;

/** Bytes that are put together bit by bit, or backwards: no honest store of objects does that. */
function isScrambled(names: PythonNames, given: SyntaxNode): boolean {
  const node = plainValue(given);
  const values = node.type === "identifier" ? valuesOf(names, node).values : [node];
  return values.slice(0, 5).some((each) =>
    each.type !== "string" && SCRAMBLES.test(textOf(names.tree, each).slice(0, 2000))
  );
}

/** `getattr(object, "__sub" + "classes__")`: what is put together would be found if it were written. */
function hiddenAttribute(
  names: PythonNames,
  node: SyntaxNode,
  key: SyntaxNode,
): RawFinding | null {
  if (plainValue(key).type === "string" && !/^["']*f/i.test(textOf(names.tree, key))) return null;
  const found = foldTexts(names, key)?.find((each) => HIDDEN_ATTRIBUTE.test(each));
  return found === undefined
    ? null
    : report(HIDDEN_CALL, names.tree, node, `${found} is looked up by a computed name`);
}

/** `case object(system=run)`. */
function ofPattern(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const [key] = named(node);
  const name = key === undefined ? "" : textOf(names.tree, key);
  return NEVER.test(name)
    ? report(HIDDEN_CALL, names.tree, node, `${name} is taken from an object by a match pattern`)
    : null;
}

/** `f: ImportString = "os.system"`, `M(f="os.system")` where a module has such fields. */
function ofImportStrings(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  if (!/\bImportString\b/.test(names.tree.text)) return [];
  return [...nodes.of("string")].flatMap((node) => {
    const found = foldTexts(names, node)?.map(meantBy).find((name) => name !== undefined);
    if (found === undefined) return [];
    const title = `${found} is named in a string that ImportString resolves`;
    return [report(HIDDEN_CALL, names.tree, node, title)];
  });
}

/** `patch("json.loads", __import__("os").system)`: a function of a module that is imported in place. */
function ofImported(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const object = child(node, "object");
  if (object?.type !== "call" || node.parent?.type === "call" && node.field === "function") {
    return null;
  }
  const attribute = child(node, "attribute");
  const method = attribute === null ? "" : textOf(names.tree, attribute);
  if (!NEVER.test(method)) return null;
  const holder = calleeOf(names, object)?.name ?? "";
  return MODULE.test(holder)
    ? report(HIDDEN_CALL, names.tree, node, `${holder}.${method} is passed as a value`)
    : null;
}

const FORMATS = /^(format|format_map|vformat)$/;
/** A part of a format's field that leads to what the source does not name: the environment, a module's names. */
const LEADS_AWAY =
  /\{[^{}]*[.[](__(globals|builtins|subclasses|loader|import)__|[fgct][a-z]?_(globals|builtins|locals|frame)|environb?(?=[\].!:}[]))[^{}]*\}/;

/** `"{0.__init__.__globals__}".format(f)`, `"{os.environ}".format_map(globals())`. */
function ofFormat(names: PythonNames, { node, given }: ModuleCall): RawFinding | null {
  const callee = child(node, "function");
  const method = callee?.type === "attribute"
    ? textOf(names.tree, child(callee, "attribute")!)
    : "";
  if (!FORMATS.test(method)) return null;
  const object = child(callee!, "object")!;
  const texts = foldTexts(names, object) ??
    (given.positional[0] === undefined ? null : foldTexts(names, given.positional[0])) ?? [];
  const field = texts.map((each) => LEADS_AWAY.exec(each)?.[1]).find((each) => each !== undefined);
  return field === undefined
    ? null
    : report(HIDDEN_CALL, names.tree, node, `${field} is looked up by a format field`);
}

/** Findings of a module. */
export function pythonResolved(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const { text } = names.tree;
  const findings: (RawFinding | null)[] = [...ofImportStrings(names, nodes)];
  if (MENTIONS.test(text)) {
    for (const call of nodes.calls) findings.push(ofCall(names, call));
  }
  if (/\.\s*(v?format|format_map)\b/.test(text)) {
    for (const call of nodes.calls) findings.push(ofFormat(names, call));
  }
  if (/\bcase\b/.test(text)) {
    for (const node of walk(names.tree.root, PATTERNS)) findings.push(ofPattern(names, node));
  }
  if (/__import__|import_module|load_module/.test(text)) {
    for (const node of nodes.of("attribute")) findings.push(ofImported(names, node));
  }
  return findings.filter((each) => each !== null);
}
