/**
 * Variables that a settings class of pydantic reads: one for each field, after its name or alias.
 *
 * @module
 */
import { stringValue } from "../../python/values/literals.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { ReadVariable } from "../compatibility/full.ts";

const CLASSES = nodeTypes("class_definition");
const ALIASES = ["validation_alias", "alias", "env"];
const FIELDS_MAX = 100;

function stringArgument(
  { tree }: PythonNames,
  call: SyntaxNode | null,
  names: readonly string[],
): string | null {
  if (call === null || call.type !== "call") return null;
  const { keywords } = argumentsOf(tree, call);
  const given = names.map((name) => keywords.get(name)).find((each) => each !== undefined);
  return given === undefined ? null : stringValue(tree.text, given);
}

/** Assignments at the top of a class. */
function assignments(body: SyntaxNode): SyntaxNode[] {
  return named(body).flatMap((statement) =>
    statement.type === "expression_statement"
      ? named(statement).filter(({ type }) => type === "assignment")
      : []
  );
}

function prefixIn(names: PythonNames, fields: readonly SyntaxNode[]): string {
  for (const each of fields) {
    const left = child(each, "left");
    if (left === null || textOf(names.tree, left) !== "model_config") continue;
    return stringArgument(names, child(each, "right"), ["env_prefix"]) ?? "";
  }
  return "";
}

/** Whether a field has no value of its own: none, or `Field(...)` with dots. */
function isRequired(names: PythonNames, right: SyntaxNode | null): boolean {
  if (right === null) return true;
  if (right.type !== "call") return false;
  const { positional, keywords } = argumentsOf(names.tree, right);
  if (keywords.has("default") || keywords.has("default_factory")) return false;
  return positional[0] === undefined || positional[0].type === "ellipsis";
}

/** Variables of the settings classes of a module. */
export function* settingsVariables(names: PythonNames): Generator<ReadVariable> {
  for (const cls of walk(names.tree.root, CLASSES)) {
    const bases = child(cls, "superclasses");
    const body = child(cls, "body");
    if (bases === null || body === null) continue;
    if (!/\bBaseSettings\b/.test(textOf(names.tree, bases))) continue;
    const fields = assignments(body).slice(0, FIELDS_MAX);
    const prefix = prefixIn(names, fields);
    for (const field of fields) {
      const [left, right] = [child(field, "left"), child(field, "right")];
      if (left === null || child(field, "type") === null || left.type !== "identifier") continue;
      const own = stringArgument(names, right, ALIASES);
      const name = own ?? (prefix + textOf(names.tree, left)).toUpperCase();
      if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) continue;
      const description = stringArgument(names, right, ["description"]);
      yield {
        name,
        required: isRequired(names, right),
        ...(description === null ? {} : { description: description.slice(0, 500) }),
        file: names.tree.path,
        line: names.tree.lineAt(field.start),
      };
    }
  }
}
