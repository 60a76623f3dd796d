/**
 * Tools of a JavaScript or TypeScript module.
 *
 * @module
 */
import { propertiesOf, stringValue } from "../javascript/literals.ts";
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

const DECLARATIONS = nodeTypes("variable_declarator", "enum_assignment", "function_declaration");
const CALLS = nodeTypes("call_expression");
const OBJECTS = nodeTypes("object");
const LISTING = nodeTypes("identifier", "string");

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

/** What modules hold, by name. */
export interface Exports {
  /** Strings, those of enumerations and tables as `Holder.name`. */
  strings: Map<string, string>;
  /** Lists and tables that are written literally. */
  values: Map<string, PlacedFunction>;
  functions: Map<string, PlacedFunction>;
}

/** Reads what modules hold; the first of a name counts. */
export function javascriptExports(trees: readonly SourceTree[]): Exports {
  const found: Exports = { strings: new Map(), values: new Map(), functions: new Map() };
  for (const tree of trees) {
    for (const node of walk(tree.root, DECLARATIONS)) {
      const name = child(node, "name");
      const value = node.type === "function_declaration" ? node : child(node, "value");
      if (name === null || value === null) continue;
      const holder = node.type === "enum_assignment" ? node.parent?.parent : null;
      const outer = holder ? child(holder, "name") : null;
      const key = `${outer === null ? "" : `${textOf(tree, outer)}.`}${textOf(tree, name)}`;
      hold(found, tree, key, bare(value));
    }
  }
  return found;
}

/** An expression without `as const`, `satisfies Tool[]` and parentheses. */
function bare(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (/^(as_expression|satisfies_expression|parenthesized_expression)$/.test(inner.type)) {
    const [first] = named(inner);
    if (first === undefined) break;
    inner = first;
  }
  return inner;
}

function hold(found: Exports, tree: SourceTree, key: string, value: SyntaxNode): void {
  const text = stringValue(tree.text, value);
  if (text !== null && !found.strings.has(key)) found.strings.set(key, text);
  if (/^(object|array)$/.test(value.type) && !found.values.has(key)) {
    found.values.set(key, { tree, node: value });
  }
  if (
    /^(function_declaration|arrow_function|function_expression)$/.test(value.type) &&
    !found.functions.has(key)
  ) found.functions.set(key, { tree, node: value });
  if (value.type !== "object") return;
  for (const [name, inner] of propertiesOf(tree.text, value)) {
    const text = stringValue(tree.text, bare(inner));
    if (text !== null && !found.strings.has(`${key}.${name}`)) {
      found.strings.set(`${key}.${name}`, text);
    }
  }
}

/** Collects the tools of one module. */
class JavascriptTools {
  readonly #tree: SourceTree;
  readonly #own: Exports;
  readonly #others: Exports;
  readonly #tools: ToolDeclaration[] = [];
  readonly #objects = new Set<SyntaxNode>();
  #dynamic = false;

  constructor(tree: SourceTree, others: Exports) {
    this.#tree = tree;
    this.#own = javascriptExports([tree]);
    this.#others = others;
  }

