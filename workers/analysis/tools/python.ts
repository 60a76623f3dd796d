/**
 * Tools of a Python module, in every shape in which public servers declare them.
 *
 * @module
 */
import { plainValue } from "../python/assigned.ts";
import { docstringOf } from "../python/literals.ts";
import { dottedText, firstPart, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import {
  type Declarations,
  oneLine,
  type PlacedFunction,
  type ToolDeclaration,
} from "./declaration.ts";
import { dispatched } from "./python_dispatch.ts";
import { functionsOf, type Registered } from "./python_functions.ts";
import {
  type Given,
  givenBack,
  givenOf,
  joined,
  madeBy,
  NOTHING_GIVEN,
  partialOf,
} from "./python_given.ts";
import type { Constants, Expression } from "./python_modules.ts";
import { isHidden, renamesTools } from "./python_renames.ts";
import { allOf, literalOf } from "./python_rows.ts";
import { makesTools, RUN_TIME_WORDS } from "./python_run_time.ts";
import { stringsOf } from "./python_texts.ts";

const DECLARING = nodeTypes("decorator", "call", "class_definition", "pair", "assignment");

/** Frameworks whose `tool` decorator makes no MCP tool. */
const FOREIGN =
  /^(langchain|langchain_core|langgraph|crewai|smolagents|llama_index|agents|autogen|haystack|pydantic_ai|strands|claude_agent_sdk|google|openai|dspy)(\.|$)/;
/** A module without this word, or those of `python_run_time.ts`, declares no tool. */
const WORD = /[tT]ool/;

/** Servers whose constructor takes tools. */
const SERVER = /(^|\.)(FastMCP|MCPServer)$/;

type Kind = "tool" | "add_tool" | "Tool" | null;

const SDK = /^(mcp|fastmcp|mcp_types)\./;

/** Whether a name is the SDK's, also where the module calls its own server `mcp`. */
function isOfSdk(names: PythonNames, node: SyntaxNode, meant: string | null): boolean {
  const written = dottedText(names.tree, node) ?? "";
  const head = firstPart(written);
  const imported = names.bindings.get(head);
  return SDK.test(meant ?? "") ||
    (imported !== undefined && SDK.test(imported + written.slice(head.length)));
}

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
  return name === "Tool" && isOfSdk(names, callee, meant) ? "Tool" : null;
}

function signatureOf(name: string, body: PlacedFunction | null): string {
  if (body === null) return `${name}(…)`;
  const parameters = child(body.node, "parameters");
  const returns = child(body.node, "return_type");
  const list = parameters === null ? "()" : textOf(body.tree, parameters);
  const result = returns === null ? "" : ` -> ${textOf(body.tree, returns)}`;
  return oneLine(`${name}${list}${result}`, 300);
}

/** What an expression registers with when it is called or decorates: the arguments so far. */
interface Registrar {
  kind: Kind;
  bound: Given;
  /** Whether it waits for nothing but the function. */
  ready: boolean;
}

/** Whether a name may stand for a decorator that was made before. */
function isKept(constants: Constants, names: PythonNames, node: SyntaxNode): boolean {
  const last = node.type === "attribute" ? child(node, "attribute") : node;
  if (last?.type !== "identifier") return false;
  const meant = names.bindings.get(textOf(names.tree, last))?.split(".").at(-1);
  return constants.kept.has(textOf(names.tree, last)) ||
    (meant !== undefined && constants.kept.has(meant));
}

/** What a callee registers: `mcp.tool`, a partial of it, a decorator kept under a name. */
function registrarOf(constants: Constants, { names, node }: Expression, hops = 0): Registrar {
  const kind = kindOf(names, node);
  if (kind !== null || hops > 3) return { kind, bound: NOTHING_GIVEN, ready: false };
  const made = node.type === "call"
    ? givenBack(constants, { names, node })
    : isKept(constants, names, node)
    ? madeBy(constants, { names, node })
    : null;
  const none = { kind: null, bound: NOTHING_GIVEN, ready: false };
  if (made === null) return none;
  const partial = partialOf(constants, made);
  if (partial !== null) {
    const inner = registrarOf(constants, partial.callee, hops + 1);
    return { ...inner, bound: joined(inner.bound, partial.bound) };
  }
  const callee = child(made.node, "function");
  if (callee === null) return none;
  const inner = registrarOf(constants, { names: made.names, node: callee }, hops + 1);
  return inner.kind !== "tool"
    ? none
    : { ...inner, bound: joined(inner.bound, givenOf(constants, made)), ready: true };
}

