/**
 * Texts and paths that Python source puts together from what it states: literals, `__file__`,
 * `os.path`, `pathlib`, constants, loops over literal lists.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { hostOf } from "./embedded_paths.ts";
import { foldText } from "../values/folding.ts";
import { stringValue } from "../values/literals.ts";
import { argumentsOf, type PythonNames, resolve } from "../names.ts";
import { joinPaths, parentOf, SESSION_ROOT } from "./session_paths.ts";
import { charged, combine, union, type Values } from "./text_values.ts";

const MAX_HOPS = 30;
/** How deep in an expression parts may be that only the general folding knows. */
const MAX_DECODED = 4;
const BINDING = nodeTypes(
  "assignment",
  "for_statement",
  "named_expression",
  "augmented_assignment",
);
const FUNCTIONS = ["function_definition", "lambda"] as const;

/** What a file says under each name; null for one that is bound by other means. */
const bound = new WeakMap<PythonNames, Map<string, SyntaxNode[]>>();

function bindingsOf(names: PythonNames): Map<string, SyntaxNode[]> {
  let found = bound.get(names);
  if (found !== undefined) return found;
  found = new Map();
  for (const node of walk(names.tree.root, BINDING)) {
    const left = child(node, node.type === "named_expression" ? "name" : "left");
    if (left?.type !== "identifier") continue;
    const name = textOf(names.tree, left);
    found.set(name, [...found.get(name) ?? [], node]);
  }
  bound.set(names, found);
  return found;
}

/** Whether a name is a parameter of a function around the node. */
export function isParameter(names: PythonNames, node: SyntaxNode, name: string): boolean {
  for (let up = ancestor(node, ...FUNCTIONS); up !== null; up = ancestor(up, ...FUNCTIONS)) {
    const list = child(up, "parameters");
    const given = list === null ? [] : named(list).map((each) => {
      const of = each.type === "identifier" ? each : child(each, "name") ?? named(each)[0];
      return of === undefined ? "" : textOf(names.tree, of);
    });
    if (given.includes(name)) return true;
  }
  return false;
}

/** The expressions that a name is given in a file. */
export function valuesOf(names: PythonNames, name: string): SyntaxNode[] {
  return (bindingsOf(names).get(name) ?? []).flatMap((node) =>
    child(node, node.type === "named_expression" ? "value" : "right") ?? []
  );
}

const SAME = new Set([
  "str",
  "os.fspath",
  "os.path.abspath",
  "os.path.realpath",
  "os.path.normpath",
  "os.path.expanduser",
  "inspect.cleandoc",
]);
const OWN_FILE = new Set(["inspect.getfile", "inspect.getsourcefile", "inspect.getabsfile"]);
const HERE = new Set(["os.getcwd", "pathlib.Path.cwd", "Path.cwd"]);
const PATHS = /^(pathlib\.)?(Pure)?(Posix)?Path$/;
const SAME_METHODS = new Set(["resolve", "absolute", "as_posix", "expanduser", "__str__"]);

class Folding {
  /** By node and hops: names that stand for each other would be followed again and again. */
  readonly #known = new Map<number, Values>();

  constructor(readonly names: PythonNames) {}

  fold(node: SyntaxNode | null | undefined, hops: number): Values {
    if (node === null || node === undefined || hops > MAX_HOPS) return null;
    const key = node.number * (MAX_HOPS + 1) + hops;
    let values = this.#known.get(key);
    if (values === undefined) this.#known.set(key, values = this.#foldAnew(node, hops));
    return charged(this.names.tree, values);
  }

