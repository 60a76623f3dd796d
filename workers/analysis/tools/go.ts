/**
 * Tools of a Go file: `mcp.NewTool("name", …)` and `mcp.Tool{Name: "name"}`.
 *
 * @module
 */
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import {
  type Declarations,
  oneLine,
  type PlacedFunction,
  type ToolDeclaration,
} from "./declaration.ts";

const CONSTANTS = nodeTypes("const_spec", "var_spec");
const FUNCTIONS = nodeTypes("function_declaration", "method_declaration");
const CALLS = nodeTypes("call_expression");

/** String constants by name, of all files of the repository. */
export function goConstants(trees: readonly SourceTree[]): Map<string, string> {
  const constants = new Map<string, string>();
  for (const tree of trees) {
    for (const node of walk(tree.root, CONSTANTS)) {
      const name = child(node, "name");
      const value = child(node, "value");
      const first = value === null ? undefined : named(value)[0];
      const text = first === undefined ? null : goString(tree.text, first);
      if (name !== null && text !== null) constants.set(textOf(tree, name), text);
    }
  }
  return constants;
}

/** The value of a Go string literal. */
export function goString(text: string, node: SyntaxNode): string | null {
  const inner = text.slice(node.start + 1, node.end - 1);
  if (node.type === "raw_string_literal") return inner;
  if (node.type !== "interpreted_string_literal") return null;
  return inner.replace(
    /\\(?:([nrt"\\])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/g,
    (_, simple, x, u) =>
      simple === undefined
        ? String.fromCharCode(parseInt(x ?? u, 16))
        : ({ n: "\n", r: "\r", t: "\t" } as Record<string, string>)[simple] ?? simple,
  );
}

/** Functions and methods by name, of all files of the repository. */
export function goFunctions(trees: readonly SourceTree[]): Map<string, PlacedFunction> {
  const functions = new Map<string, PlacedFunction>();
  for (const tree of trees) {
    for (const node of walk(tree.root, FUNCTIONS)) {
      const name = child(node, "name");
      if (name !== null) functions.set(textOf(tree, name), { tree, node });
    }
  }
  return functions;
}

/**
 * The handler of each declared tool: what follows it in `AddTool(tool, handler)`, where the tool is
 * written or a variable that it was given to.
 */
function handlersOf(tree: SourceTree): (declaration: SyntaxNode) => SyntaxNode | null {
  const byText = new Map<string, SyntaxNode>();
  for (const node of walk(tree.root, CALLS)) {
    const callee = child(node, "function");
    if (callee === null || !/(^|\.)AddTool$/.test(textOf(tree, callee))) continue;
    const list = child(node, "arguments");
    const values = list === null ? [] : named(list);
    values.forEach((value, at) => {
      const next = values[at + 1];
      if (next !== undefined) byText.set(textOf(tree, value).slice(0, 500), next);
    });
  }
  return (declaration) => {
    let outer = declaration;
    if (outer.parent?.type === "unary_expression") outer = outer.parent;
    const direct = byText.get(textOf(tree, outer).slice(0, 500));
    if (direct !== undefined) return direct;
    const assigned = outer.parent?.type === "expression_list" ? outer.parent.parent : null;
    const left = assigned === null ? null : child(assigned, "left");
    return left === null ? null : byText.get(textOf(tree, left)) ?? null;
  };
}

/** Collects the tools of one file. */
export function goTools(
  tree: SourceTree,
  constants: ReadonlyMap<string, string>,
  functions: ReadonlyMap<string, PlacedFunction>,
): Declarations {
  const handlerOf = handlersOf(tree);
  function bodyOf(node: SyntaxNode): PlacedFunction | null {
    const handler = handlerOf(node);
    if (handler === null) return null;
    if (handler.type === "func_literal") return { tree, node: handler };
    // mcp.NewTypedToolHandler(handle)
    const name = /(\w+)\W*$/.exec(textOf(tree, handler))?.[1];
    return name === undefined ? null : functions.get(name) ?? null;
  }
  const tools: ToolDeclaration[] = [];
  let dynamic = false;

  function valueOf(node: SyntaxNode | null | undefined): string | null {
    if (node === null || node === undefined) return null;
    const bare = node.type === "literal_element" ? named(node)[0] ?? node : node;
    return goString(tree.text, bare) ??
      constants.get(textOf(tree, bare).split(".").at(-1)!) ?? null;
  }
  function declare(node: SyntaxNode, name: string | null, description: string | null): void {
    if (name === null) {
      dynamic = true;
      return;
    }
    const signature = oneLine(`${name}(…)`, 300);
    const annotations = /Hint/.test(textOf(tree, node)) ? node : null;
    const handler = bodyOf(node);
    const body = handler?.node ?? null;
    const bodyTree = handler?.tree ?? tree;
    tools.push({ name, tree, node, description, body, bodyTree, signature, annotations });
  }

  for (const node of walk(tree.root)) {
    if (node.type === "call_expression") {
      const callee = child(node, "function");
      const name = callee === null ? "" : textOf(tree, callee);
      if (!/^(\w+\.)?(NewTool|NewToolWithRawSchema)$/.test(name)) continue;
      const list = child(node, "arguments");
      const values = list === null ? [] : named(list);
      const described = values.find((each) =>
        each.type === "call_expression" && /^\w+\.WithDescription\(/.test(textOf(tree, each))
      );
      const words = described === undefined ? null : child(described, "arguments");
      declare(
        node,
        valueOf(values[0]),
        words === null ? valueOf(values[1]) : valueOf(named(words)[0]),
      );
    } else if (node.type === "composite_literal") {
      const type = child(node, "type");
      const body = child(node, "body");
      if (type === null || body === null || !/^\w+\.Tool$/.test(textOf(tree, type))) continue;
      const fields = new Map(
        named(body).filter(({ type }) => type === "keyed_element").map((each) => {
          const [key, value] = named(each);
          return [key === undefined ? "" : textOf(tree, key), value];
        }),
      );
      if (fields.has("Name")) {
        declare(node, valueOf(fields.get("Name")), valueOf(fields.get("Description")));
      }
    }
  }
  return { tools, dynamic };
}
