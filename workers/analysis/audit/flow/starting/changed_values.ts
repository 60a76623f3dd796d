/**
 * Whether something writes into a value that a name stands for: `command[0:0] = […]`, `args.code = …`,
 * `command.insert(0, …)`, also by another name for it, or in a function that it is given to.
 *
 * @module
 */
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf, dottedText, type PythonNames } from "../../../python/names.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import { isOwn } from "../../../python/values/assigned.ts";
import { cannotReach } from "../../../python/values/branches.ts";
import { ownParameters } from "../parameters.ts";

/** A function of the project, by the name that a module calls it. */
export type FindDefinition = (
  names: PythonNames,
  name: string,
) => { names: PythonNames; definition: SyntaxNode } | null;

const USES = nodeTypes("identifier", "attribute");
const BINDS = nodeTypes(
  "for_statement",
  "for_in_clause",
  "assignment",
  "as_pattern",
  "case_pattern",
  "import_statement",
  "import_from_statement",
);
const MAX_HOPS = 5;
/** Methods that put something into their object. */
const PUTS =
  /^(append|appendleft|extend|extendleft|insert|insort|add|update|setdefault|write|writelines|writestr|put|put_nowait|push|fromhex|frombytes|fromlist|__(setitem|setattr|iadd|ior|imul|init|setstate|dict|class|call)__|set\w*|fill|replace_\w+|model_construct|maketrans)$/;
/** Methods that give a copy with something else in it, if they are told so. */
const COPIES = /^(model_copy|copy|_replace|evolve|assoc)$/;
/** Functions that write into what they are given. */
const WRITES_INTO =
  /(^|\.)(setattr|__setattr__|setitem|__setitem__|i(add|concat|or|mul|and)|heap\w+|insort\w*|pack_into|memoryview|vars|readinto1?|recv\w*_into|memmove|from_buffer|from_address|delattr|(list|dict|bytearray|deque|array|MutableSequence|MutableMapping)\.(append|extend|insert|update|setdefault|__init__|__iadd__))$/;
const HOLDS =
  /^(list|tuple|set|dictionary|pair|conditional_expression|boolean_operator|parenthesized_expression|named_expression|expression_list|list_splat)$/;
const ROWS =
  /^(pattern_list|tuple_pattern|list_pattern|list_splat_pattern|expression_list|tuple|list)$/;

/** What a name stands for, and what of it is read. */
interface Watched {
  names: PythonNames;
  /** The function, or the module, in which the name has its meaning. */
  within: SyntaxNode;
  /** The name, dotted. */
  name: string;
  /** The entry or field that is read of it; null for all. */
  key: string | null;
}

/** The key that a subscript states; null where it is computed. */
function keyOf(names: PythonNames, subscript: SyntaxNode): string | null {
  const key = child(subscript, "subscript");
  return key === null ? null : stringValue(names.tree.text, key);
}

class Watching {
  readonly #seen = new Set<string>();

  constructor(readonly find: FindDefinition) {}

  isWritten({ names, within, name, key }: Watched, hops = 0): boolean {
    const place = `${names.tree.path}\0${within.number}\0${name}\0${key}`;
    if (this.#seen.has(place)) return false;
    this.#seen.add(place);
    // Whatever goes on from there is not known to be left alone.
    if (hops > MAX_HOPS) return true;
    for (const use of walk(within, USES)) {
      if (dottedText(names.tree, use) !== name || use.parent === null) continue;
      if (use.field === "name" || use.field === "attribute") continue;
      if (this.#writes({ names, within, name, key }, use, hops)) return true;
    }
    return false;
  }

  /** Whether a use of the value writes into it. */
  #writes(watched: Watched, use: SyntaxNode, hops: number): boolean {
    const { names, key } = watched;
    const { tree } = names;
    let at = use;
    let read: string | null | undefined;
    const isOther = () => key !== null && typeof read === "string" && read !== key;
    for (let up = at.parent; up !== null; up = at.parent) {
      if (up.type === "subscript" && at.field === "value") read = read ?? keyOf(names, up);
      else if (up.type === "attribute" && at.field === "object") {
        const method = textOf(tree, child(up, "attribute")!);
        if (up.field === "function" && up.parent?.type === "call") {
          if (isOther()) return false;
          return this.#isWriting(watched, up.parent, method);
        }
        if (PUTS.test(method)) return !isOther();
        read = read ?? method;
      } else if (up.type !== "parenthesized_expression") break;
      at = up;
    }
    if (isOther()) return false;
    return at !== use && isTarget(at) || this.#goesOn(watched, at, hops);
  }

  /** Whether a method puts something into its object. */
  #isWriting({ names, key }: Watched, call: SyntaxNode, method: string): boolean {
    const { positional, keywords } = argumentsOf(names.tree, call);
    if (COPIES.test(method)) return positional.length > 0 || keywords.size > 0;
    if (!PUTS.test(method)) return false;
    const [first] = positional;
    const stated = first === undefined ? null : stringValue(names.tree.text, first);
    const isOther = key !== null && /^(setdefault|__setitem__)$/.test(method) && stated !== null &&
      stated !== key;
    const tells = /^update$/.test(method) && positional.length === 0 && key !== null &&
      !keywords.has(key);
    return !isOther && !tells;
  }

