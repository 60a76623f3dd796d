/**
 * Tools of a Rust file: functions with `#[tool]`, and `Tool::new("name", …)`.
 *
 * @module
 */
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { type Declarations, oneLine, type ToolDeclaration } from "./declaration.ts";

const CONSTANTS = nodeTypes("const_item", "static_item");
const DECLARING = nodeTypes("attribute_item", "call_expression");

/** The value of a Rust string literal. */
export function rustString(text: string, node: SyntaxNode): string | null {
  const written = text.slice(node.start, node.end);
  if (node.type === "raw_string_literal") {
    return /^r(#*)"([\s\S]*)"\1$/.exec(written)?.[2] ?? null;
  }
  if (node.type !== "string_literal") return null;
  return written.slice(1, -1).replace(
    /\\(?:([nrt"\\])|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|\r?\n\s*)/g,
    (_, simple, x, u) => {
      if (simple !== undefined) {
        return ({ n: "\n", r: "\r", t: "\t" } as Record<string, string>)[simple] ?? simple;
      }
      const value = parseInt(x ?? u ?? "", 16);
      return value <= 0x10ffff ? String.fromCodePoint(value) : "";
    },
  );
}

/** String constants by name, of all files of the repository. */
export function rustConstants(trees: readonly SourceTree[]): Map<string, string> {
  const constants = new Map<string, string>();
  for (const tree of trees) {
    for (const node of walk(tree.root, CONSTANTS)) {
      const name = child(node, "name");
      const value = child(node, "value");
      const text = value === null ? null : rustString(tree.text, value);
      if (name !== null && text !== null) constants.set(textOf(tree, name), text);
    }
  }
  return constants;
}

/** `key = "value"` pairs of an attribute's arguments; values may be constants. */
function attributeValues(
  tree: SourceTree,
  tokens: SyntaxNode | null,
  constants: ReadonlyMap<string, string>,
): Map<string, string> {
  const values = new Map<string, string>();
  const all = tokens === null ? [] : tokens.children;
  for (let i = 0; i + 2 < all.length; i++) {
    if (textOf(tree, all[i + 1]!) !== "=") continue;
    const value = rustString(tree.text, all[i + 2]!) ?? constants.get(textOf(tree, all[i + 2]!));
    if (value !== undefined) values.set(textOf(tree, all[i]!), value);
  }
  return values;
}

/** Doc comments right above an item, as the macro uses them for the description. */
function docOf(tree: SourceTree, siblings: readonly SyntaxNode[], at: number): string | null {
  const lines: string[] = [];
  for (let i = at - 1; i >= 0; i--) {
    const each = siblings[i]!;
    if (each.type === "attribute_item") continue;
    if (each.type !== "line_comment") break;
    const text = textOf(tree, each);
    if (!text.startsWith("///")) break;
    lines.unshift(text.slice(3).trim());
  }
  return lines.length === 0 ? null : lines.join("\n");
}

/** A literal or a constant, also as `NAME.into()` and `"name".to_string()`. */
function valueOf(
  tree: SourceTree,
  node: SyntaxNode,
  constants: ReadonlyMap<string, string>,
): string | null {
  const callee = node.type === "call_expression" ? child(node, "function") : null;
  const inner = callee?.type === "field_expression" ? child(callee, "value") : null;
  const bare = inner ?? node;
  const name = textOf(tree, bare).split("::").at(-1)!;
  return rustString(tree.text, bare) ?? constants.get(name) ?? null;
}

const TOOL_MACRO = /^((rmcp|rust_mcp_sdk|mcp_attr)::)?(tool|mcp_tool)$|^(\w+::)*macros::mcp_tool$/;

/** The tool that an attribute declares; null when it declares none. */
function attributed(
  tree: SourceTree,
  node: SyntaxNode,
  constants: ReadonlyMap<string, string>,
): ToolDeclaration | null {
  const inner = named(node)[0];
  const path = inner === undefined ? undefined : named(inner)[0];
  if (inner === undefined || path === undefined) return null;
  const macro = textOf(tree, path);
  if (!TOOL_MACRO.test(macro)) return null;
  const siblings = node.parent?.children ?? [];
  const start = siblings.indexOf(node);
  // rust-mcp-sdk declares a tool by the struct of its parameters.
  const kind = macro.endsWith("mcp_tool") ? "struct_item" : "function_item";
  const at = siblings.findIndex((each, i) => i > start && each.type === kind);
  const between = siblings.slice(start + 1, at);
  const item = siblings[at];
  // Something else between the two: the attribute belongs to that (`#[tool(param)]`, an impl).
  if (item === undefined || between.some(({ type }) => !/attribute_item|comment/.test(type))) {
    return null;
  }
  const values = attributeValues(tree, child(inner, "arguments"), constants);
  const own = child(item, "name");
  const name = values.get("name") ?? (own === null ? null : textOf(tree, own));
  if (name === null) return null;
  const parameters = child(item, "parameters");
  const list = parameters === null ? "()" : textOf(tree, parameters);
  return {
    name,
    tree,
    node,
    description: values.get("description") ?? docOf(tree, siblings, at),
    body: item,
    bodyTree: tree,
    signature: oneLine(`${name}${list}`, 300),
    annotations: child(inner, "arguments"),
  };
}

/** Collects the tools of one file. */
export function rustTools(
  tree: SourceTree,
  constants: ReadonlyMap<string, string>,
): Declarations {
  const tools: ToolDeclaration[] = [];
  let dynamic = false;
  for (const node of walk(tree.root, DECLARING)) {
    if (node.type === "attribute_item") {
      const tool = attributed(tree, node, constants);
      if (tool !== null) tools.push(tool);
      continue;
    }
    const callee = child(node, "function");
    if (callee === null || !/^(\w+::)*Tool::new(_with_raw)?$/.test(textOf(tree, callee))) continue;
    const list = child(node, "arguments");
    const [first, second] = list === null ? [] : named(list);
    const name = first === undefined ? null : valueOf(tree, first, constants);
    if (name === null) {
      dynamic = true;
      continue;
    }
    tools.push({
      name,
      tree,
      node,
      description: second === undefined ? null : rustString(tree.text, second),
      body: null,
      bodyTree: tree,
      signature: `${name}(…)`,
      annotations: null,
    });
  }
  return { tools, dynamic };
}
