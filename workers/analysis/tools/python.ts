/**
 * Tools of a Python module, in every shape in which public servers declare them.
 *
 * @module
 */
import { plainValue } from "../python/values/assigned.ts";
import { docstringOf } from "../python/values/literals.ts";
import { type PythonNames, resolve } from "../python/names.ts";
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
import { type Given, givenOf, joined, NOTHING_GIVEN } from "./python_given.ts";
import type { Constants, Expression } from "./python_modules.ts";
import { kindOf, registrarOf } from "./python_registrars.ts";
import { isHidden, renamesTools } from "./python_renames.ts";
import { allOf, literalOf } from "./python_rows.ts";
import { makesTools, RUN_TIME_WORDS } from "./python_run_time.ts";
import { stringsOf } from "./python_texts.ts";

const DECLARING = nodeTypes("decorator", "call", "class_definition", "pair", "assignment");

/** A module without this word, or those of `python_run_time.ts`, declares no tool. */
const WORD = /[tT]ool/;

/** Servers whose constructor takes tools. */
const SERVER = /(^|\.)(FastMCP|MCPServer)$/;

function signatureOf(name: string, body: PlacedFunction | null): string {
  if (body === null) return `${name}(…)`;
  const parameters = child(body.node, "parameters");
  const returns = child(body.node, "return_type");
  const list = parameters === null ? "()" : textOf(body.tree, parameters);
  const result = returns === null ? "" : ` -> ${textOf(body.tree, returns)}`;
  return oneLine(`${name}${list}${result}`, 300);
}

/** Collects the tools of one module. */
class PythonTools {
  readonly #names: PythonNames;
  readonly #constants: Constants;
  readonly #tools: ToolDeclaration[] = [];
  #dynamic = false;

  constructor(names: PythonNames, constants: Constants) {
    this.#names = names;
    this.#constants = constants;
  }

