/**
 * Tools of a Python module, in every shape in which public servers declare them.
 *
 * @module
 */
import { docstringOf, stringValue } from "../python/literals.ts";
import { argumentsOf, type CallArguments, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import {
  type Declarations,
  oneLine,
  type PlacedFunction,
  type ToolDeclaration,
} from "./declaration.ts";
import { isHidden, renamesTools } from "./python_renames.ts";
import { makesTools, RUN_TIME_WORDS } from "./python_run_time.ts";
import { type Constants, functionsOf, type Registered, stringsOf } from "./python_values.ts";

const DECLARING = nodeTypes("decorator", "call", "class_definition", "pair", "assignment");

/** Frameworks whose `tool` decorator makes no MCP tool. */
const FOREIGN =
  /^(langchain|langchain_core|langgraph|crewai|smolagents|llama_index|agents|autogen|haystack|pydantic_ai|strands|claude_agent_sdk|google|openai|dspy)(\.|$)/;
/** A module without this word, or those of `python_run_time.ts`, declares no tool. */
const WORD = /[tT]ool/;

/** Servers whose constructor takes tools. */
const SERVER = /(^|\.)(FastMCP|MCPServer)$/;
const NO_ARGUMENTS: CallArguments = { positional: [], keywords: new Map() };

type Kind = "tool" | "add_tool" | "Tool" | null;

function kindOf(names: PythonNames, callee: SyntaxNode): Kind {
  const meant = resolve(names, callee);
  // `get_server().tool`, `self.servers[0].tool`: not a plain chain, but still an attribute.
  const last = callee.type === "attribute" ? child(callee, "attribute") : null;
  const name = meant?.split(".").at(-1) ?? (last === null ? "" : textOf(names.tree, last));
  if (name === "add_tool") return "add_tool";
  if (name === "tool") {
    if (callee.type === "attribute") return meant !== null && FOREIGN.test(meant) ? null : "tool";
    // A bare `tool` must come from somewhere: an import or `tool = server.tool`.
    return meant !== null && meant !== "tool" && !FOREIGN.test(meant) ? "tool" : null;
  }
  return name === "Tool" && /^(mcp|fastmcp|mcp_types)\./.test(meant ?? "") ? "Tool" : null;
}

function signatureOf(name: string, body: PlacedFunction | null): string {
  if (body === null) return `${name}(…)`;
  const parameters = child(body.node, "parameters");
  const returns = child(body.node, "return_type");
  const list = parameters === null ? "()" : textOf(body.tree, parameters);
  const result = returns === null ? "" : ` -> ${textOf(body.tree, returns)}`;
  return oneLine(`${name}${list}${result}`, 300);
}

/** Collects the tools of one module. */
export function pythonTools(names: PythonNames, constants: Constants): Declarations {
  const { tree } = names;
  const tools: ToolDeclaration[] = [];
  let dynamic = false;

  function declare(
    node: SyntaxNode,
    { keywords, positional }: CallArguments,
    registered: Registered[] | null,
    naming: SyntaxNode | undefined,
  ): void {
    const given = naming ?? keywords.get("name");
    const strings = given === undefined ? null : stringsOf(names, constants, given);
    const count = strings?.length ?? registered?.length ?? 0;
    if (count === 0 || (given !== undefined && strings === null)) {
      dynamic = true;
      return;
    }
    const described = keywords.get("description") ??
      (naming !== undefined && positional[0] === naming ? positional[2] : undefined);
    for (let i = 0; i < count; i++) {
      const body = (registered?.length === 1 ? registered[0] : registered?.[i])?.definition ?? null;
      const name = strings?.[i] ?? registered![i]!.name;
      const texts = described === undefined ? null : stringsOf(names, constants, described);
      const literal = texts?.length === count ? texts[i] : texts?.[0];
      tools.push({
        name,
        tree,
        node,
        body: body?.node ?? null,
        bodyTree: body?.tree ?? tree,
        description: literal ??
          (body === null ? null : docstringOf(body.tree.text, child(body.node, "body"))),
        signature: signatureOf(name, body),
        annotations: keywords.get("annotations") ?? null,
      });
    }
  }

  function decorator(node: SyntaxNode): void {
    const [expression] = named(node);
    const call = expression?.type === "call" ? expression : null;
    const callee = call === null ? expression : child(call, "function");
    if (callee === undefined || callee === null || kindOf(names, callee) !== "tool") return;
    const definition = node.parent === null ? null : child(node.parent, "definition");
    const name = definition === null ? null : child(definition, "name");
    if (definition?.type !== "function_definition" || name === null) return;
    const given = call === null ? NO_ARGUMENTS : argumentsOf(tree, call);
    const naming = given.positional[0] ?? given.keywords.get("name");
    if (naming === undefined && isHidden(constants, names, node)) dynamic = true;
    declare(
      node,
      given,
      [{ name: textOf(tree, name), definition: { tree, node: definition } }],
      given.positional[0],
    );
  }

  function call(node: SyntaxNode): void {
    const callee = child(node, "function");
    if (callee === null || node.parent?.type === "decorator") return;
    const given = argumentsOf(tree, node);
    const [first, second] = given.positional;
    const handed = given.keywords.get("tools");
    if (handed !== undefined && SERVER.test(resolve(names, callee) ?? "")) {
      declare(node, NO_ARGUMENTS, functionsOf(names, constants, handed), undefined);
    }
    // x.tool(...)(fn)
    if (callee.type === "call") {
      const inner = child(callee, "function");
      if (inner === null || kindOf(names, inner) !== "tool" || first === undefined) return;
      const options = argumentsOf(tree, callee);
      declare(node, options, functionsOf(names, constants, first), options.positional[0]);
      return;
    }
    const kind = kindOf(names, callee);
    if (kind === "Tool") return declare(node, given, null, given.positional[0]);
    if (first === undefined && !given.keywords.has("fn")) return;
    if (kind === "add_tool") return added(node, given, first ?? given.keywords.get("fn")!, second);
    // x.tool(fn, …), but not x.tool("name"), which is the inner part of x.tool("name")(fn).
    const applied = node.parent?.type === "call" && child(node.parent, "function") === node;
    if (kind === "tool" && !applied) {
      const target = first ?? given.keywords.get("fn")!;
      if (stringValue(tree.text, target) !== null) return;
      declare(node, given, functionsOf(names, constants, target), second);
    }
  }

  /** `add_tool(fn, name=…)`, or a tool object: `add_tool(Tool.from_function(fn, name=…))`. */
  function added(
    node: SyntaxNode,
    given: CallArguments,
    first: SyntaxNode,
    second: SyntaxNode | undefined,
  ): void {
    const callee = first.type === "call" ? child(first, "function") : null;
    const made = callee === null ? "" : resolve(names, callee) ?? "";
    if (/(^|\.)\w*Tool(\.from_function)?$/.test(made)) {
      if (callee !== null && kindOf(names, callee) === "Tool") return; // counted by itself
      const inner = argumentsOf(tree, first);
      const fn = inner.positional[0] ?? inner.keywords.get("fn");
      declare(
        node,
        inner,
        fn === undefined ? null : functionsOf(names, constants, fn),
        inner.positional[1],
      );
    } else declare(node, given, functionsOf(names, constants, first), second);
  }

  if (!WORD.test(tree.text) && !RUN_TIME_WORDS.test(tree.text)) return { tools, dynamic };
  for (const node of walk(tree.root, DECLARING)) {
    if (node.type === "decorator") decorator(node);
    else if (node.type === "call") call(node);
    dynamic ||= makesTools(names, node) || renamesTools(names, node);
  }
  return { tools, dynamic };
}
