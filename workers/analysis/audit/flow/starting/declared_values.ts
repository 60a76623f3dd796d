/**
 * Whether what a parameter, or a field of a class, is declared with leaves its value to the caller: its
 * annotation, its default and the methods of its class may hold a text of the author's in its place.
 *
 * @module
 */
import { calleeOf } from "../../../python/calls/callee.ts";
import { dottedText, type PythonNames, resolve } from "../../../python/names.ts";
import { modulesBeside, placeOf } from "../../../python/values/elsewhere.ts";
import { moduleValues } from "../../../python/values/assigned.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { isHarmlessDefault } from "./defaults.ts";

const CLASSES = nodeTypes("class_definition");
const ALIASES = nodeTypes("type_alias_statement");
const RETURNS = nodeTypes("return_statement");
const WRITES = nodeTypes("assignment", "augmented_assignment", "call", "yield");
const PARTS = nodeTypes("call", "string", "identifier", "attribute", "lambda");
const MAX_HOPS = 6;
/** What an annotation may hold beside types: it describes values, and changes none. */
const DESCRIBES =
  /(^|\.)(Doc|Tag|Discriminator|WithJsonSchema|SkipJsonSchema|Examples|StringConstraints|constr|con(list|int|float|bytes)|(Min|Max)?Len|[GL][te]|Interval|MultipleOf|Strict|Literal|TypeVar|NewType|Meta|Context|CurrentContext)$/;
