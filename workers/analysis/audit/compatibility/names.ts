/**
 * What names mean in a module, as the interpreter's restricted profile reads them before it runs
 * one (`workers/python/berth_runtime/profile/names.py`): by the same rules, so that a report says
 * what a session does.
 *
 * @module
 */
import { BINDINGS } from "../../python/bindings.ts";
import { stringValue } from "../../python/values/literals.ts";
import { argumentsOf } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, childrenIn, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const BUILTINS = new Set(["open", "type", "getattr", "__build_class__", "__import__"]);

/** Functions that import a module by its name. */
export const IMPORTERS = new Set([
  "builtins.__import__",
  "importlib.import_module",
  "importlib.__import__",
]);

const MOST_HOPS = 5;

/** An expression without the parentheses around it. */
export function bare(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (at.type === "parenthesized_expression") {
    const [inner] = named(at);
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

/** Parameters and targets of assignments: where a module binds names. */
const BINDING = nodeTypes(
  "function_definition",
  "class_definition",
  ...BINDINGS,
  "parameters",
  "lambda_parameters",
  "import_statement",
  "import_from_statement",
);

const PATTERNS = new Set(["pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"]);
/** What tuples and lists are called where they are expressions, as after `with … as`. */
const GROUPS = new Set(["tuple", "list", "list_splat", "as_pattern_target"]);

/** The names that a target binds, whatever it is nested in. */
function* targets(tree: SourceTree, node: SyntaxNode | null): Generator<string> {
  if (node === null) return;
  const at = bare(node);
  if (at.type === "identifier") yield textOf(tree, at);
  else if (PATTERNS.has(at.type) || GROUPS.has(at.type)) {
    for (const each of named(at)) yield* targets(tree, each);
  }
}

/** The name of a parameter, which may have a type, a default or stars. */
function parameterName(tree: SourceTree, node: SyntaxNode | undefined): string[] {
  if (node === undefined) return [];
  if (node.type === "identifier") return [textOf(tree, node)];
  if (node.type === "typed_parameter" || node.type.endsWith("splat_pattern")) {
    return parameterName(tree, named(node)[0]);
  }
  return [...targets(tree, child(node, "name"))];
}

/** The names of one module: what they stand for, and which the module binds itself. */
export class ProfileNames {
  readonly #imported = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  readonly #bound = new Set<string>();

  constructor(readonly tree: SourceTree) {
    for (const node of walk(tree.root, BINDING)) this.#read(node);
  }

  #bind(names: Iterable<string>): void {
    for (const name of names) this.#bound.add(name);
  }

  #read(node: SyntaxNode): void {
    const { tree } = this;
    switch (node.type) {
      case "import_statement":
      case "import_from_statement":
        return this.#import(node);
      case "parameters":
      case "lambda_parameters":
        return this.#bind(named(node).flatMap((each) => parameterName(tree, each)));
      case "as_pattern":
        if (node.parent?.type === "except_clause") return;
        return this.#bind(targets(tree, child(node, "alias")));
      case "function_definition":
      case "class_definition":
      case "named_expression":
        return this.#bind(targets(tree, child(node, "name")));
      default:
        this.#bind(targets(tree, child(node, "left")));
        if (node.type === "assignment") this.#assign(node);
    }
  }

  #import(node: SyntaxNode): void {
    const { tree } = this;
    const from = child(node, "module_name");
    const module = from === null ? null : textOf(tree, from).replace(/\s/g, "");
    for (const each of childrenIn(node, "name")) {
      const aliased = each.type === "aliased_import";
      const name = textOf(tree, aliased ? child(each, "name")! : each).replace(/\s/g, "");
      const own = aliased ? textOf(tree, child(each, "alias")!) : null;
      const top = name.split(".")[0]!;
      if (module !== null) this.#imported.set(own ?? name, `${module}.${name}`);
      else this.#imported.set(own ?? top, own === null ? top : name);
    }
  }

  /** Takes `name = other.name` as another name of the same. */
  #assign(node: SyntaxNode): void {
    const left = child(node, "left");
    const right = child(node, "right");
    if (left?.type !== "identifier" || right === null) return;
    const name = textOf(this.tree, left);
    const meant = this.#dotted(right);
    if (meant !== null && meant.split(".")[0] !== name) this.#aliases.set(name, meant);
  }

  /** The dotted text of a name or of an attribute chain. */
  #dotted(node: SyntaxNode): string | null {
    const parts: string[] = [];
    let at: SyntaxNode | null = bare(node);
    while (at?.type === "attribute") {
      const name = child(at, "attribute");
      const object = child(at, "object");
      if (name === null || object === null) return null;
      parts.push(textOf(this.tree, name));
      at = bare(object);
    }
    if (at?.type !== "identifier") return null;
    return [textOf(this.tree, at), ...parts.reverse()].join(".");
  }

  /** What a dotted text stands for: what is imported, a built-in, or null. */
  #named(written: string): string | null {
    let text = written;
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      const dot = text.indexOf(".");
      const head = dot < 0 ? text : text.slice(0, dot);
      const rest = text.slice(head.length);
      const imported = this.#imported.get(head);
      if (imported !== undefined) return imported + rest;
      if (head === "__builtins__") return `builtins${rest}`;
      if (BUILTINS.has(head) && !this.#bound.has(head)) return `builtins.${text}`;
      const alias = this.#aliases.get(head);
      if (alias === undefined) return null;
      text = alias + rest;
    }
    return null;
  }

  /** The text of a literal; null for anything else. */
  text(node: SyntaxNode | undefined): string | null {
    return node === undefined ? null : stringValue(this.tree.text, node);
  }

  /** What an expression stands for: `io.open`, `builtins.open`, `pathlib.Path`; null for none. */
  meaning(node: SyntaxNode | null): string | null {
    if (node === null) return null;
    const at = bare(node);
    const text = this.#dotted(at);
    if (text !== null) return this.#named(text);
    if (at.type === "attribute") {
      const name = child(at, "attribute");
      return member(this.meaning(child(at, "object")), name && textOf(this.tree, name));
    }
    if (at.type === "subscript") return this.#item(at);
    return at.type === "call" ? this.#called(at) : null;
  }

  /** What `getattr(module, "name")` and `__import__("module")` stand for. */
  #called(node: SyntaxNode): string | null {
    const function_ = this.meaning(child(node, "function"));
    const { positional: [first, second] } = argumentsOf(this.tree, node);
    if (function_ === "builtins.getattr" && first !== undefined && second !== undefined) {
      return member(this.meaning(first), this.text(second));
    }
    const name = IMPORTERS.has(function_ ?? "") ? this.text(first) : null;
    return name !== null && function_ === "builtins.__import__" ? name.split(".")[0]! : name;
  }

  /** What `sys.modules["name"]` and `__builtins__["name"]` stand for. */
  #item(node: SyntaxNode): string | null {
    const index = childrenIn(node, "subscript");
    if (index.length !== 1) return null;
    const name = this.text(index[0]);
    const owner = this.meaning(child(node, "value"));
    if (owner === "sys.modules") return name;
    return owner === "builtins" ? member(owner, name) : null;
  }
}

function member(owner: string | null, name: string | null): string | null {
  return owner && name ? `${owner}.${name}` : null;
}
