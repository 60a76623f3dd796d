/**
 * Values that Python source computes from nothing but constants: texts put together, reversed,
 * decoded, picked from tables. Names that are hidden this way are read as they are at run time. The
 * work for one expression is bounded; what is beyond counts as unknown.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { plainValue, valuesOf } from "./assigned.ts";
import { foldCall, type Folded, type Folder, latin1 } from "./folding_calls.ts";
import { arithmetic, bounded, sliced, sum } from "./folding_operators.ts";
import { unescape } from "./literals.ts";
import type { PythonNames } from "../names.ts";

const MAX_STEPS = 4000;
const MAX_DEPTH = 60;

/** What a name, or a call, is that the module itself does not say; undefined when nobody can. */
export type Outside = (node: SyntaxNode) => Folded | undefined;

/** Folds one expression over the names of its module. */
class NamesFolder implements Folder {
  readonly #names: PythonNames;
  readonly #outside: Outside;
  readonly #local = new Map<string, Folded>();
  #steps = 0;
  #depth = 0;

  constructor(names: PythonNames, outside: Outside) {
    this.#names = names;
    this.#outside = outside;
  }

  #textOf(node: SyntaxNode): string {
    return textOf(this.#names.tree, node);
  }

  #string(node: SyntaxNode): Folded | undefined {
    const opening = node.children.find(({ type }) => type === "string_start");
    if (opening === undefined) return undefined;
    const prefix = this.#textOf(opening).toLowerCase();
    let text = "";
    for (const part of node.children) {
      if (part.type === "string_content") {
        const written = this.#textOf(part);
        const plain = prefix.includes("r") ? written : unescape(written);
        text += prefix.includes("f") ? plain.replaceAll("{{", "{").replaceAll("}}", "}") : plain;
      } else if (part.type === "interpolation") {
        const inside = child(part, "expression") ?? named(part)[0];
        const plain = !named(part).some(({ type }) => /format_spec|type_conv/.test(type));
        const value = inside && plain ? this.fold(inside) : undefined;
        if (typeof value !== "string" && typeof value !== "number") return undefined;
        text += String(value);
      }
    }
    return prefix.includes("b") ? latin1(text) : text;
  }

  #subscript(node: SyntaxNode): Folded | undefined {
    const holder = child(node, "value");
    const key = child(node, "subscript");
    if (holder === null || key === null) return undefined;
    if (key.type !== "slice") {
      const at = this.fold(key);
      if (at === undefined) return undefined;
      const entry = this.#entriesOf(holder)?.find(({ key }) =>
        key !== null && this.fold(key) === at
      );
      if (entry !== undefined) return this.fold(entry.value);
      const value = this.fold(holder);
      if (typeof at !== "number" || value === undefined || typeof value === "number") return;
      return value.at(at);
    }
    const value = this.fold(holder);
    if (value === undefined || typeof value === "number") return undefined;
    const parts: (number | null)[] = [null];
    for (const each of key.children) {
      if (each.type === ":") parts.push(null);
      else {
        const bound = this.fold(each);
        if (typeof bound !== "number") return undefined;
        parts[parts.length - 1] = bound;
      }
    }
    return sliced(value, parts);
  }

  #entriesOf(holder: SyntaxNode): { key: SyntaxNode | null; value: SyntaxNode }[] | null {
    const { values } = holder.type === "dictionary"
      ? { values: [holder] }
      : valuesOf(this.#names, holder);
    const [table] = values;
    if (values.length !== 1 || table?.type !== "dictionary") return null;
    return named(table).flatMap((pair) => {
      const value = pair.type === "pair" ? child(pair, "value") : null;
      return value === null ? [] : [{ key: child(pair, "key"), value }];
    });
  }

  /** `[chr(c) for c in [111, 115]]`. */
  #comprehension(node: SyntaxNode): Folded | undefined {
    const [body, clause, ...more] = named(node);
    const left = clause?.type === "for_in_clause" ? child(clause, "left") : null;
    const right = left === null ? null : child(clause!, "right");
    if (body === undefined || left?.type !== "identifier" || right === null || more.length > 0) {
      return undefined;
    }
    const over = this.fold(right);
    if (over === undefined || typeof over === "number") return undefined;
    const name = this.#textOf(left);
    const before = this.#local.get(name);
    const results: Folded[] = [];
    for (const each of over) {
      this.#local.set(name, each);
      const value = this.fold(body);
      if (value === undefined) break;
      results.push(value);
    }
    if (before === undefined) this.#local.delete(name);
    else this.#local.set(name, before);
    return results.length === over.length ? results : undefined;
  }

  all(nodes: readonly SyntaxNode[]): Folded[] | undefined {
    const values: Folded[] = [];
    for (const node of nodes) {
      const value = this.fold(node.type === "list_splat" ? named(node)[0] ?? node : node);
      if (value === undefined) return undefined;
      if (node.type === "list_splat") {
        if (typeof value === "number") return undefined;
        values.push(...value);
      } else values.push(value);
    }
    return values;
  }

  #name(node: SyntaxNode): Folded | undefined {
    const held = this.#local.get(this.#textOf(node));
    if (held !== undefined) return held;
    const { values, open } = valuesOf(this.#names, node);
    return open || values.length !== 1 ? this.#outside(node) : this.fold(values[0]!);
  }

  #number(node: SyntaxNode): number | undefined {
    const value = Number(this.#textOf(node).replaceAll("_", "").toLowerCase());
    return Number.isSafeInteger(value) ? value : undefined;
  }

  #pairOf(node: SyntaxNode): Folded | undefined {
    const left = child(node, "left");
    const right = child(node, "right");
    const operator = child(node, "operator");
    const a = left === null ? undefined : this.fold(left);
    const b = right === null || a === undefined ? undefined : this.fold(right);
    return a === undefined || b === undefined || operator === null
      ? undefined
      : arithmetic(operator.type, a, b);
  }

  #plain(node: SyntaxNode): Folded | undefined {
    switch (node.type) {
      case "string":
        return this.#string(node);
      case "concatenated_string":
        return this.all(named(node))?.reduce<Folded | undefined>(
          (left, right) => left === undefined ? right : sum(left, right),
          undefined,
        );
      case "integer":
        return this.#number(node);
      case "unary_operator": {
        const value = named(node)[0] === undefined ? undefined : this.fold(named(node)[0]!);
        return typeof value === "number" && this.#textOf(node).startsWith("-") ? -value : undefined;
      }
      case "binary_operator":
        return this.#pairOf(node);
      case "list":
      case "tuple":
      case "expression_list":
        return this.all(named(node));
      case "list_comprehension":
      case "generator_expression":
        return this.#comprehension(node);
      case "subscript":
        return this.#subscript(node) ?? this.#outside(node);
      case "identifier":
      case "attribute":
        return this.#name(node);
      case "call":
        return foldCall(this.#names, node, this) ?? this.#outside(node);
      default:
        return undefined;
    }
  }

  fold(node: SyntaxNode): Folded | undefined {
    if (++this.#steps > MAX_STEPS || this.#depth > MAX_DEPTH) return undefined;
    this.#depth++;
    const value = bounded(this.#plain(plainValue(node)));
    this.#depth--;
    return value;
  }
}

/** The constant that an expression computes; undefined for anything that cannot be told. */
export function fold(
  names: PythonNames,
  node: SyntaxNode,
  outside: Outside = () => undefined,
): Folded | undefined {
  return new NamesFolder(names, outside).fold(node);
}

/** The text that an expression computes from constants; null for anything else. */
export function foldText(
  names: PythonNames,
  node: SyntaxNode,
  outside?: Outside,
): string | null {
  const value = fold(names, node, outside);
  return typeof value === "string" ? value : null;
}

/** Texts of one expression; names that lead to each other in many places could have any number. */
const MAX_TEXTS = 1_000;
/** Names are followed so deep. */
const MAX_NAMES = 5;

/**
 * Every text that an expression may be, or null when it may be another: a name with several values,
 * a choice of two.
 */
export function foldTexts(names: PythonNames, node: SyntaxNode): string[] | null {
  // By node and hops: where each of many values of a name leads to all of them, once is enough.
  const known = new Map<number, string[] | null>();
  function each(node: SyntaxNode, hops: number): string[] | null {
    const key = node.number * (MAX_NAMES + 1) + hops;
    let texts = known.get(key);
    if (texts === undefined) known.set(key, texts = anew(node, hops));
    return texts;
  }
  function anew(node: SyntaxNode, hops: number): string[] | null {
    const plain = plainValue(node);
    const several = plain.type === "conditional_expression"
      ? { values: [plain.children[0]!, plain.children.at(-1)!], open: false }
      : plain.type === "identifier" || plain.type === "attribute"
      ? valuesOf(names, plain)
      : null;
    if (several === null || (several.values.length === 1 && plain.type === "identifier")) {
      if (several?.open) return null;
      const text = foldText(names, plain);
      return text === null ? null : [text];
    }
    if (several.open || hops === MAX_NAMES) return null;
    const found = new Set<string>();
    for (const value of several.values) {
      const texts = each(value, hops + 1);
      if (texts === null) return null;
      for (const text of texts) found.add(text);
      if (found.size > MAX_TEXTS) return null;
    }
    return [...found];
  }
  return each(node, 0);
}
