/**
 * Command lines that a shell reads, as words: `"bash x.sh"`, `f"sh {path}"`, `"python " + path`.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { foldText } from "../../python/values/folding.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import type { Argument } from "./command_lines.ts";

const MAX_TEXT = 5000;
/** Letters of something encoded: what is behind them counts, however many they are. */
const ENCODED = /([A-Za-z0-9+/=]{64})[A-Za-z0-9+/=]{400,}/g;
const MAX_HOPS = 4;
/** Stands in a text for a value that is not stated. */
const OPEN = "\uE000";
const HOLE = /\uE000(\d+)\uE001/;

class Words {
  readonly #holes: SyntaxNode[] = [];

  constructor(readonly names: PythonNames) {}

  #hole(node: SyntaxNode): string {
    this.#holes.push(node);
    return `${OPEN}${this.#holes.length - 1}\uE001`;
  }

  /** The text of an expression, with holes for what is not stated. */
  text(expression: SyntaxNode, hops = 0): string {
    const node = plainValue(expression);
    const known = foldText(this.names, node);
    if (known !== null) return known;
    if (hops > MAX_HOPS) return this.#hole(node);
    if (node.type === "identifier") {
      const [value, ...more] = valuesOf(this.names, node).values;
      const isText = value !== undefined && more.length === 0 &&
        /^(string|binary_operator|concatenated_string)$/.test(value.type);
      return isText ? this.text(value, hops + 1) : this.#hole(node);
    }
    if (node.type === "string") {
      return node.children.map((part) => {
        if (part.type === "string_content") return textOf(this.names.tree, part);
        if (part.type !== "interpolation") return "";
        return this.#hole(child(part, "expression") ?? named(part)[0] ?? part);
      }).join("");
    }
    if (node.type === "concatenated_string") {
      return named(node).map((each) => this.text(each, hops + 1)).join("");
    }
    if (node.type === "binary_operator") {
      const [left, right] = [child(node, "left"), child(node, "right")];
      if (left === null || right === null) return this.#hole(node);
      return child(node, "operator")?.type === "%"
        ? this.#filled(this.text(left, hops + 1), [right])
        : this.text(left, hops + 1) + this.text(right, hops + 1);
    }
    const callee = node.type === "call" ? child(node, "function") : null;
    const object = callee?.type === "attribute" ? child(callee, "object") : null;
    const method = object === null ? "" : textOf(this.names.tree, child(callee!, "attribute")!);
    return object !== null && method === "format"
      ? this.#filled(this.text(object, hops + 1), argumentsOf(this.names.tree, node).positional)
      : this.#hole(node);
  }

  #filled(text: string, values: readonly SyntaxNode[]): string {
    const rest = values.flatMap((each) => each.type === "tuple" ? named(each) : [each]);
    return text.replace(/%[sr]|\{\w*\}/g, (place) => {
      const value = rest.shift();
      return value === undefined ? place : this.#hole(value);
    });
  }

  /** The command lines of a text. */
  lines(expression: SyntaxNode): Argument[][] {
    const text = shortened(this.text(expression));
    return text.split(/&&|\|\||[;|&\n]|\$\(|`/).map((line) =>
      (line.match(/[^\s"']+|"[^"]*"|'[^']*'/g) ?? []).map((word) => {
        const hole = HOLE.exec(word);
        return hole === null
          ? { node: expression, text: word.replace(/^["']|["']$/g, ""), stated: true as const }
          : { node: this.#holes[Number(hole[1])]!, text: null };
      })
    ).filter((words) => words.length > 0);
  }
}

function shortened(text: string): string {
  return text.replace(ENCODED, "$1").slice(0, MAX_TEXT);
}

/** The command lines of a shell's text, as far as they are plain words. */
export function shellLines(names: PythonNames, expression: SyntaxNode): Argument[][] {
  return new Words(names).lines(expression);
}

/** A shell's text, with a placeholder for each part that is not stated. */
export function shellText(names: PythonNames, expression: SyntaxNode): string {
  return shortened(new Words(names).text(expression));
}