  #each(nodes: Iterable<SyntaxNode | null | undefined>, hops: number): Iterable<Values> {
    return Iterator.from(nodes).map((node) => this.fold(node, hops + 1));
  }

  #foldAnew(node: SyntaxNode, hops: number): Values {
    const stated = this.#stated(node, hops);
    if (stated !== null || hops > MAX_DECODED) return stated;
    // Reversed, decoded, picked from tables: what constants alone compute.
    const computed = foldText(this.names, node);
    return computed === null ? null : [computed];
  }

  #stated(node: SyntaxNode, hops: number): Values {
    const { names: { tree } } = this;
    switch (node.type) {
      case "string":
        return this.#string(node, hops);
      case "concatenated_string":
        return combine(this.#each(named(node), hops), (all) => all.join(""));
      case "parenthesized_expression":
      case "expression_list":
        return named(node).length === 1 ? this.fold(named(node)[0], hops + 1) : null;
      case "binary_operator":
        return this.#operator(node, hops);
      case "conditional_expression": {
        const [yes, , no] = named(node);
        return this.#either([yes, no], hops);
      }
      case "boolean_operator":
        return this.#either([child(node, "left"), child(node, "right")], hops);
      case "identifier":
        return this.#name(node, textOf(tree, node), hops);
      case "attribute":
        return this.#attribute(node, hops);
      case "subscript":
        return this.#subscript(node, hops);
      case "call":
        return this.#call(node, hops);
      default:
        return null;
    }
  }

  #either(nodes: (SyntaxNode | null | undefined)[], hops: number): Values {
    return union(this.#each(nodes, hops));
  }

  #string(node: SyntaxNode, hops: number): Values {
    const { text } = this.names.tree;
    const whole = stringValue(text, node);
    if (whole !== null) return /\\N\{/.test(whole) ? null : [whole];
    if (!/^[fF]/.test(text.slice(node.start, node.start + 1))) return null;
    const parts = node.children.filter(({ type }) => !/^string_(start|end)$/.test(type));
    return combine(
      parts.values().map((part): Values => {
        if (part.type !== "interpolation") {
          const written = text.slice(part.start, part.end);
          return /[\\{}]/.test(written) ? null : [written];
        }
        const plain = named(part).length === 1 ? child(part, "expression") : null;
        return this.fold(plain, hops + 1);
      }),
      (all) => all.join(""),
    );
  }

  #operator(node: SyntaxNode, hops: number): Values {
    const { tree } = this.names;
    const sides = this.#each([child(node, "left"), child(node, "right")], hops);
    const operator = textOf(tree, child(node, "operator") ?? node);
    if (operator === "+") return combine(sides, ([a, b]) => a! + b!);
    if (operator === "/") return combine(sides, joinPaths);
    if (operator === "%") return combine(sides, ([a, b]) => a!.replace("%s", () => b!));
    return null;
  }

  #name(node: SyntaxNode, name: string, hops: number): Values {
    if (name === "__file__") return [`${SESSION_ROOT}/${hostOf(this.names.tree.path)}`];
    if (name === "__name__" || isParameter(this.names, node, name)) return null;
    const given = bindingsOf(this.names).get(name);
    if (given === undefined) {
      const meant = resolve(this.names, node);
      return meant === "os.sep" || meant === "os.path.sep"
        ? ["/"]
        : meant === "os.pardir"
        ? [".."]
        : meant === "os.curdir"
        ? ["."]
        : null;
    }
    if (given.some(({ type }) => type === "augmented_assignment")) return null;
    return union(
      given.values().map((each): Values => {
        if (each.type === "for_statement") return this.items(child(each, "right"), hops + 1);
        const value = child(each, each.type === "named_expression" ? "value" : "right");
        return this.fold(value, hops + 1);
      }),
    );
  }

  /** What iterating over a literal list, tuple, set or table of literals gives. */
  items(node: SyntaxNode | null, hops: number): Values {
    if (node === null || hops > MAX_HOPS) return null;
    if (node.type === "identifier") {
      const given = valuesOf(this.names, textOf(this.names.tree, node));
      return given.length === 1 ? this.items(given[0]!, hops + 1) : null;
    }
    if (node.type === "parenthesized_expression") return this.items(named(node)[0]!, hops + 1);
    if (!/^(list|tuple|set|expression_list)$/.test(node.type)) return null;
    return this.#either(named(node), hops);
  }

  #attribute(node: SyntaxNode, hops: number): Values {
    const meant = resolve(this.names, node);
    if (meant === "os.sep" || meant === "os.path.sep") return ["/"];
    if (meant === "os.pardir" || meant === "os.path.pardir") return [".."];
    if (meant === "os.curdir" || meant === "os.path.curdir") return ["."];
    if (meant === "__spec__.origin") return [`${SESSION_ROOT}/${hostOf(this.names.tree.path)}`];
    const attribute = child(node, "attribute");
    const name = attribute === null ? "" : textOf(this.names.tree, attribute);
    if (name !== "parent" && name !== "name") return null;
    const value = this.fold(child(node, "object"), hops + 1);
    const part = name === "parent"
      ? (path: string) => parentOf(path) || "."
      : (path: string) => path.slice(path.lastIndexOf("/") + 1);
    return value === null ? null : value.map(part);
  }

  #subscript(node: SyntaxNode, hops: number): Values {
    const value = child(node, "value");
    const key = child(node, "subscript");
    if (value === null || key === null) return null;
    const { tree } = this.names;
    const level = Number(textOf(tree, key));
    if (value.type === "attribute" && textOf(tree, child(value, "attribute")!) === "parents") {
      let paths = this.fold(child(value, "object"), hops + 1);
      for (let up = 0; up <= level && paths !== null; up++) paths = paths.map(parentOf);
      return Number.isInteger(level) && level >= 0 && level < 64 ? paths : null;
    }
    // `TABLE[key]`: any value of the literal table.
    const given = value.type === "identifier" ? valuesOf(this.names, textOf(tree, value)) : [value];
    if (given.length !== 1) return null;
    if (given[0]!.type !== "dictionary") return this.items(given[0]!, hops + 1);
    const pairs = named(given[0]!);
    if (pairs.some(({ type }) => type !== "pair")) return null;
    return this.#either(pairs.map((pair) => child(pair, "value")), hops);
  }

  #call(node: SyntaxNode, hops: number): Values {
    const callee = child(node, "function");
    if (callee === null) return null;
    const { positional } = argumentsOf(this.names.tree, node);
    const meant = resolve(this.names, callee);
    const given = () => this.#each(positional, hops);
    const withObject = () => this.#each([child(callee, "object"), ...positional], hops);
    if (meant !== null) {
      if (HERE.has(meant)) return ["."];
      if (OWN_FILE.has(meant)) return [`${SESSION_ROOT}/${hostOf(this.names.tree.path)}`];
      if (SAME.has(meant)) return this.fold(positional[0], hops + 1);
      if (meant === "os.path.dirname") {
        const path = positional.length === 1 ? this.fold(positional[0], hops + 1) : null;
        return path?.map(parentOf) ?? null;
      }
      if (meant === "os.path.join") return combine(given(), joinPaths);
      if (PATHS.test(meant)) {
        return positional.length === 0 ? ["."] : combine(given(), joinPaths);
      }
    }
    if (callee.type !== "attribute") return null;
    const method = textOf(this.names.tree, child(callee, "attribute")!);
    const object = child(callee, "object");
    if (SAME_METHODS.has(method)) return this.fold(object, hops + 1);
    if (method === "joinpath") {
      return combine(withObject(), joinPaths);
    }
    if (method === "with_name") {
      return combine(withObject(), ([path, name]) => joinPaths([parentOf(path!), name!]));
    }
    if (method === "with_suffix") {
      return combine(
        withObject(),
        ([path, suffix]) => path!.replace(/(\.[^./]*)?$/, suffix!),
      );
    }
    if (
      method === "join" && positional.length === 1 && /^(list|tuple)$/.test(positional[0]!.type)
    ) {
      const parts = this.#each(named(positional[0]!), hops);
      const between = this.fold(object, hops + 1);
      return between?.length === 1 ? combine(parts, (all) => all.join(between[0]!)) : null;
    }
    return null;
  }
}

/** Every text that an expression can have; null when it is not stated. */
export function textsOf(names: PythonNames, node: SyntaxNode | null | undefined): Values {
  return new Folding(names).fold(node, 0);
}

/** Every text in a literal list (or a name of one); null when it is not stated. */
export function listedTexts(names: PythonNames, node: SyntaxNode | null): Values {
  return new Folding(names).items(node, 0);
}