/** Collects the tools of one module. */
export function pythonTools(names: PythonNames, constants: Constants): Declarations {
  const { tree } = names;
  const tools: ToolDeclaration[] = [];
  let dynamic = false;
  const functionsAt = (node: SyntaxNode) => functionsOf({ names, node }, constants);
  const stringsAt = (expressions: readonly Expression[]) =>
    allOf(expressions, (each) => stringsOf(each, constants));

  function declare(
    node: SyntaxNode,
    { keywords, positional, open }: Given,
    registered: Registered[] | null,
    naming: Expression | undefined,
  ): void {
    const written = naming === undefined ? keywords.get("name") : [naming];
    // `name=None` is as no name.
    const given = written?.every((each) => plainValue(each.node).type === "none")
      ? undefined
      : written;
    const strings = given === undefined ? null : stringsAt(given);
    const count = strings?.length ?? registered?.length ?? 0;
    if (count === 0 || (given !== undefined && strings === null)) {
      dynamic = true;
      return;
    }
    if (open) dynamic = true;
    const described = keywords.get("description") ??
      (naming !== undefined && positional[0] === naming && positional[2] !== undefined
        ? [positional[2]]
        : undefined);
    const texts = described === undefined ? null : stringsAt(described);
    const annotations = keywords.get("annotations")?.[0];
    for (let i = 0; i < count; i++) {
      const body = (registered?.length === 1 ? registered[0] : registered?.[i])?.definition ?? null;
      const name = strings?.[i] ?? registered![i]!.name;
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
        annotations: annotations?.names === names ? annotations.node : null,
      });
    }
  }

  function decorator(node: SyntaxNode): void {
    const [expression] = named(node);
    if (expression === undefined) return;
    const call = expression.type === "call" ? expression : null;
    const callee = call === null ? expression : child(call, "function");
    if (callee === null) return;
    let registrar = registrarOf(constants, { names, node: callee });
    let given = call === null ? NOTHING_GIVEN : givenOf(constants, { names, node: call });
    if (registrar.kind !== "tool" && call !== null) {
      registrar = registrarOf(constants, { names, node: call });
      given = NOTHING_GIVEN;
    }
    if (registrar.kind !== "tool") return;
    const definition = node.parent === null ? null : child(node.parent, "definition");
    const name = definition === null ? null : child(definition, "name");
    if (definition?.type !== "function_definition" || name === null) return;
    const all = joined(registrar.bound, given);
    const naming = all.positional[0] ?? all.keywords.get("name")?.[0];
    if (naming === undefined && isHidden(constants, names, node)) dynamic = true;
    declare(
      node,
      all,
      [{ name: textOf(tree, name), definition: { tree, node: definition } }],
      all.positional[0],
    );
  }

  function call(node: SyntaxNode): void {
    const callee = child(node, "function");
    if (callee === null || node.parent?.type === "decorator") return;
    const given = givenOf(constants, { names, node });
    const [first, second] = given.positional;
    const handed = given.keywords.get("tools")?.[0];
    if (handed !== undefined && SERVER.test(resolve(names, callee) ?? "")) {
      declare(node, NOTHING_GIVEN, functionsOf(handed, constants), undefined);
    }
    // x.tool(...)(fn)
    if (callee.type === "call") {
      const inner = child(callee, "function");
      const applied = first ?? given.keywords.get("fn")?.[0];
      if (inner === null || applied === undefined) return;
      const registrar = registrarOf(constants, { names, node: inner });
      if (registrar.kind !== "tool" || registrar.ready) return;
      const options = joined(registrar.bound, givenOf(constants, { names, node: callee }));
      declare(node, options, functionsAt(applied.node), options.positional[0]);
      return;
    }
    const { kind, bound, ready } = registrarOf(constants, { names, node: callee });
    if (kind === "Tool") return declare(node, given, null, given.positional[0]);
    const target = first ?? (given.keywords.get("fn") ?? given.keywords.get("tool"))?.[0];
    if (target === undefined) return;
    if (kind === "add_tool") return added(node, given, target, second);
    // x.tool(fn, …), but not x.tool("name"), which is the inner part of x.tool("name")(fn).
    const applied = node.parent?.type === "call" && child(node.parent, "function") === node;
    if (kind === "tool" && !applied) {
      if (literalOf(target) !== null) return;
      const all = ready ? bound : joined({ ...bound, positional: [] }, given);
      declare(node, all, functionsOf(target, constants), ready ? bound.positional[0] : second);
    }
  }

  /** `add_tool(fn, name=…)`, or a tool object: `add_tool(Tool.from_function(fn, name=…))`. */
  function added(
    node: SyntaxNode,
    given: Given,
    first: Expression,
    second: Expression | undefined,
  ): void {
    const callee = first.node.type === "call" ? child(first.node, "function") : null;
    const made = callee === null ? "" : resolve(first.names, callee) ?? "";
    if (callee !== null && /(^|\.)\w*Tool(\.from_function)?$/.test(made)) {
      if (kindOf(first.names, callee) === "Tool") return; // counted by itself
      const inner = givenOf(constants, first);
      const fn = inner.positional[0] ?? inner.keywords.get("fn")?.[0];
      declare(
        node,
        inner,
        fn === undefined ? null : functionsOf(fn, constants),
        inner.positional[1],
      );
    } else declare(node, given, functionsOf(first, constants), second);
  }

  if (!WORD.test(tree.text) && !RUN_TIME_WORDS.test(tree.text)) return { tools, dynamic };
  for (const node of walk(tree.root, DECLARING)) {
    if (node.type === "decorator") decorator(node);
    else if (node.type === "call") call(node);
    dynamic ||= makesTools(names, constants, node) || renamesTools(names, node);
  }
  if (dynamic) {
    for (const { name, node } of dispatched(names, constants)) declareCase(name, node);
  }
  return { tools, dynamic };

  /** A name that calls are told apart by, where the list cannot be read. */
  function declareCase(name: string, node: SyntaxNode): void {
    const common = { name, tree, node, description: null, body: null, bodyTree: tree };
    tools.push({ ...common, signature: signatureOf(name, null), annotations: null });
  }
}
