/**
 * Tools of a Rust file: functions with `#[tool]`, and `Tool::new("name", …)`.
 *
 * @module
 */
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { type Declarations, oneLine, type ToolDeclaration } from "./declaration.ts";

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

/** `key = "value"` pairs of an attribute's arguments. */
function attributeValues(tree: SourceTree, tokens: SyntaxNode | null): Map<string, string> {
  const values = new Map<string, string>();
  const all = tokens === null ? [] : tokens.children;
  for (let i = 0; i + 2 < all.length; i++) {
    if (textOf(tree, all[i + 1]!) !== "=") continue;
    const value = rustString(tree.text, all[i + 2]!);
    if (value !== null) values.set(textOf(tree, all[i]!), value);
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

/** Collects the tools of one file. */
export function rustTools(tree: SourceTree): Declarations {
  const tools: ToolDeclaration[] = [];
  let dynamic = false;

  function attribute(node: SyntaxNode): void {
    const inner = named(node)[0];
    const path = inner === undefined ? undefined : named(inner)[0];
    if (inner === undefined || path === undefined) return;
    if (!/^(rmcp::)?tool$/.test(textOf(tree, path))) return;
    const siblings = node.parent?.children ?? [];
    const start = siblings.indexOf(node);
    const at = siblings.findIndex((each, i) => i > start && each.type === "function_item");
    const between = siblings.slice(start + 1, at);
    const item = siblings[at];
    // Something else between the two: the attribute belongs to that (`#[tool(param)]`, an impl).
    if (item === undefined || between.some(({ type }) => !/attribute_item|comment/.test(type))) {
      return;
    }
    const values = attributeValues(tree, child(inner, "arguments"));
    const own = child(item, "name");
    const name = values.get("name") ?? (own === null ? null : textOf(tree, own));
    if (name === null) return;
    const parameters = child(item, "parameters");
    const list = parameters === null ? "()" : textOf(tree, parameters);
    tools.push({
      name,
      tree,
      node,
      description: values.get("description") ?? docOf(tree, siblings, at),
      body: item,
      signature: oneLine(`${name}${list}`, 300),
      annotations: child(inner, "arguments"),
    });
  }

  for (const node of walk(tree.root)) {
    if (node.type === "attribute_item") attribute(node);
    else if (node.type === "call_expression") {
      const callee = child(node, "function");
      if (callee === null || !/^(\w+::)*Tool::new(_with_raw)?$/.test(textOf(tree, callee))) {
        continue;
      }
      const list = child(node, "arguments");
      const [first, second] = list === null ? [] : named(list);
      const name = first === undefined ? null : rustString(tree.text, first);
      if (name === null) dynamic = true;
      else {
        const description = second === undefined ? null : rustString(tree.text, second);
        const signature = `${name}(…)`;
        tools.push({ name, tree, node, description, body: null, signature, annotations: null });
      }
    }
  }
  return { tools, dynamic };
}
