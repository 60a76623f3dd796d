/**
 * What tables of a program's options hold beside its variables (`env`), however a function fills them.
 *
 * @module
 */
import { isParameter, plainValue, valuesOf } from "../../../python/values/assigned.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";

const IDENTIFIERS = nodeTypes("identifier");
const MAX_HOPS = 4;
const VARIABLES = "env";

/** Values, or null where more may be in the table. */
type Values = SyntaxNode[] | null;

/** What is known of own functions that make tables. */
export type TellsNothing = (value: SyntaxNode) => boolean;

function together(all: readonly Values[]): Values {
  return all.includes(null) ? null : all.flatMap((each) => each!);
}

class Tables {
  readonly #names: PythonNames;
  readonly #tellsNothing: TellsNothing;
  readonly #seen = new Set<string>();

  constructor(names: PythonNames, tellsNothing: TellsNothing) {
    this.#names = names;
    this.#tellsNothing = tellsNothing;
  }

  #text(node: SyntaxNode): string {
    return textOf(this.#names.tree, node);
  }

  #isVariables(key: SyntaxNode | null | undefined): boolean {
    return key !== null && key !== undefined &&
      stringValue(this.#names.tree.text, key) === VARIABLES;
  }

  /** Values of an expression that is a table. */
  of(expression: SyntaxNode, hops = 0): Values {
    const node = plainValue(expression);
    if (hops > MAX_HOPS) return null;
    if (node.type === "identifier") return this.#ofName(node, hops);
    if (node.type === "dictionary") {
      return together(
        named(node).filter(({ type }) => type !== "comment").map((pair) => {
          if (pair.type === "dictionary_splat") return this.of(named(pair)[0]!, hops + 1);
          const value = child(pair, "value");
          return value === null ? null : this.#isVariables(child(pair, "key")) ? [] : [value];
        }),
      );
    }
    if (node.type === "conditional_expression") {
      return together([node.children[0]!, node.children.at(-1)!]
        .map((each) => this.of(each, hops + 1)));
    }
    const callee = node.type === "call" ? child(node, "function")! : null;
    if (callee === null) return null;
    if (this.#text(callee) === "dict") return this.#given(node, hops);
    if (callee.type === "attribute" && this.#text(child(callee, "attribute")!) === "copy") {
      return this.of(child(callee, "object")!, hops + 1);
    }
    return this.#tellsNothing(node) ? [] : null;
  }

  /** What `dict(…)` and `table.update(…)` take over. */
  #given(call: SyntaxNode, hops: number): Values {
    const { positional, keywords } = argumentsOf(this.#names.tree, call);
    return together([
      ...positional.map((each) =>
        this.of(each.type === "dictionary_splat" ? named(each)[0]! : each, hops + 1)
      ),
      ...[...keywords].map(([key, value]) => key === VARIABLES ? [] : [value]),
    ]);
  }

  /** What a name's table was made with and given later, in the function that has it. */
  #ofName(node: SyntaxNode, hops: number): Values {
    const name = this.#text(node);
    const around = ancestor(node, "function_definition");
    const key = `${around?.number ?? 0} ${name}`;
    // A table that is made of itself has nothing more.
    if (this.#seen.has(key)) return [];
    this.#seen.add(key);
    const isGiven = isParameter(this.#names, node, name);
    const { values, open } = valuesOf(this.#names, node);
    if (!isGiven && (open || values.length === 0)) return null;
    let hasVariables = values.some((each) =>
      each.type === "dictionary" &&
      named(each).some((pair) => this.#isVariables(child(pair, "key")))
    );
    const all: Values[] = values.map((each) => this.of(each, hops + 1));
    for (const use of walk(around ?? this.#names.tree.root, IDENTIFIERS)) {
      if (this.#text(use) !== name || use.field === "attribute") continue;
      if (this.#isVariables(this.#keySet(use))) hasVariables = true;
      all.push(this.#added(use, hops));
    }
    // What callers say is theirs, unless it is all that there is.
    if (isGiven && !hasVariables) all.push([node]);
    return together(all);
  }

  /** `{**os.environ, **options.pop("env")}`, which is the environment in any case. */
  #joinsAll({ parent }: SyntaxNode): boolean {
    const table = parent?.type === "dictionary_splat" ? parent.parent : null;
    return table?.type === "dictionary" &&
      named(table).some((each) => /^\*\*\s*os\.environ$/.test(this.#text(each)));
  }

  /** The key under which a use of the table's name sets an entry. */
  #keySet({ parent, field }: SyntaxNode): SyntaxNode | null {
    if (parent?.type === "subscript" && field === "value") {
      return parent.field === "left" ? child(parent, "subscript") : null;
    }
    const call = parent?.type === "attribute" && field === "object" ? parent.parent : null;
    return call?.type === "call" && this.#text(child(parent!, "attribute")!) === "setdefault"
      ? argumentsOf(this.#names.tree, call).positional[0] ?? null
      : null;
  }

  /** What a use of the table's name puts into it. */
  #added(use: SyntaxNode, hops: number): Values {
    const { parent, field } = use;
    if (parent?.type === "augmented_assignment" && field === "left") {
      return this.of(child(parent, "right")!, hops + 1);
    }
    const key = this.#keySet(use);
    if (key !== null && this.#isVariables(key)) return [];
    if (parent?.type === "subscript" && field === "value") {
      if (key !== null) return [key, child(parent.parent!, "right")!];
      return this.#isVariables(child(parent, "subscript")) && !isLookedAt(this.#names, parent)
        ? null
        : [];
    }
    const call = parent?.type === "attribute" && field === "object" ? parent.parent : null;
    if (call?.type !== "call" || parent!.field !== "function") return [];
    const method = this.#text(child(parent!, "attribute")!);
    if (/^(items|values|get|pop|popitem|__getitem__)$/.test(method)) {
      const [first] = argumentsOf(this.#names.tree, call).positional;
      const isOther = first !== undefined && !this.#isVariables(first) && first.type === "string";
      return isOther || this.#joinsAll(call) ? [] : null;
    }
    if (method === "update") return this.#given(call, hops);
    return /^(setdefault|__setitem__)$/.test(method)
      ? [...argumentsOf(this.#names.tree, call).positional]
      : [];
  }
}

/** Whether the variables of a program are only looked at, or get more: `options["env"].update(…)`. */
export function isLookedAt({ tree }: PythonNames, variables: SyntaxNode): boolean {
  const { parent, field } = variables;
  if (parent?.type === "comparison_operator") return true;
  if (parent?.type === "subscript" && field === "value") {
    return parent.field === "left" || parent.parent?.type === "delete_statement";
  }
  return parent?.type === "attribute" && parent.parent?.type === "call" &&
    parent.parent.parent?.type === "expression_statement" &&
    /\.(update|setdefault|pop)$/.test(textOf(tree, parent));
}

/** The values of a table of options but for a program's variables; null where more may be in it. */
export function valuesBesides(
  names: PythonNames,
  table: SyntaxNode,
  tellsNothing: TellsNothing,
): SyntaxNode[] | null {
  return new Tables(names, tellsNothing).of(table);
}
