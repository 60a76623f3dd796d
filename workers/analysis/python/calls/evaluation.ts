/**
 * Calls of functions that evaluate a text, whatever the program calls them and their objects.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { plainValue, valuesOf } from "../values/assigned.ts";
import { calleeOf } from "./callee.ts";
import type { CallArguments, PythonNames } from "../names.ts";
import { mentions } from "../reach/mentions.ts";
import { isParameter } from "../reach/paths.ts";
import { returnsOf } from "../values/returns.ts";
import { type Evaluator, EVALUATORS } from "./evaluators.ts";

/** Libraries that have evaluators; only modules that have to do with one are looked at closely. */
const LIBRARY =
  /\b(sympy|sage|numexpr|pandas|geopandas|modin|dask|xarray|cudf|patsy|formulaic|statsmodels|asteval|evalidate|RestrictedPython|smolagents|jsonpath|js2py|execjs|lupa|dukpy|py_mini_racer|pyduktape2?|quickjs|STPyV8|rpy2|oct2py|matlab|pyswip|clingo|f2py|cffi|Cython|weave|pyximport|cppyy|execnet|langchain\w*|IPython|jupyter_client|nbclient|nbconvert|papermill|doctest|pygments|bdb|pdb|cProfile|profile|trace|six|past|torch|tensorflow|keras|numpy|ruamel|jsonpickle|networkx|sklearn|pyarrow|pickle5|compress_pickle|srsly|cookiecutter|copier|multiprocessing|timeit|_?interpreters|_xxsubinterpreters|run_in_subinterp|_testcapi|_testinternalcapi|inspect|annotationlib|typing|typing_extensions|attrs?|cython|support)\b/;