  collect(): Declarations {
    const { tree } = this.#names;
    if (WORD.test(tree.text) || RUN_TIME_WORDS.test(tree.text)) {
      for (const node of walk(tree.root, DECLARING)) {
        if (node.type === "decorator") this.#decorator(node);
        else if (node.type === "call") this.#call(node);
        this.#dynamic ||= makesTools(this.#names, this.#constants, node) ||
          renamesTools(this.#names, node);
      }
      if (this.#dynamic) {
        for (const { name, node } of dispatched(this.#names, this.#constants)) {
          this.#declareCase(name, node);
        }
      }
    }
    return { tools: this.#tools, dynamic: this.#dynamic };
  }

  #functionsAt(node: SyntaxNode): Registered[] | null {
    return functionsOf({ names: this.#names, node }, this.#constants);
  }

  #stringsAt(expressions: readonly Expression[]): string[] | null {
    return allOf(expressions, (each) => stringsOf(each, this.#constants));
  }

  #declare(
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
    const strings = given === undefined ? null : this.#stringsAt(given);
    const count = strings?.length ?? registered?.length ?? 0;
    if (count === 0 || (given !== undefined && strings === null)) {
      this.#dynamic = true;
      return;
    }
    if (open) this.#dynamic = true;
    const described = keywords.get("description") ??
      (naming !== undefined && positional[0] === naming && positional[2] !== undefined
        ? [positional[2]]
        : undefined);
    const texts = described === undefined ? null : this.#stringsAt(described);
    const annotations = keywords.get("annotations")?.[0];
    const { tree } = this.#names;
    for (let i = 0; i < count; i++) {
      const body = (registered?.length === 1 ? registered[0] : registered?.[i])?.definition ?? null;
      const name = strings?.[i] ?? registered![i]!.name;
      const literal = texts?.length === count ? texts[i] : texts?.[0];
      this.#tools.push({
        name,
        tree,
        node,
        body: body?.node ?? null,
        bodyTree: body?.tree ?? tree,
        description: literal ??
          (body === null ? null : docstringOf(body.tree.text, child(body.node, "body"))),
        signature: signatureOf(name, body),
        annotations: annotations?.names === this.#names ? annotations.node : null,
      });
    }
  }

  #decorator(node: SyntaxNode): void {
    const { tree } = this.#names;
    const [expression] = named(node);
    if (expression === undefined) return;
    const call = expression.type === "call" ? expression : null;
    const callee = call === null ? expression : child(call, "function");
    if (callee === null) return;
    let registrar = registrarOf(this.#constants, { names: this.#names, node: callee });
    let given = call === null
      ? NOTHING_GIVEN
      : givenOf(this.#constants, { names: this.#names, node: call });
    if (registrar.kind !== "tool" && call !== null) {
      registrar = registrarOf(this.#constants, { names: this.#names, node: call });
      given = NOTHING_GIVEN;
    }
    if (registrar.kind !== "tool") return;
    const definition = node.parent === null ? null : child(node.parent, "definition");
    const name = definition === null ? null : child(definition, "name");
    if (definition?.type !== "function_definition" || name === null) return;
    const all = joined(registrar.bound, given);
    const naming = all.positional[0] ?? all.keywords.get("name")?.[0];
    if (naming === undefined && isHidden(this.#constants, this.#names, node)) this.#dynamic = true;
    this.#declare(
      node,
      all,
      [{ name: textOf(tree, name), definition: { tree, node: definition } }],
      all.positional[0],
    );
  }

  #call(node: SyntaxNode): void {
    const callee = child(node, "function");
    if (callee === null || node.parent?.type === "decorator") return;
    const given = givenOf(this.#constants, { names: this.#names, node });
    const [first, second] = given.positional;
    const handed = given.keywords.get("tools")?.[0];
    if (handed !== undefined && SERVER.test(resolve(this.#names, callee) ?? "")) {
      this.#declare(node, NOTHING_GIVEN, functionsOf(handed, this.#constants), undefined);
    }
    // x.tool(...)(fn)
    if (callee.type === "call") {
      const inner = child(callee, "function");
      const applied = first ?? given.keywords.get("fn")?.[0];
      if (inner === null || applied === undefined) return;
      const registrar = registrarOf(this.#constants, { names: this.#names, node: inner });
      if (registrar.kind !== "tool" || registrar.ready) return;
      const options = joined(
        registrar.bound,
        givenOf(this.#constants, { names: this.#names, node: callee }),
      );
      this.#declare(node, options, this.#functionsAt(applied.node), options.positional[0]);
      return;
    }
    const { kind, bound, ready } = registrarOf(this.#constants, {
      names: this.#names,
      node: callee,
    });
    if (kind === "Tool") return this.#declare(node, given, null, given.positional[0]);
    const target = first ?? (given.keywords.get("fn") ?? given.keywords.get("tool"))?.[0];
    if (target === undefined) return;
    if (kind === "add_tool") return this.#added(node, given, target, second);
    // x.tool(fn, …), but not x.tool("name"), which is the inner part of x.tool("name")(fn).
    const applied = node.parent?.type === "call" && child(node.parent, "function") === node;
    if (kind === "tool" && !applied) {
      if (literalOf(target) !== null) return;
      const all = ready ? bound : joined({ ...bound, positional: [] }, given);
      this.#declare(
        node,
        all,
        functionsOf(target, this.#constants),
        ready ? bound.positional[0] : second,
      );
    }
  }

  /** `add_tool(fn, name=…)`, or a tool object: `add_tool(Tool.from_function(fn, name=…))`. */
  #added(
    node: SyntaxNode,
    given: Given,
    first: Expression,
    second: Expression | undefined,
  ): void {
    const callee = first.node.type === "call" ? child(first.node, "function") : null;
    const made = callee === null ? "" : resolve(first.names, callee) ?? "";
    if (callee !== null && /(^|\.)\w*Tool(\.from_function)?$/.test(made)) {
      if (kindOf(first.names, callee) === "Tool") return; // counted by itself
      const inner = givenOf(this.#constants, first);
      const fn = inner.positional[0] ?? inner.keywords.get("fn")?.[0];
      this.#declare(
        node,
        inner,
        fn === undefined ? null : functionsOf(fn, this.#constants),
        inner.positional[1],
      );
    } else this.#declare(node, given, functionsOf(first, this.#constants), second);
  }

  /** A name that calls are told apart by, where the list cannot be read. */
  #declareCase(name: string, node: SyntaxNode): void {
    const { tree } = this.#names;
    const common = { name, tree, node, description: null, body: null, bodyTree: tree };
    this.#tools.push({ ...common, signature: signatureOf(name, null), annotations: null });
  }
}

/** The tools of one module, in the order in which it declares them. */
export function pythonTools(names: PythonNames, constants: Constants): Declarations {
  return new PythonTools(names, constants).collect();
}