  collect(listing: boolean): Declarations {
    for (const node of walk(this.#tree.root, CALLS)) this.#call(node);
    if (listing || this.#dynamic) this.#listed();
    for (const tool of this.#tools) tool.signature = signatureOf(tool);
    return { tools: this.#tools, dynamic: this.#dynamic };
  }

  /** Tools that are described by objects alone, for a list that is answered by hand. */
  #listed(): void {
    for (const node of walk(this.#tree.root, OBJECTS)) {
      if (this.#objects.has(node)) continue;
      const properties = propertiesOf(this.#tree.text, node);
      if (properties.has("name") && SCHEMA_KEYS.some((key) => properties.has(key))) {
        this.#fromObject(node, node);
      }
    }
  }

  #valueOf(node: SyntaxNode | undefined): string | null {
    if (node === undefined) return null;
    const text = textOf(this.#tree, node).slice(0, 200);
    return stringValue(this.#tree.text, bare(node)) ?? this.#own.strings.get(text) ??
      this.#others.strings.get(text) ?? null;
  }

  #functionOf(node: SyntaxNode | null): PlacedFunction | null {
    if (node === null) return null;
    if (node.type !== "identifier" && node.type !== "shorthand_property_identifier") {
      return { tree: this.#tree, node };
    }
    const name = textOf(this.#tree, node);
    return this.#own.functions.get(name) ?? this.#others.functions.get(name) ?? null;
  }

  #declare(
    node: SyntaxNode,
    name: string,
    description: string | null,
    handler: SyntaxNode | null,
    annotations: SyntaxNode | null,
  ): void {
    const body = this.#functionOf(handler);
    this.#tools.push({
      name,
      tree: this.#tree,
      node,
      description,
      body: body?.node ?? null,
      bodyTree: body?.tree ?? this.#tree,
      signature: `${name}(…)`,
      annotations,
    });
  }

  #fromObject(node: SyntaxNode, object: SyntaxNode): boolean {
    const properties = propertiesOf(this.#tree.text, object);
    const name = this.#valueOf(properties.get("name"));
    if (name === null) return false;
    this.#objects.add(object);
    this.#declare(
      node,
      name,
      this.#valueOf(properties.get("description")),
      properties.get("execute") ?? properties.get("handler") ?? properties.get("run") ?? null,
      properties.get("annotations") ?? null,
    );
    return true;
  }

  #call(node: SyntaxNode): void {
    const callee = child(node, "function");
    if (callee === null) return;
    const property = callee.type === "member_expression" ? child(callee, "property") : null;
    const method = property === null ? textOf(this.#tree, callee) : textOf(this.#tree, property);
    if (!REGISTER.has(method)) return;
    if (property === null && (method === "tool" || FOREIGN.test(this.#tree.text))) return;
    const list = child(node, "arguments");
    const values = list === null ? [] : named(list);
    // registerAppTool(server, "name", …) has the server first.
    const at = method === "registerAppTool" ? 1 : 0;
    const first = values[at];
    if (first === undefined) return;
    if (first.type === "object") {
      if (!this.#fromObject(node, first)) this.#dynamic = true;
      return;
    }
    const name = this.#valueOf(first);
    if (name === null) {
      const names = rowNames(this.#tree, first, this.#own, this.#others);
      if (names === null) this.#dynamic = true;
      else for (const each of names) this.#declare(node, each, null, null, null);
      return;
    }
    const second = values[at + 1];
    const options = second?.type === "object" ? propertiesOf(this.#tree.text, second) : new Map();
    const body = values.findLast(({ type }) => FUNCTIONS.has(type)) ?? null;
    this.#declare(
      node,
      name,
      this.#valueOf(second) ?? this.#valueOf(options.get("description")),
      body,
      options.get("annotations") ?? null,
    );
  }
}

/**
 * The tools of one module; `listing` says whether the server lists tools by hand, `others` is what
 * the project's modules hold.
 */
export function javascriptTools(tree: SourceTree, listing: boolean, others: Exports): Declarations {
  return new JavascriptTools(tree, others).collect(listing);
}

/**
 * What `row.name` is in a loop over literal rows: `for (const row of ROWS)`, `ROWS.forEach((row) =>`,
 * or over the entries of a table: `for (const [name, row] of Object.entries(ROWS))`.
 */
function rowNames(
  tree: SourceTree,
  node: SyntaxNode,
  own: Exports,
  others: Exports,
): string[] | null {
  const [row = "", field] = textOf(tree, node).slice(0, 200).split(".");
  const over = loopOver(tree, node, row);
  if (over === null) return null;
  const entries = /^Object\.(entries|keys|values)\((\w+)\)$/.exec(over);
  const held = own.values.get(entries?.[2] ?? over) ?? others.values.get(entries?.[2] ?? over);
  if (held === undefined) return null;
  const { text } = held.tree;
  if (held.node.type === "object") {
    const properties = propertiesOf(text, held.node);
    if (entries === null) return null;
    if (field === undefined) return entries[1] === "values" ? null : [...properties.keys()];
    return fieldsOf(text, [...properties.values()], field);
  }
  if (entries !== null) return null;
  const rows = named(held.node);
  if (field !== undefined) return fieldsOf(text, rows, field);
  const plain = rows.map((each) => stringValue(text, each));
  return plain.includes(null) ? null : plain as string[];
}

function fieldsOf(text: string, rows: readonly SyntaxNode[], field: string): string[] | null {
  const names = rows.map((each) => {
    const value = propertiesOf(text, bare(each)).get(field);
    return value === undefined ? null : stringValue(text, bare(value));
  });
  return names.length === 0 || names.includes(null) ? null : names as string[];
}

const wordsOf = (text: string): string[] => [...text.matchAll(/[\w$]+/g)].map(([word]) => word);

/** What the loop runs over whose variable is `row`. */
function loopOver(tree: SourceTree, node: SyntaxNode, row: string): string | null {
  for (let up = node.parent; up !== null; up = up.parent) {
    if (up.type === "for_in_statement") {
      const left = child(up, "left");
      const right = child(up, "right");
      const variables = wordsOf(left === null ? "" : textOf(tree, left));
      if (right !== null && variables.includes(row)) return textOf(tree, right).replace(/\s/g, "");
    }
    const call = up.type === "arrow_function" && up.parent?.type === "arguments"
      ? up.parent.parent
      : null;
    const callee = call === null ? null : child(call, "function");
    const over = callee?.type === "member_expression" ? child(callee, "object") : null;
    const parameters = child(up, "parameters") ?? child(up, "parameter");
    if (over === null || callee === null || parameters === null) continue;
    if (!/\.(forEach|map)$/.test(textOf(tree, callee).slice(-20))) continue;
    const variables = wordsOf(textOf(tree, parameters));
    if (variables.includes(row)) return textOf(tree, over).replace(/\s/g, "");
  }
  return null;
}

function signatureOf({ bodyTree: tree, name, body }: ToolDeclaration): string {
  const parameters = body === null ? null : child(body, "parameters") ?? child(body, "parameter");
  if (parameters === null) return `${name}(…)`;
  const text = textOf(tree, parameters);
  return oneLine(`${name}${text.startsWith("(") ? text : `(${text})`}`, 300);
}

/** Whether a module answers `tools/list` itself. */
export function listsTools(tree: SourceTree): boolean {
  for (const node of walk(tree.root, LISTING)) {
    if (node.type === "identifier" && textOf(tree, node) === "ListToolsRequestSchema") return true;
    if (node.type === "string" && textOf(tree, node).slice(1, -1) === "tools/list") return true;
  }
  return false;
}
