/**
 * Tools of a JavaScript or TypeScript module.
 *
 * @module
 */
import { propertiesOf, stringValue } from "../javascript/literals.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { type Declarations, oneLine, type ToolDeclaration } from "./declaration.ts";

const REGISTER = new Set(["tool", "registerTool", "addTool", "registerAppTool", "defineTool"]);
/** Libraries whose `tool(…)` makes no MCP tool. */
const FOREIGN = /["'](ai|@langchain\/[^"']*|langchain[^"']*|@openai\/agents|llamaindex)["']/;
const FUNCTIONS = new Set([
  "arrow_function",
  "function_expression",
  "method_definition",
  "identifier",
]);
/** Properties that, beside a name, make an object the description of a tool. */
const SCHEMA_KEYS = ["inputSchema", "input_schema", "parameters", "paramsSchema", "schema"];

function constantsOf(tree: SourceTree): Map<string, string> {
  const constants = new Map<string, string>();
  for (const node of walk(tree.root)) {
    if (node.type !== "variable_declarator" && node.type !== "enum_assignment") continue;
    const name = child(node, "name");
    const value = child(node, "value");
    const text = value === null ? null : stringValue(tree.text, value);
    if (name === null || text === null) continue;
    const own = textOf(tree, name);
    if (node.type === "variable_declarator") constants.set(own, text);
    else {
      const holder = node.parent?.parent;
      const outer = holder ? child(holder, "name") : null;
      if (outer !== null) constants.set(`${textOf(tree, outer)}.${own}`, text);
    }
  }
  return constants;
}

/** The functions of a module by name. */
function functionsOf(tree: SourceTree): Map<string, SyntaxNode> {
  const functions = new Map<string, SyntaxNode>();
  for (const node of walk(tree.root)) {
    const value = node.type === "variable_declarator" ? child(node, "value") : node;
    const name = child(node, "name");
    if (
      name !== null && value !== null &&
      /^(function_declaration|arrow_function|function_expression)$/.test(value.type)
    ) functions.set(textOf(tree, name), value);
  }
  return functions;
}

/** Collects the tools of one module; `listing` says whether the server lists tools by hand. */
export function javascriptTools(tree: SourceTree, listing: boolean): Declarations {
  const tools: ToolDeclaration[] = [];
  const constants = constantsOf(tree);
  const functions = functionsOf(tree);
  const objects = new Set<SyntaxNode>();
  let dynamic = false;

  const valueOf = (node: SyntaxNode | undefined): string | null =>
    node === undefined
      ? null
      : stringValue(tree.text, node) ?? constants.get(textOf(tree, node)) ?? null;

  function declare(
    node: SyntaxNode,
    name: string,
    description: string | null,
    body: SyntaxNode | null,
    annotations: SyntaxNode | null,
  ): void {
    tools.push({
      name,
      tree,
      node,
      description,
      body: body?.type === "identifier" ? functions.get(textOf(tree, body)) ?? null : body,
      signature: `${name}(…)`,
      annotations,
    });
  }

  function fromObject(node: SyntaxNode, object: SyntaxNode): boolean {
    const properties = propertiesOf(tree.text, object);
    const name = valueOf(properties.get("name"));
    if (name === null) return false;
    objects.add(object);
    declare(
      node,
      name,
      valueOf(properties.get("description")),
      properties.get("execute") ?? properties.get("handler") ?? properties.get("run") ?? null,
      properties.get("annotations") ?? null,
    );
    return true;
  }

  function call(node: SyntaxNode): void {
    const callee = child(node, "function");
    if (callee === null) return;
    const property = callee.type === "member_expression" ? child(callee, "property") : null;
    const method = property === null ? textOf(tree, callee) : textOf(tree, property);
    if (!REGISTER.has(method)) return;
    if (property === null && (method === "tool" || FOREIGN.test(tree.text))) return;
    const list = child(node, "arguments");
    const values = list === null ? [] : named(list);
    // registerAppTool(server, "name", …) has the server first.
    const at = method === "registerAppTool" ? 1 : 0;
    const first = values[at];
    if (first === undefined) return;
    if (first.type === "object") {
      if (!fromObject(node, first)) dynamic = true;
      return;
    }
    const name = valueOf(first);
    if (name === null) {
      dynamic = true;
      return;
    }
    const second = values[at + 1];
    const options = second?.type === "object" ? propertiesOf(tree.text, second) : new Map();
    const body = values.findLast(({ type }) => FUNCTIONS.has(type)) ?? null;
    declare(
      node,
      name,
      valueOf(second) ?? valueOf(options.get("description")),
      body,
      options.get("annotations") ?? null,
    );
  }

  for (const node of walk(tree.root)) if (node.type === "call_expression") call(node);
  if (listing || dynamic) {
    for (const node of walk(tree.root)) {
      if (node.type !== "object" || objects.has(node)) continue;
      const properties = propertiesOf(tree.text, node);
      if (properties.has("name") && SCHEMA_KEYS.some((key) => properties.has(key))) {
        fromObject(node, node);
      }
    }
  }
  for (const tool of tools) tool.signature = signatureOf(tree, tool);
  return { tools, dynamic };
}

function signatureOf(tree: SourceTree, { name, body }: ToolDeclaration): string {
  const parameters = body === null ? null : child(body, "parameters") ?? child(body, "parameter");
  if (parameters === null) return `${name}(…)`;
  const text = textOf(tree, parameters);
  return oneLine(`${name}${text.startsWith("(") ? text : `(${text})`}`, 300);
}

/** Whether a module answers `tools/list` itself. */
export function listsTools(tree: SourceTree): boolean {
  for (const node of walk(tree.root)) {
    if (node.type === "identifier" && textOf(tree, node) === "ListToolsRequestSchema") return true;
    if (node.type === "string" && textOf(tree, node).slice(1, -1) === "tools/list") return true;
  }
  return false;
}
