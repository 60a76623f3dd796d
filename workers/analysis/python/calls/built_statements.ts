/**
 * Statements that SQLAlchemy's functions build: `select(Note).where(Note.title.contains(word))`. What a
 * caller gives them is bound as a value, which the database never reads as SQL. Text that is meant as
 * SQL stands in calls of its own: `text(…)`, `literal_column(…)`, `.op(…)`.
 *
 * @module
 */
import { plainValue, valuesOf } from "../values/assigned.ts";
import { calleeOf } from "./callee.ts";
import { stringValue } from "../values/literals.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const FROM = "^(?:sqlalchemy|sqlmodel)(?:\\.\\w+)*\\.";
const BUILDS = new RegExp(
  `${FROM}(?:select|insert|update|delete|union|union_all|intersect|except_)$`,
);
const COMBINES = new RegExp(
  `${FROM}(?:and_|or_|not_|desc|asc|nulls_?(?:first|last)|exists|distinct|tuple_|col|aliased)$`,
);
const BINDS = new RegExp(`${FROM}(?:func(?:\\.\\w+)+|literal|bindparam|null|true|false)$`);
const TABLE = new RegExp(`${FROM}Table$`);
/** Methods of a statement that take conditions, columns and tables. */
const WITH_CLAUSES =
  /^(where|filter|having|order_by|group_by|join|outerjoin|join_from|select_from|add_columns|with_only_columns|returning|distinct|correlate|union|union_all|intersect|except_)$/;
/** Those that take values, or nothing that is SQL. */
const WITH_VALUES =
  /^(values|filter_by|limit|offset|slice|options|execution_options|with_for_update|subquery|cte|alias|scalar_subquery|exists|on_conflict_do_(update|nothing)|on_duplicate_key_update|ordered_values)$/;
/** Methods of a column that compare it with values. */
const COMPARES =
  /^(i?contains|i?startswith|i?endswith|i?like|not_?i?like|in_|not_?in_?|between|is_|is_?not|is_(not_)?distinct_from|match|regexp_match|any|has|concat)$/;
const SHAPES = /^(desc|asc|nulls_?(first|last)|distinct|label)$/;
/** What makes SQL of a text. */
const RAW =
  /^(text|literal_column|TextClause|column|table|op|bool_op|custom_op|prefix_with|suffix_with|with_hint|with_statement_hint|from_statement|quoted_name|collate|DDL)$/;
const CALLS = nodeTypes("call");
const NAMES = nodeTypes("identifier");
const RETURNS = nodeTypes("return_statement");
const MAX_DEPTH = 16;

/** A function of the project, by the name that a module calls it. */
type Find = (
  names: PythonNames,
  name: string,
) => { names: PythonNames; definition: SyntaxNode } | null;

class Built {
  /** Of what is looked at, until that ends, nothing speaks against it. */
  readonly #known = new Map<string, boolean>();

  constructor(readonly find: Find) {}