const DYNAMIC = /import_module\s*\(|__import__\s*\(/;
/** Names that are worth a look in any module. */
const TELLING =
  /(^|[._])(df|dfs|dataframe|data_frame|gdf)\d*\.(query|eval)$|__annotations__\.|\.remote_exec$|REPL/i;
const CLASSES = nodeTypes("class_definition");
const MAX_HOPS = 12;
/** Expressions that are looked at for one call. */
const MAX_STEPS = 60;

const bases = new WeakMap<PythonNames, Map<string, SyntaxNode[]>>();

/** What a class of the module is made of. */
function basesOf(names: PythonNames, name: string): SyntaxNode[] {
  let known = bases.get(names);
  if (known === undefined) {
    known = new Map(
      [...walk(names.tree.root, CLASSES)].map((each) => {
        const list = child(each, "superclasses");
        return [textOf(names.tree, child(each, "name")!), list === null ? [] : named(list)];
      }),
    );
    bases.set(names, known);
  }
  return known.get(name) ?? [];
}

function ownFunction(names: PythonNames, callee: SyntaxNode): SyntaxNode | undefined {
  if (callee.type === "identifier") return names.functions.get(textOf(names.tree, callee));
  const object = child(callee, "object");
  if (object === null || textOf(names.tree, object) !== "self") return undefined;
  return names.methods.get(textOf(names.tree, child(callee, "attribute")!));
}

const answers = new WeakMap<PythonNames, Map<number, readonly string[]>>();

/** The names under which an expression may be called, objects by what made them. */
export function spelled(names: PythonNames, given: SyntaxNode): readonly string[] {
  let known = answers.get(names);
  if (known === undefined) answers.set(names, known = new Map());
  let found = known.get(given.number);
  if (found === undefined) known.set(given.number, found = spell(names, given));
  return found;
}

function spell(
  names: PythonNames,
  given: SyntaxNode,
  hops = 0,
  left = { steps: MAX_STEPS },
): string[] {
  if (hops > MAX_HOPS || left.steps-- <= 0) return [];
  const node = plainValue(given);
  const inside = (each: SyntaxNode) => spell(names, each, hops + 1, left);
  if (node.type === "call") {
    const callee = child(node, "function")!;
    const made = inside(callee).map((each) =>
      each === "ruamel.yaml.YAML"
        ? `${each}(${/\btyp\s*=\s*["'](\w+)/.exec(textOf(names.tree, node))?.[1] ?? ""})`
        : `${each}()`
    );
    const own = ownFunction(names, callee);
    return own === undefined ? made : [...made, ...returnsOf(own).flatMap(inside)];
  }
  // An entry of a table.
  if (/^(dictionary|list|tuple)$/.test(node.type)) {
    return named(node).slice(0, 20).flatMap((each) =>
      inside(child(each, "value") ?? each).map((name) => `${name}{}`)
    );
  }
  if (node.type === "subscript") {
    return inside(child(node, "value")!)
      .map((each) => each.endsWith("{}") ? each.slice(0, -2) : `${each}[]`);
  }
  if (!/^(identifier|attribute)$/.test(node.type)) return [];
  const own = calleeOf(names, node)?.name;
  const found = new Set(own === undefined ? [] : [own]);
  if (node.type === "identifier" && own === textOf(names.tree, node)) {
    for (const base of basesOf(names, own)) for (const each of inside(base)) found.add(each);
    for (const { module, name } of names.imports) if (name === "*") found.add(`${module}.${own}`);
  }
  for (const value of valuesOf(names, node).values.slice(0, 8)) {
    if (!/^(call|subscript|attribute|identifier|dictionary|list|tuple)$/.test(value.type)) continue;
    for (const each of inside(value)) found.add(each);
  }
  if (node.type === "attribute") {
    const method = textOf(names.tree, child(node, "attribute")!);
    for (const each of inside(child(node, "object")!)) found.add(`${each}.${method}`);
  }
  return [...found];
}

/** Text as it was given: a parameter, or what is put together of texts. */
function isPlainText(names: PythonNames, given: SyntaxNode): boolean {
  const node = plainValue(given);
  if (node.type === "string") return true;
  if (node.type === "binary_operator") {
    return [child(node, "left"), child(node, "right")].some((side) =>
      side !== null && side.type === "string"
    );
  }
  if (node.type === "call") {
    const callee = child(node, "function")!;
    const object = callee.type === "attribute" ? child(callee, "object") : null;
    const name = textOf(names.tree, callee);
    return name === "str" || (object !== null && /\.(strip|replace|lower|format)$/.test(name) &&
      isPlainText(names, object));
  }
  return node.type === "identifier" &&
    isParameter(names, node, textOf(names.tree, node)) && !valuesOf(names, node).values.length;
}

/** Calls of a function for each of several values. */
export const APPLIES =
  /^(map|filter|itertools\.starmap)$|\.(apply|map|applymap|transform|starmap|imap)$/;

/** A field of pydantic that imports what its text names. */
const RESOLVER: Evaluator = { pattern: /^$/, reach: "full" };
const IMPORT_STRING = /\bImportString\b/;
const VALIDATES = /(^|\.)(validate_(python|json|strings)|model_validate\w*|parse_(obj|raw))$/;

function validates(names: PythonNames, expression: SyntaxNode, name: string): boolean {
  if (VALIDATES.test(name) || VALIDATES.test(textOf(names.tree, expression))) return true;
  if (expression.type !== "identifier") return false;
  return [...walk(names.tree.root, CLASSES)].some((each) =>
    textOf(names.tree, child(each, "name")!) === name &&
    /\bImportString\b/.test(textOf(names.tree, each))
  );
}

const libraries = new WeakMap<PythonNames, boolean>();

function hasLibrary(names: PythonNames): boolean {
  let known = libraries.get(names);
  if (known === undefined) {
    known = names.imports.some(({ module, name }) => LIBRARY.test(`${module}.${name ?? ""}`)) ||
      (mentions(names, DYNAMIC) && mentions(names, LIBRARY));
    libraries.set(names, known);
  }
  return known;
}

/** A call that evaluates, with what is evaluated. */
export interface Evaluation {
  evaluator: Evaluator;
  by: string;
  texts: SyntaxNode[];
}

function textsGiven(
  names: PythonNames,
  evaluator: Evaluator,
  expression: SyntaxNode,
  given: CallArguments,
): SyntaxNode[] {
  const found = new Set<SyntaxNode>();
  for (const at of evaluator.at ?? [0]) {
    if (typeof at === "number") {
      if (given.positional[at] !== undefined) found.add(given.positional[at]);
    } else if (at === "*") { for (const each of given.keywords.values()) found.add(each); }
    else if (at === "object") {
      const object = expression.type === "attribute" ? child(expression, "object") : null;
      if (object !== null) found.add(object);
    } else {
      const each = given.keywords.get(at);
      if (each !== undefined) found.add(each);
    }
  }
  if (evaluator.at === undefined) {
    for (const key of ["source", "code", "text", "expr", "expression", "command", "string"]) {
      const each = given.keywords.get(key);
      if (each !== undefined) found.add(each);
    }
  }
  return [...found].filter((each) => evaluator.plainText !== true || isPlainText(names, each));
}

/** What a call evaluates; null for any other call. */
export function evaluation(
  names: PythonNames,
  expression: SyntaxNode | null,
  name: string | undefined,
  given: CallArguments,
): Evaluation | null {
  if (expression === null) return null;
  const [passed, ...rest] = given.positional;
  if (
    passed !== undefined && APPLIES.test(name ?? "") && /^(identifier|attribute)$/.test(passed.type)
  ) {
    const object = expression.type === "attribute" ? child(expression, "object") : null;
    const positional = object === null ? rest : [object, ...rest];
    return evaluation(names, passed, undefined, { positional, keywords: new Map() });
  }
  if (mentions(names, IMPORT_STRING) && validates(names, expression, name ?? "")) {
    return {
      evaluator: RESOLVER,
      by: "ImportString",
      texts: [...rest, ...given.keywords.values(), ...passed === undefined ? [] : [passed]],
    };
  }
  if (!hasLibrary(names) && !TELLING.test(name ?? "")) return null;
  const keyword = (key: string, at?: number) => {
    const node = given.keywords.get(key) ?? (at === undefined ? undefined : given.positional[at]);
    return node === undefined ? "" : textOf(names.tree, node);
  };
  for (const by of new Set([...name === undefined ? [] : [name], ...spelled(names, expression)])) {
    if (!LIBRARY.test(by) && !TELLING.test(by)) continue;
    const evaluator = EVALUATORS.find(({ pattern, when }) =>
      pattern.test(by) && (when === undefined || when(keyword))
    );
    if (evaluator === undefined) continue;
    const texts = textsGiven(names, evaluator, expression, given);
    if (texts.length > 0) return { evaluator, by, texts };
  }
  return null;
}
