/**
 * Fields of objects that are called like a module (`os: str` of a host that was scanned): where an
 * object's class says what the field is, and nothing of the project puts a module there, it is none.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import {
  argumentsOf,
  dottedText,
  firstPart,
  type PythonNames,
  resolve,
} from "../../python/names.ts";
import { isParameter, valuesOf } from "../../python/values/assigned.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { classesOf, type ObjectTypes, objectTypes } from "./objects.ts";
import { HANDED_ON, isKept, isNoValue, isOther, moduleOf } from "./module_values.ts";

const ATTRIBUTES = nodeTypes("attribute");
const GIVES = nodeTypes("assignment", "keyword_argument", "call");
const VALUES = nodeTypes("identifier", "attribute", "call", "subscript");
const FIELD = /^_?(os|subprocess|builtins|pty)$/;
/** What gives a module that no import names. */
const LOADS = /^(__import__|importlib\.(import_module|reload|__import__)|sys\.modules(\.\w+)?)$/;
/** What looks at an object and keeps nothing of it. */
const LOOKS = /^(getattr|hasattr|type|repr|str|print|isinstance|issubclass|inspect\.\w+)$/;

/** What gives the values of names that a text says. */
const LOOKS_UP = /\b(getattr|vars|globals|locals|import_module|modules|attrgetter|__\w+__)\b/;
/** Modules that libraries have as attributes: `tempfile._shutil`, `os.path`. */
const INNER =
  /^(?!sys\.).*\.(_\w+|path|posixpath|ntpath|shutil|glob|tempfile|handlers|config|util|machinery|parse|request|client|server|pathlib|inspect|linecache|tokenize|fnmatch|random|logging|socket|threading|platform|uuid|webbrowser|zipfile|tarfile|codecs)$/;

/** Whether an attribute is a field of which the object's class says that it is plain. */
function isPlain(names: PythonNames, node: SyntaxNode, types: ObjectTypes): boolean {
  if (node.type !== "attribute") return false;
  const field = textOf(names.tree, child(node, "attribute")!);
  const object = child(node, "object")!;
  return FIELD.test(field) && dottedText(names.tree, object) !== null &&
    types.hasPlain(names, object, field);
}

/** Whether a module is one of the project's. */
type IsOwn = (module: string) => boolean;

function isModule(names: PythonNames, node: SyntaxNode, types: ObjectTypes): boolean {
  return moduleOf(names, node) !== null && !isOther(names, node) && !isPlain(names, node, types);
}

/** Whether a module is put into an attribute: `host.os = os`, `Host(os=os)`, `setattr(host, n, os)`. */
function putsModule(names: PythonNames, node: SyntaxNode, types: ObjectTypes): boolean {
  if (node.type === "call") {
    const [, , value] = argumentsOf(names.tree, node).positional;
    return value !== undefined && isModule(names, value, types) &&
      /(^|\.)_*setattr_*$/.test(textOf(names.tree, child(node, "function")!));
  }
  const target = child(node, node.type === "assignment" ? "left" : "name");
  const part = target?.type === "attribute" ? child(target, "attribute")! : target;
  const value = child(node, node.type === "assignment" ? "right" : "value");
  if (part === null || value === null || !FIELD.test(textOf(names.tree, part))) return false;
  const isVariable = node.type === "assignment" && target?.type === "identifier" &&
    node.parent?.parent?.parent?.type !== "class_definition";
  if (isVariable) return false;
  const values = [value, ...valuesOf(names, value).values];
  return values.some((each) =>
    isModule(names, each, types) || LOOKS_UP.test(textOf(names.tree, each))
  );
}

/** Whether a name stands for a whole module, of whatever library. */
function isWholeModule(names: PythonNames, node: SyntaxNode, isOwn: IsOwn): boolean {
  const expression = node.type === "call" ? child(node, "function") : child(node, "value");
  if (node.type === "attribute") {
    const meant = resolve(names, node) ?? "";
    const head = firstPart(dottedText(names.tree, node) ?? "");
    return node.parent?.type !== "attribute" && names.bindings.has(head) && INNER.test(meant);
  }
  if (node.type !== "identifier") {
    const name = expression === null ? "" : calleeOf(names, expression)?.name ?? "";
    return LOADS.test(name) ||
      LOADS.test(expression === null ? "" : textOf(names.tree, expression));
  }
  const name = textOf(names.tree, node);
  const made = names.calls.get(name);
  if (made !== undefined && isWholeModule(names, made, isOwn)) return true;
  const meaning = names.bindings.get(name);
  if (meaning === undefined) return false;
  return names.imports.some((each) =>
    each.name === null
      ? each.module === meaning
      : each.level === 0 && !isOwn(each.module) && `${each.module}.${each.name}` === meaning &&
        INNER.test(meaning)
  );
}

/** Whether a module goes where an object is expected: any one may have another under such a name. */
function handsModules(names: PythonNames, isOwn: IsOwn): boolean {
  for (const node of walk(names.tree.root, VALUES)) {
    const { parent } = node;
    if (parent === null || !isKept(node, parent) || isNoValue(node, parent)) continue;
    if (!isWholeModule(names, node, isOwn)) continue;
    const list = parent.type === "keyword_argument" ? parent.parent : parent;
    const callee = list?.type === "argument_list" ? child(list.parent!, "function") : null;
    const called = callee === null ? "" : calleeOf(names, callee)?.name ?? "";
    const isGiven = node.type === "identifier" &&
      isParameter(names, node, textOf(names.tree, node));
    if (!LOOKS.test(called) && !isGiven) return true;
  }
  return false;
}

/** Whether nothing of a file could make a field a module. */
function keepsToText(names: PythonNames, types: ObjectTypes, isOwn: IsOwn): boolean {
  for (const node of walk(names.tree.root, GIVES)) if (putsModule(names, node, types)) return false;
  return !handsModules(names, isOwn);
}

/** The findings without those of fields that are no modules. */
export function withoutFields(findings: readonly RawFinding[], project: Project): RawFinding[] {
  if (!findings.some(({ rule }) => rule === HANDED_ON.id)) return [...findings];
  const running = project.trees.filter((tree) => project.mayRun(tree))
    .map(({ path }) => project.python.get(path)!);
  let isClear: boolean | undefined;
  const files = [...project.python.keys()];
  const isOwn = (module: string) => {
    const path = module.replaceAll(".", "/");
    return files.some((each) =>
      `/${each}`.endsWith(`/${path}.py`) || `/${each}`.endsWith(`/${path}/__init__.py`)
    );
  };
  const types = objectTypes(project.python, classesOf(project.python.values()));
  return findings.filter(({ rule, file, line }) => {
    const names = project.python.get(file);
    if (rule !== HANDED_ON.id || names === undefined) return true;
    const { tree } = names;
    const found = [...walk(tree.root, ATTRIBUTES)].filter((each) =>
      tree.lineAt(each.start) === line && each.parent?.type !== "attribute" &&
      moduleOf(names, each) !== null
    );
    const others = [...walk(tree.root, VALUES)].some((each) =>
      tree.lineAt(each.start) === line && each.parent !== null && isKept(each, each.parent) &&
      !isNoValue(each, each.parent) &&
      (isModule(names, each, types) || isWholeModule(names, each, isOwn))
    );
    if (found.length === 0 || others) return true;
    if (!found.every((each) => isPlain(names, each, types))) return true;
    isClear ??= running.every((each) => keepsToText(each, types, isOwn));
    return !isClear;
  });
}
