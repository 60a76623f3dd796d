/**
 * Values that JavaScript source states literally.
 *
 * @module
 */
import { child, named, type SyntaxNode } from "../syntax/tree.ts";

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" };
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|(\r?\n)|([\s\S]))/g;

function unescape(text: string): string {
  return text.replace(ESCAPE, (_, x, u, braced, newline, simple) => {
    const hex = x ?? u ?? braced;
    if (hex !== undefined) {
      const value = parseInt(hex, 16);
      return value <= 0x10ffff ? String.fromCodePoint(value) : "\ufffd";
    }
    return newline !== undefined ? "" : ESCAPES[simple] ?? simple;
  });
}

/** The value of a string, a template without substitutions or a sum of those; null otherwise. */
export function stringValue(text: string, node: SyntaxNode): string | null {
  if (node.type === "string") return unescape(text.slice(node.start + 1, node.end - 1));
  if (node.type === "template_string") {
    if (node.children.some(({ type }) => type === "template_substitution")) return null;
    return unescape(text.slice(node.start + 1, node.end - 1));
  }
  if (node.type === "parenthesized_expression" || node.type === "as_expression") {
    const [inner] = named(node);
    return inner === undefined ? null : stringValue(text, inner);
  }
  if (node.type === "binary_expression") {
    const left = child(node, "left");
    const right = child(node, "right");
    const operator = child(node, "operator");
    if (left === null || right === null || operator?.type !== "+") return null;
    const a = stringValue(text, left);
    const b = a === null ? null : stringValue(text, right);
    return b === null ? null : `${a}${b}`;
  }
  return null;
}

/** The properties of an object literal by name: values, and methods as themselves. */
export function propertiesOf(text: string, object: SyntaxNode): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const each of named(object)) {
    if (each.type === "pair") {
      const key = child(each, "key");
      const value = child(each, "value");
      if (key === null || value === null) continue;
      const name = key.type === "string" ? stringValue(text, key) : text.slice(key.start, key.end);
      if (name !== null) found.set(name, value);
    } else if (each.type === "shorthand_property_identifier") {
      found.set(text.slice(each.start, each.end), each);
    } else if (each.type === "method_definition") {
      const name = child(each, "name");
      if (name !== null) found.set(text.slice(name.start, name.end), each);
    }
  }
  return found;
}