  /** Looks at each expression once. */
  #once(kind: string, names: PythonNames, node: SyntaxNode, look: () => boolean): boolean {
    // A name that is given itself with more, again and again, stands for the same each time.
    const held = node.type === "identifier" ? valuesOf(names, node).values : [];
    const what = held.length > 0 ? `of ${held.map((each) => each.number)}` : node.number;
    const key = `${kind} ${names.tree.path} ${what}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, true);
    const found = look();
    this.#known.set(key, found);
    return found;
  }

  statement(names: PythonNames, expression: SyntaxNode, depth = 0): boolean {
    const node = plainValue(expression);
    if (depth > MAX_DEPTH) return false;
    return this.#once("statement", names, node, () => {
      if (node.type === "conditional_expression") {
        return [node.children[0]!, node.children.at(-1)!]
          .every((each) => this.statement(names, each, depth + 1));
      }
      if (node.type === "identifier") {
        const { values, open } = valuesOf(names, node);
        return !open && values.every((each) => this.statement(names, each, depth + 1));
      }
      if (node.type !== "call") return false;
      const { name, method, object, given } = partsOf(names, node);
      const all = [...given.positional, ...given.keywords.values()];
      if (BUILDS.test(name)) return all.every((each) => this.#clause(names, each, depth + 1));
      if (object !== null && this.statement(names, object, depth + 1)) {
        if (WITH_CLAUSES.test(method)) {
          return all.every((each) => this.#clause(names, each, depth + 1));
        }
        return WITH_VALUES.test(method) && all.every((each) => this.#value(names, each, depth + 1));
      }
      return this.#own(names, name, (inner, each) => this.statement(inner, each, depth + 1));
    });
  }

  /** Whether all that a function of the project returns is so; false for any other function. */
  #own(
    names: PythonNames,
    name: string,
    look: (names: PythonNames, node: SyntaxNode) => boolean,
  ): boolean {
    const target = this.find(names, name);
    const body = target === null ? null : child(target.definition, "body");
    if (target === null || body === null) return false;
    const results = [...walk(body, RETURNS)].flatMap(named);
    return results.length > 0 && results.every((each) => look(target.names, each));
  }

  /** A condition, a column or a table, of which no part is a caller's text. */
  #clause(names: PythonNames, expression: SyntaxNode, depth: number): boolean {
    const node = plainValue(expression);
    if (depth > MAX_DEPTH) return false;
    const all = (nodes: readonly SyntaxNode[]) =>
      nodes.every((each) => this.#clause(names, each, depth + 1));
    return this.#once("clause", names, node, () => {
      switch (node.type) {
        case "none":
        case "true":
        case "false":
        case "integer":
          return true;
        case "string":
          return stringValue(names.tree.text, node) !== null;
        case "comparison_operator":
          return named(node).every((each) => this.#value(names, each, depth + 1));
        case "binary_operator":
          return all([child(node, "left"), child(node, "right")].filter((each) => each !== null));
        case "list":
        case "tuple":
        case "unary_operator":
        case "not_operator":
        case "list_splat":
          return all(named(node));
        case "list_comprehension":
        case "generator_expression":
          return all(named(node).slice(0, 1));
        case "conditional_expression":
          return all([node.children[0]!, node.children.at(-1)!]);
        case "attribute":
        case "subscript":
          return this.#clause(names, node.children[0]!, depth + 1);
        case "identifier":
          return this.#ofName(names, node, depth);
        case "call":
          return this.#ofCall(names, node, depth);
        default:
          return false;
      }
    });
  }

  #ofName(names: PythonNames, node: SyntaxNode, depth: number): boolean {
    const name = textOf(names.tree, node);
    const { values, open } = valuesOf(names, node);
    if (values.length === 0) return names.bindings.has(name) || /^[A-Z]\w*[a-z]/.test(name);
    return !open && values.every((each) => this.#clause(names, each, depth + 1)) &&
      !isAddedTo(names, node);
  }

  #ofCall(names: PythonNames, node: SyntaxNode, depth: number): boolean {
    const { name, method, object, given } = partsOf(names, node);
    const all = [...given.positional, ...given.keywords.values()];
    if (BINDS.test(name)) return all.every((each) => this.#value(names, each, depth + 1));
    if (COMBINES.test(name)) return all.every((each) => this.#clause(names, each, depth + 1));
    if (TABLE.test(name) || name === "getattr") return this.#clause(names, all[0]!, depth + 1);
    if (object !== null && (COMPARES.test(method) || SHAPES.test(method))) {
      const isFit = SHAPES.test(method) ? this.#clause : this.#value;
      return this.#clause(names, object, depth + 1) &&
        all.every((each) => isFit.call(this, names, each, depth + 1));
    }
    return this.statement(names, node, depth + 1) ||
      this.#own(names, name, (inner, each) => this.#clause(inner, each, depth + 1));
  }

  /** A value that is bound: none of its parts makes SQL of a text. */
  #value(names: PythonNames, node: SyntaxNode, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    for (const call of walk(node, CALLS)) {
      const { name, method, given } = partsOf(names, call);
      const stated = [...given.positional, ...given.keywords.values()]
        .every((each) => stringValue(names.tree.text, each) !== null);
      if (RAW.test(method || name.split(".").at(-1)!) && !stated) return false;
    }
    return [...walk(node, NAMES)].filter(({ field }) => field !== "attribute").every((each) =>
      this.#once(
        "value",
        names,
        each,
        () => valuesOf(names, each).values.every((value) => this.#value(names, value, depth + 1)),
      )
    );
  }
}

interface Parts {
  name: string;
  /** Of `object.method()`; empty for another call. */
  method: string;
  object: SyntaxNode | null;
  given: CallArguments;
}

function partsOf(names: PythonNames, call: SyntaxNode): Parts {
  const callee = child(call, "function");
  const isMethod = callee?.type === "attribute";
  const method = isMethod ? child(callee, "attribute") : null;
  return {
    name: callee === null ? "" : calleeOf(names, callee)?.name ?? textOf(names.tree, callee),
    method: method === null ? "" : textOf(names.tree, method),
    object: isMethod ? child(callee, "object") : null,
    given: argumentsOf(names.tree, call),
  };
}

/** Whether something is put into a list by its name: of that no value speaks. */
function isAddedTo({ tree }: PythonNames, node: SyntaxNode): boolean {
  const name = textOf(tree, node);
  const around = ancestor(node, "function_definition") ?? tree.root;
  return new RegExp(`\\b${name}\\s*(?:\\.(?:append|extend|insert)\\b|\\[[^\\]]*\\]\\s*=[^=])`)
    .test(textOf(tree, around));
}

/** Whether an expression is a statement that is built of values and of the source's own words. */
export function isBuiltStatement(
  names: PythonNames,
  expression: SyntaxNode,
  find: Find,
): boolean {
  return new Built(find).statement(names, expression);
}