  /** Whether the value is written into by another name that it gets here. */
  #goesOn(watched: Watched, part: SyntaxNode, hops: number): boolean {
    const { names, within, key } = watched;
    let at = part;
    while (at.parent !== null && HOLDS.test(at.parent.type)) at = at.parent;
    const up = at.parent;
    if (up === null) return false;
    // A part that is read goes on by itself.
    const rest = part === at ? key : null;
    if (/^(assignment|named_expression)$/.test(up.type) && at.field !== "left") {
      const target = child(up, "left") ?? child(up, "name");
      return target !== null && this.#aliases(watched, target, rest, hops);
    }
    if (/^(for_statement|for_in_clause)$/.test(up.type) && at.field === "right") {
      const target = child(up, "left");
      return target !== null && this.#aliases(watched, target, null, hops);
    }
    const isKeyword = up.type === "keyword_argument";
    const list = isKeyword ? up.parent : up;
    if (list?.type !== "argument_list" || list.parent === null) return false;
    const callee = child(list.parent, "function");
    if (callee === null) return false;
    const name = calleeOf(names, callee)?.name ?? textOf(names.tree, callee).slice(0, 200);
    const target = this.find(names, name);
    if (target === null) return WRITES_INTO.test(name);
    const parameters = ownParameters(target.names, target.definition);
    const keyword = isKeyword ? textOf(names.tree, child(up, "name")!) : null;
    const given = keyword ?? parameters[named(list).indexOf(at)];
    const body = child(target.definition, "body");
    return given !== undefined && body !== null && body.number !== within.number &&
      this.isWritten({ names: target.names, within: body, name: given, key: rest }, hops + 1);
  }

  #aliases({ names, within }: Watched, target: SyntaxNode, key: string | null, hops: number) {
    const targets = ROWS.test(target.type) ? named(target) : [target];
    return targets.some((each): boolean => {
      const name = dottedText(names.tree, each);
      if (name === null) return false;
      // An object's attribute is everywhere the same.
      const where = each.type === "attribute" ? names.tree.root : within;
      return this.isWritten({ names, within: where, name, key }, hops + 1);
    });
  }
}

/** Whether an expression is assigned to: also in a row, a loop, a block. */
function isTarget(node: SyntaxNode): boolean {
  let at = node;
  while (at.parent !== null && ROWS.test(at.parent.type)) at = at.parent;
  const { parent } = at;
  if (parent === null) return false;
  if (/^(assignment|augmented_assignment|for_statement|for_in_clause)$/.test(parent.type)) {
    return at.field === "left";
  }
  return parent.type === "as_pattern_target" ||
    parent.type === "as_pattern" && at.field === "alias";
}

/** Whether something writes into what a name stands for; of a key, into that entry or field. */
export function isWrittenInto(
  names: PythonNames,
  node: SyntaxNode,
  key: string | null,
  find: FindDefinition,
): boolean {
  const name = dottedText(names.tree, node);
  if (name === null) return true;
  const around = ancestor(node, "function_definition", "lambda");
  const within = around === null ? names.tree.root : outermost(around);
  return new Watching(find).isWritten({ names, within, name, key });
}

/** The function of the module, or of a class, that a function is inside of. */
function outermost(definition: SyntaxNode): SyntaxNode {
  let at = definition;
  for (
    let up = ancestor(at, "function_definition", "lambda");
    up !== null;
    up = ancestor(up, "function_definition", "lambda")
  ) at = up;
  return at;
}

/**
 * What a name is given in a function by loops, rows, blocks and imports, whose values are not told one
 * by one; null for what nothing says.
 */
export function looseValues(names: PythonNames, node: SyntaxNode): (SyntaxNode | null)[] {
  const name = dottedText(names.tree, node);
  const around = ancestor(node, "function_definition", "lambda");
  const found: (SyntaxNode | null)[] = [];
  if (name === null || around === null) return found;
  const isName = (each: SyntaxNode) => dottedText(names.tree, each) === name;
  for (const each of walk(around, BINDS)) {
    if (isOwn(names, name) && cannotReach(each, node)) continue;
    if (/^(as_pattern|case_pattern|import)/.test(each.type)) {
      const bound = [...walk(each, USES)].filter((part) => part.field !== "value" && isName(part));
      const isAlias = bound.some((part) =>
        each.type !== "as_pattern" || part.parent?.type === "as_pattern_target"
      );
      if (isAlias) found.push(null);
      continue;
    }
    const left = child(each, "left");
    const right = child(each, "right");
    if (left === null || !ROWS.test(left.type) && each.type === "assignment") continue;
    const inRow = left.type === "identifier" ? isName(left) : [...walk(left, USES)].some(isName);
    if (!inRow) continue;
    const isMatched = ROWS.test(left.type) && right !== null && ROWS.test(right.type) &&
      named(left).length === named(right).length && !/\*/.test(textOf(names.tree, left));
    if (!isMatched || each.type !== "assignment") found.push(right);
  }
  return found;
}
