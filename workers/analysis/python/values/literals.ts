/**
 * Values that Python source states literally.
 *
 * @module
 */
import { named, type SyntaxNode } from "../../syntax/tree.ts";

const ESCAPES: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\n": "",
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;

function codePoint(hex: string, base = 16): string {
  const value = parseInt(hex, base);
  return value <= 0x10ffff ? String.fromCodePoint(value) : "\ufffd";
}

/** A literal's text with its escapes undone. */
export function unescape(text: string): string {
  return text.replace(ESCAPE, (whole, x, u, U, octal, simple) => {
    const hex = x ?? u ?? U;
    if (hex !== undefined) return codePoint(hex);
    if (octal !== undefined) return codePoint(octal, 8);
    return ESCAPES[simple] ?? whole;
  });
}

/** The value of a string literal, adjacent ones joined; null for anything that is computed. */
export function stringValue(text: string, node: SyntaxNode): string | null {
  if (node.type === "parenthesized_expression") {
    const [inner] = named(node);
    return inner === undefined ? null : stringValue(text, inner);
  }
  if (node.type === "concatenated_string") {
    const parts = named(node).map((part) => stringValue(text, part));
    return parts.includes(null) ? null : parts.join("");
  }
  if (node.type !== "string") return null;
  if (node.children.some(({ type }) => type === "interpolation")) return null;
  const opening = node.children.find(({ type }) => type === "string_start");
  const closing = node.children.findLast(({ type }) => type === "string_end");
  if (opening === undefined || closing === undefined) return null;
  const prefix = text.slice(opening.start, opening.end).toLowerCase();
  if (prefix.includes("b")) return null;
  // The parser takes backslashes before the closing quotes of a raw string for a part of these.
  const quotes = prefix.replace(/^[a-z]+/, "").length;
  const body = text.slice(opening.end, closing.end - quotes);
  return prefix.includes("r") ? body : unescape(body);
}

/** The docstring of a function, class or module body, its indentation removed. */
export function docstringOf(text: string, body: SyntaxNode | null): string | null {
  const first = body === null ? undefined : named(body)[0];
  if (first?.type !== "expression_statement") return null;
  const inner = named(first);
  if (inner.length !== 1) return null;
  const value = stringValue(text, inner[0]!);
  return value === null ? null : dedent(value);
}

function dedent(value: string): string {
  const [first = "", ...rest] = value.split("\n");
  const margin = Math.min(
    ...rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)),
  );
  return [
    first.trimStart(),
    ...rest.map((line) => line.slice(Number.isFinite(margin) ? margin : 0)),
  ]
    .join("\n").trim();
}
