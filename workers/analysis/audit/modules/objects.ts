/**
 * Of which of the project's classes an object is, as far as annotations and calls say, and what the
 * classes say of their fields.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { valuesOf } from "../../python/values/assigned.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { functionFinder } from "../flow/functions.ts";
import { parametersOf } from "../flow/parameters.ts";

/** A class of the project. */
interface OwnClass {
  names: PythonNames;
  node: SyntaxNode;
  bases: string[];
  /** Annotations of fields, by name; `""` for one without, that is given a literal. */
  fields: Map<string, string>;
}

/** Classes by name; several may share one. */
type Classes = ReadonlyMap<string, readonly OwnClass[]>;

const CLASSES = nodeTypes("class_definition");
const ASSIGNED = nodeTypes("assignment");
const LOOPS = ["for_statement", "for_in_clause"];
const COMPREHENSIONS = /_comprehension$|^generator_expression$/;
/** Words of annotations that say how there are values, and not of which kind. */
const FORMS = new Set(
  ("Optional Union None List list Sequence Iterable Iterator Set set FrozenSet frozenset Tuple tuple " +
    "Collection Generator AsyncIterator AsyncGenerator Awaitable typing collections abc Self t")
    .split(" "),
);
const PLAIN = new Set(
  "str int float bool bytes Dict dict Mapping Literal Annotated Field datetime date Enum".split(
    " ",
  ),
);
const LITERAL = /^(string|concatenated_string|integer|float|true|false|none)$/;
/** Calls that give the values which they get. */
const SAME = /^(sorted|list|tuple|set|reversed|iter|next|enumerate|filter|max|min|copy\.copy)$/;
const MAX_HOPS = 6;

function fieldsOf(names: PythonNames, cls: SyntaxNode): Map<string, string> {
  const { tree } = names;
  const fields = new Map<string, string>();
  const body = child(cls, "body");
  for (const statement of body === null ? [] : named(body)) {
    const assigned = statement.type === "expression_statement" ? named(statement)[0] : undefined;
    const left = assigned?.type === "assignment" ? child(assigned, "left") : null;
    if (assigned === undefined || left?.type !== "identifier") continue;
    const type = child(assigned, "type");
    const value = child(assigned, "right");
    if (type !== null) fields.set(textOf(tree, left), textOf(tree, type));
    else if (value !== null && LITERAL.test(value.type)) fields.set(textOf(tree, left), "");
  }
  return fields;
}

/** What modules define as classes, with the fields that are declared in their bodies. */
export function classesOf(modules: Iterable<PythonNames>): Classes {
  const found = new Map<string, OwnClass[]>();
  for (const names of modules) {
    for (const node of walk(names.tree.root, CLASSES)) {
      const name = textOf(names.tree, child(node, "name")!);
      const listed = child(node, "superclasses");
      const bases = (listed === null ? [] : named(listed)).map((each) =>
        textOf(names.tree, each).split(".").at(-1)!
      );
      const list = found.get(name) ?? [];
      found.set(name, list);
      list.push({ names, node, bases, fields: fieldsOf(names, node) });
    }
  }
  return found;
}

