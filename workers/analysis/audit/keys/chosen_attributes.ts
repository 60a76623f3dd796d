/**
 * Attributes of objects that have one of several variables: `self.key = …` in branches that exclude
 * each other, when the object is made. As with names, their labels have one mark together, but only
 * for the object itself: two objects may have different ones.
 *
 * @module
 */
import { cannotReach } from "../../python/values/branches.ts";
import { dottedText, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { Label } from "../flow/scope.ts";
import { isOne, loopAround, marked, OF_OBJECT, type Read, unitsOf } from "./alternatives.ts";

const ATTRIBUTES = nodeTypes("attribute");
const CHOICES = /^(boolean_operator|conditional_expression|parenthesized_expression)$/;
/** What is done with a value, other than to read it. */
const CHANGES =
  /^(augmented_assignment|pattern_list|tuple_pattern|list_pattern|for_statement|for_in_clause|as_pattern_target|delete_statement)$/;
const MAKES_AGAIN = /(?<!super\(\))\.__init__\(/;

/** Whether a method runs once for an object: `__init__`, or what that calls and nothing else. */
function runsOnce(names: PythonNames, method: SyntaxNode, cls: SyntaxNode): boolean {
  const { tree } = names;
  const name = textOf(tree, child(method, "name")!);
  if (MAKES_AGAIN.test(tree.text)) return false;
  if (name === "__init__") return ancestor(method, "class_definition")?.number === cls.number;
  const calls = [...walk(tree.root, ATTRIBUTES)].filter((each) =>
    textOf(tree, child(each, "attribute")!) === name
  );
  const [call] = calls;
  if (calls.length !== 1 || call === undefined || call.field !== "function") return false;
  const from = ancestor(call, "function_definition", "lambda");
  if (from?.type !== "function_definition" || loopAround(call) !== null) return false;
  return textOf(tree, child(from, "name")!) === "__init__" && runsOnce(names, from, cls);
}

/** Whether a value has an attribute itself at most: `self.key or other`, not `self.key + other`. */
function keepsOrReplaces(mention: SyntaxNode, value: SyntaxNode): boolean {
  for (let at = mention; at.number !== value.number; at = at.parent!) {
    if (!CHOICES.test(at.parent!.type)) return false;
  }
  return true;
}

const isIn = (node: SyntaxNode, holder: SyntaxNode): boolean =>
  node.start >= holder.start && node.end <= holder.end;

/** The assignments to an attribute of `self` in a class; null where it is also changed otherwise. */
function assignmentsTo(names: PythonNames, cls: SyntaxNode, dotted: string): SyntaxNode[] | null {
  const mentions = [...walk(cls, ATTRIBUTES)].filter((each) =>
    dottedText(names.tree, each) === dotted
  );
  const found = mentions.flatMap(({ parent, field }) =>
    parent?.type === "assignment" && field === "left" ? [parent] : []
  );
  const isPlain = mentions.every((each) => {
    const { parent, field } = each;
    if (parent !== null && CHANGES.test(parent.type) && field !== "right") return false;
    // `self.key.append(…)`, `self.key["a"] = …`.
    const holds = parent?.type === "subscript" && field === "value" &&
      parent.field === "left";
    if (holds) return false;
    return found.every((by) => {
      const value = child(by, "right");
      return value === null || !isIn(each, value) || keepsOrReplaces(each, value);
    });
  });
  return isPlain ? found : null;
}

/** The labels of what an attribute is given: marked where its object has but one variable in all. */
export function heldByAttribute(
  names: PythonNames,
  by: SyntaxNode,
  labels: Set<Label>,
  read: Read,
): Set<Label> {
  const target = child(by, "left");
  if (by.type !== "assignment" || target?.type !== "attribute") return labels;
  if (unitsOf(labels).length === 0) return labels;
  const dotted = dottedText(names.tree, target);
  const cls = ancestor(by, "class_definition");
  const method = ancestor(by, "function_definition", "lambda");
  if (dotted === null || !/^self\.\w+$/.test(dotted) || cls === null) return labels;
  if (method?.type !== "function_definition" || !runsOnce(names, method, cls)) return labels;
  const all = assignmentsTo(names, cls, dotted);
  if (all === null) return labels;
  const giving = all.filter((each) => {
    const value = child(each, "right");
    return value !== null && (each.number === by.number || unitsOf(read(value)).length > 0);
  });
  const isSingle = giving.every((each, at) =>
    loopAround(each) === null && isOne(names, child(each, "right")!, read) &&
    giving.slice(at + 1).every((later) => cannotReach(each, later))
  );
  const mark = `${OF_OBJECT}${names.tree.path}:${cls.number}:${dotted}`;
  return isSingle ? marked(labels, mark) : labels;
}