const FIELD = /(^|\.)(Field|Param|Body|Query|Option|Argument|field|attrib|ib)$/;
/** A quoted annotation that does more than name a type. */
const QUOTED =
  /\bdefault(_factory)?\s*=|\w+Validator\s*\(|\bField\s*\(\s*["'\w]|\bDepends\b|\blambda\b/;
/** Methods by which a class, unasked, decides what its objects are and show. */
const DECIDES =
  /^__(init|new|post_init|getattr|getattribute|getitem|get|set|str|repr|format|iter|call|class_getitem|init_subclass|set_name|get_validators|get_pydantic_core_schema|bytes|fspath|add|radd|mod|index|missing)__$|^model_post_init$/;
const VALIDATES =
  /(^|\.)(field_|model_|root_)?validator$|(^|\.)(validate|post_load|pre_load|field_serializer|model_serializer|computed_field)$/;
const SAME_TEXT = /^[\s()]*(\w+)(\.(l|r)?strip\(\)|\.(lower|upper)\(\))*[\s()]*$/;

interface Placed {
  names: PythonNames;
  node: SyntaxNode;
}

const known = new WeakMap<PythonNames, Map<string, number>>();

/** Classes, and other names for types, that a module defines. */
function typesIn(names: PythonNames): Map<string, number> {
  let found = known.get(names);
  if (found !== undefined) return found;
  known.set(names, found = new Map());
  for (const node of walk(names.tree.root, CLASSES)) {
    const name = child(node, "name");
    if (name !== null) found.set(textOf(names.tree, name), node.number);
  }
  for (const node of walk(names.tree.root, ALIASES)) {
    const [name, value] = named(node);
    if (name !== undefined && value !== undefined) {
      found.set(textOf(names.tree, name).replace(/\[.*/s, ""), value.number);
    }
  }
  return found;
}

/** What the project has under the name of a type; empty for the types of others. */
export function definitions(names: PythonNames, name: SyntaxNode): Placed[] {
  const dotted = dottedText(names.tree, name);
  if (dotted === null) return [];
  const own = typesIn(names).get(dotted);
  if (own !== undefined) return [{ names, node: names.tree.root.numbered(own) }];
  const there = placeOf(names, resolve(names, name) ?? dotted);
  const [module, last] = there ?? [names, dotted];
  const number = typesIn(module).get(last);
  if (number !== undefined) return [{ names: module, node: module.tree.root.numbered(number) }];
  return moduleValues(module, last).values.map((node) => ({ names: module, node }));
}

/** Whether an annotation, wherever its parts are defined, leaves a value as it was given. */
function isPlainType({ names, node }: Placed, field: string | null, hops = 0): boolean {
  if (hops > MAX_HOPS) return false;
  if (node.type === "class_definition") return isPlainClass({ names, node }, field, hops);
  for (const part of walk(node, PARTS)) {
    if (part.type === "lambda") return false;
    if (part.type === "string") {
      if (QUOTED.test(textOf(names.tree, part))) return false;
      const quoted = stringValue(names.tree.text, part);
      const number = quoted === null ? undefined : typesIn(names).get(quoted.trim());
      const quotedType = number === undefined ? null : names.tree.root.numbered(number);
      if (quotedType !== null && !isPlainType({ names, node: quotedType }, field, hops + 1)) {
        return false;
      }
    } else if (part.type === "call") {
      if (!isPlainCall(names, part)) return false;
    } else if (part.parent?.type !== "call" && part.field !== "name" && part.field !== "object") {
      const all = definitions(names, part).filter((each) => each.node.number !== node.number);
      if (!all.every((each) => isPlainType(each, field, hops + 1))) return false;
    }
  }
  return true;
}

/** Whether a call in an annotation describes a value only. */
function isPlainCall(names: PythonNames, call: SyntaxNode): boolean {
  const callee = child(call, "function");
  const name = callee === null
    ? ""
    : calleeOf(names, callee)?.name ?? textOf(names.tree, callee).slice(0, 100);
  return DESCRIBES.test(name) || FIELD.test(name) && isHarmlessDefault(names, call);
}

/** Whether objects of a class hold, in a field or in all, what they were made with. */
function isPlainClass({ names, node }: Placed, field: string | null, hops: number): boolean {
  const { tree } = names;
  const decorated = node.parent?.type === "decorated_definition" ? named(node.parent) : [];
  const changing = decorated.some((each) =>
    each.type === "decorator" &&
    !/^@\s*([\w.]*\.)?(dataclass|define|frozen|s|attrs|final|total_ordering|deprecated)\b/
      .test(textOf(tree, each))
  );
  if (changing || /\bmetaclass\s*=/.test(headOf(names, node))) return false;
  const body = child(node, "body");
  for (const statement of body === null ? [] : named(body)) {
    const inner = statement.type === "expression_statement" ? named(statement)[0] : statement;
    if (inner?.type === "assignment" && !isPlainField(names, inner, field, hops)) return false;
    const method = inner?.type === "decorated_definition" ? child(inner, "definition") : inner;
    if (method?.type === "function_definition" && !isPlainMethod(names, method, field)) {
      return false;
    }
  }
  const bases = child(node, "superclasses");
  return (bases === null ? [] : named(bases)).every((base) =>
    definitions(names, base).every((each) =>
      each.node.number !== node.number && isPlainType(each, field, hops + 1)
    )
  );
}

function headOf(names: PythonNames, cls: SyntaxNode): string {
  const bases = child(cls, "superclasses");
  return bases === null ? "" : textOf(names.tree, bases).slice(0, 500);
}

/** Whether a field, or one that is not asked for, takes its value from the caller. */
function isPlainField(
  names: PythonNames,
  assignment: SyntaxNode,
  field: string | null,
  hops: number,
): boolean {
  const [left, type, right] = ["left", "type", "right"].map((each) => child(assignment, each!));
  if (left?.type !== "identifier") return true;
  const own = textOf(names.tree, left);
  if (own === "model_config" || field !== null && field !== own) return true;
  if (type && !isPlainType({ names, node: type }, null, hops + 1)) return false;
  return !right || isHarmlessDefault(names, right);
}

/** Whether a method leaves the fields of its object alone, unless somebody calls it. */
function isPlainMethod(names: PythonNames, method: SyntaxNode, field: string | null): boolean {
  const { tree } = names;
  const own = textOf(tree, child(method, "name")!);
  if (own === field || DECIDES.test(own)) return false;
  const decorators = method.parent?.type === "decorated_definition"
    ? named(method.parent).filter(({ type }) => type === "decorator")
    : [];
  const validates = decorators.some((each) => {
    const inner = named(each)[0];
    const callee = inner?.type === "call" ? child(inner, "function") : inner;
    return callee !== null && callee !== undefined && VALIDATES.test(textOf(tree, callee));
  });
  if (!validates) return true;
  const parameters = child(method, "parameters");
  const given = (parameters === null ? [] : named(parameters)).map((each) =>
    textOf(tree, each).replace(/[^\w*].*$/s, "")
  );
  const keeps = (value: SyntaxNode | undefined) => {
    const name = value === undefined ? "" : SAME_TEXT.exec(textOf(tree, value))?.[1] ?? "";
    return given.includes(name);
  };
  const body = child(method, "body")!;
  if (![...walk(body, RETURNS)].every((each) => keeps(named(each)[0]))) return false;
  return [...walk(body, WRITES)].every((each) => {
    if (each.type === "call") {
      return !/^(setattr|object\.__setattr__|[\w.]+\.(update|setdefault|insert|append|extend|__setitem__))\(/
        .test(textOf(tree, each));
    }
    const left = child(each, "left");
    const isOther = left?.type === "identifier" && !given.includes(textOf(tree, left));
    return each.type === "assignment" && (isOther || keeps(child(each, "right") ?? undefined));
  });
}

/** The declaration of a function's parameter; null without one. */
function declarationOf(
  names: PythonNames,
  definition: SyntaxNode,
  parameter: string,
): SyntaxNode | null {
  const list = child(definition, "parameters");
  return (list === null ? [] : named(list)).find((each) => {
    const own = each.type === "identifier"
      ? each
      : child(each, "name") ?? named(each).find(({ type }) => type === "identifier");
    return own !== null && own !== undefined && textOf(names.tree, own) === parameter;
  }) ?? null;
}

/** Types of texts and numbers, which nothing can write into. */
const FIXED =
  /^(typing\.|t\.)?(Optional\[)?\s*(str|bytes|int|float|bool)\s*\]?(\s*\|\s*None)?$|^(typing\.)?Annotated\[\s*(str|bytes)\b(?!\s*\|\s*list)/;

/** What the declaration of a parameter says of its values. */
export interface Declared {
  /** Whether the caller's value, or its field, stays what it is. */
  plain: boolean;
  /** Whether it is a text, which nothing can write into. */
  fixed: boolean;
  /** Whether a type is declared. */
  typed: boolean;
}

/** What a function declares of a parameter; of a field of it, if one is read. */
export function declaredOf(
  names: PythonNames,
  definition: SyntaxNode,
  parameter: string,
  field: string | null = null,
): Declared | null {
  const declaration = declarationOf(names, definition, parameter);
  if (declaration === null) return null;
  const type = child(declaration, "type");
  if (type === null) return { plain: true, fixed: false, typed: false };
  const written = textOf(names.tree, type).trim();
  return {
    plain: isPlainType({ names, node: type }, field),
    fixed: FIXED.test(written),
    typed: true,
  };
}

/** Whether every class of the project with a field of that name leaves it to whoever makes an object. */
export function isPlainInAllClasses(names: PythonNames, field: string): boolean {
  const word = new RegExp(`\\b${field.replace(/\W/g, "\\$&")}\\b`);
  return modulesBeside(names).every((module) =>
    !word.test(module.tree.text) ||
    [...walk(module.tree.root, CLASSES)].every((node) =>
      !hasField(module, node, field) || isPlainClass({ names: module, node }, field, 0)
    )
  );
}

/** Whether a class says of a field by itself that it has it. */
function hasField(names: PythonNames, cls: SyntaxNode, field: string): boolean {
  const body = child(cls, "body");
  return (body === null ? [] : named(body)).some((statement) => {
    const inner = statement.type === "expression_statement" ? named(statement)[0] : statement;
    const definition = inner?.type === "decorated_definition" ? child(inner, "definition") : inner;
    const name = inner?.type === "assignment"
      ? child(inner, "left")
      : definition?.type === "function_definition"
      ? child(definition, "name")
      : null;
    return name !== null && textOf(names.tree, name) === field;
  });
}