/** Words of an annotation, without what strings of a `Literal` say. */
function wordsOf(annotation: string): string[] {
  const plain = annotation.replace(/Literal\[[^\]]*\]/g, "str").replace(/["']/g, "");
  return plain.match(/\b[A-Za-z_]\w*(?:\.\w+)*/g)?.map((each) => each.split(".").at(-1)!) ?? [];
}

/** The classes of an annotation; null where it may say something else. */
function annotated(classes: Classes, annotation: string): OwnClass[] | null {
  const words = wordsOf(annotation).filter((word) => !FORMS.has(word));
  if (words.length === 0 || !words.every((word) => classes.has(word))) return null;
  return words.flatMap((word) => classes.get(word)!);
}

/** Whether an annotation admits nothing that could be a module. */
function admitsText(classes: Classes, annotation: string): boolean {
  return wordsOf(annotation).every((word) =>
    FORMS.has(word) || PLAIN.has(word) || classes.has(word)
  );
}

/** Whether a method sets the field to its own parameter or to a literal, and nothing else does. */
function isSetPlainly({ names, node }: OwnClass, field: string): boolean {
  const given = [...walk(node, ASSIGNED)].filter((each) =>
    textOf(names.tree, child(each, "left")!) === `self.${field}`
  );
  return given.length > 0 && given.every((each) => {
    const value = child(each, "right");
    if (value === null || LITERAL.test(value.type)) return true;
    const around = ancestor(each, "function_definition");
    const written = textOf(names.tree, value);
    if (value.type !== "identifier" || around === null) return false;
    const isParameter = parametersOf(names, around).some(({ name }) => name === written);
    return isParameter && valuesOf(names, value).values.every(({ type }) => LITERAL.test(type));
  });
}

/** Whether a class, or one of which it is made, says that a field is plain, and none says otherwise. */
function saysPlain(classes: Classes, cls: OwnClass, field: string, hops = 0): boolean {
  if (hops > MAX_HOPS) return false;
  const annotation = cls.fields.get(field);
  const { tree, methods, read } = cls.names;
  const name = textOf(tree, child(cls.node, "name")!);
  const computes = [field, "__getattribute__", "__getattr__"];
  if (computes.some((each) => methods.has(`${name}.${each}`))) return false;
  if (read.attributes.has(`${name}.${field}`)) return false;
  if (annotation !== undefined) return admitsText(classes, annotation);
  if (isSetPlainly(cls, field)) return true;
  return cls.bases.some((base) => {
    const found = classes.get(base) ?? [];
    return found.length > 0 && found.every((each) => saysPlain(classes, each, field, hops + 1));
  });
}

/** What is known of the objects of a project. */
export interface ObjectTypes {
  /** Whether an object's class says that this field is plain. */
  hasPlain(names: PythonNames, object: SyntaxNode, field: string): boolean;
}

class Types implements ObjectTypes {
  readonly #find: ReturnType<typeof functionFinder>["find"];

  constructor(modules: ReadonlyMap<string, PythonNames>, readonly classes: Classes) {
    this.#find = functionFinder(modules).find;
  }

  hasPlain(names: PythonNames, object: SyntaxNode, field: string): boolean {
    const found = this.#typeOf(names, object, 0);
    return found !== null && found.every((each) => saysPlain(this.classes, each, field));
  }

  #typeOf(names: PythonNames, node: SyntaxNode, hops: number): OwnClass[] | null {
    if (hops > MAX_HOPS) return null;
    if (node.type === "identifier") return this.#ofName(names, node, hops);
    if (node.type === "call") return this.#ofCall(names, node, hops);
    if (node.type === "attribute") {
      const holders = this.#typeOf(names, child(node, "object")!, hops + 1);
      const field = textOf(names.tree, child(node, "attribute")!);
      return this.#all(holders, (each) => annotated(this.classes, each.fields.get(field) ?? ""));
    }
    const inner = node.type === "subscript" ? child(node, "value") : named(node)[0] ?? null;
    return /^(await|parenthesized_expression|subscript)$/.test(node.type) && inner !== null
      ? this.#typeOf(names, inner, hops + 1)
      : null;
  }

  /** What all of several give; null where one gives nothing that is known. */
  #all<T>(parts: readonly T[] | null, give: (part: T) => OwnClass[] | null): OwnClass[] | null {
    if (parts === null || parts.length === 0) return null;
    const found = parts.map(give);
    return found.includes(null) ? null : found.flatMap((each) => each ?? []);
  }

  #ofCall(names: PythonNames, call: SyntaxNode, hops: number): OwnClass[] | null {
    const callee = child(call, "function")!;
    const written = textOf(names.tree, callee);
    const list = child(call, "arguments");
    const first = list === null ? undefined : named(list)[0];
    if (SAME.test(written)) {
      return first === undefined ? null : this.#typeOf(names, first, hops + 1);
    }
    const cls = this.classes.get(written.split(".").at(-1)!);
    if (cls !== undefined) return [...cls];
    const found = this.#find(names, written);
    const type = found === null ? null : child(found.definition, "return_type");
    return type === null ? null : annotated(this.classes, textOf(found!.names.tree, type));
  }

  #ofName(names: PythonNames, node: SyntaxNode, hops: number): OwnClass[] | null {
    const { tree } = names;
    const name = textOf(tree, node);
    const loop = loopOf(names, node, name);
    if (loop !== null) return this.#typeOf(names, loop, hops + 1);
    const around = ancestor(node, "function_definition");
    if (name === "self") {
      const cls = ancestor(node, "class_definition");
      if (cls === null) return null;
      return this.classes.get(textOf(tree, child(cls, "name")!))
        ?.filter((each) => each.node.number === cls.number && each.names === names) ?? null;
    }
    const { values } = valuesOf(names, node);
    const given = this.#all(values, (each) => this.#typeOf(names, each, hops + 1));
    const parameter = around === null
      ? undefined
      : parametersOf(names, around).find((each) => each.name === name);
    if (parameter === undefined) return valuesOf(names, node).open ? null : given;
    if (values.length > 0 && given === null) return null;
    return annotated(this.classes, parameter.type);
  }
}

/** What the loop around a name goes through, whose variable the name is. */
function loopOf({ tree }: PythonNames, node: SyntaxNode, name: string): SyntaxNode | null {
  for (let up = node.parent; up !== null; up = up.parent) {
    const loops = COMPREHENSIONS.test(up.type)
      ? named(up).filter(({ type }) => LOOPS.includes(type))
      : LOOPS.includes(up.type)
      ? [up]
      : [];
    for (const loop of loops) {
      const left = child(loop, "left");
      const targets = left === null ? [] : left.type === "identifier" ? [left] : named(left);
      const right = child(loop, "right");
      if (right === null || node.number >= right.number && node.end <= right.end) continue;
      if (targets.some((each) => textOf(tree, each) === name)) return right;
    }
    if (up.type === "function_definition") return null;
  }
  return null;
}

/** Reads of which classes objects are. */
export function objectTypes(
  modules: ReadonlyMap<string, PythonNames>,
  classes: Classes,
): ObjectTypes {
  return new Types(modules, classes);
}
