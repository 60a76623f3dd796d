/**
 * Settings that libraries fill from the environment: fields of pydantic's `BaseSettings`.
 *
 * @module
 */
import { foldText } from "../../python/values/folding.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { variableLabel } from "../flow/labels.ts";

const CLASSES = nodeTypes("class_definition");
const NAMED_BY = ["validation_alias", "alias", "env"];
const PREFIX = /env_prefix["']?\s*[=:]\s*["']([A-Za-z0-9_]{0,40})["']/;

/** The variable that fills a field: its alias, else its name behind the prefix. */
function variableOf(names: PythonNames, field: string, value: SyntaxNode | null, prefix: string) {
  const { keywords } = value?.type === "call"
    ? argumentsOf(names.tree, value)
    : { keywords: new Map<string, SyntaxNode>() };
  for (const key of NAMED_BY) {
    const alias = keywords.get(key);
    const text = alias === undefined ? null : foldText(names, alias);
    if (text !== null) return text.toUpperCase();
  }
  return (prefix + field).toUpperCase();
}

/** Fields of a module's settings (`Class.field`), each with the label of its variable. */
export function settingsFields(names: PythonNames): [string, string][] {
  const { tree } = names;
  if (!/Settings\b/.test(tree.text)) return [];
  const found: [string, string][] = [];
  for (const cls of walk(tree.root, CLASSES)) {
    const bases = child(cls, "superclasses");
    const body = child(cls, "body");
    const name = child(cls, "name");
    if (bases === null || body === null || name === null) continue;
    if (!/Settings\b/.test(textOf(tree, bases))) continue;
    const prefix = PREFIX.exec(textOf(tree, body).slice(0, 5000))?.[1] ?? "";
    for (const statement of named(body)) {
      const field = statement.type === "expression_statement" ? named(statement)[0] : statement;
      const left = field?.type === "assignment" ? child(field, "left") : null;
      if (field === undefined || left?.type !== "identifier" || child(field, "type") === null) {
        continue;
      }
      const own = textOf(tree, left);
      const variable = variableOf(names, own, child(field, "right"), prefix);
      found.push([`${textOf(tree, name)}.${own}`, variableLabel(variable)]);
    }
  }
  return found;
}
