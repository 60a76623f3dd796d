/**
 * The parameters of a tool: by its JSON Schema where its server has listed it, else by the signature
 * in its source.
 *
 * @module
 */
import { chosenField, itemField, type SchemaField } from "../../try/fields.ts";
import type { Schema } from "../../try/schema.ts";
import { kindName } from "../../try/schema_labels.ts";
import { type Docstring, fieldDescription, readType } from "./annotated.ts";
import type { Parameter } from "./signature.ts";

/** One row of a table: a value that a caller gives, with the rows of what is inside it. */
export interface ParameterView {
  name: string;
  type: string;
  required: boolean;
  description: string | null;
  /** As JSON, or as the source has it; null where there is none. */
  defaultValue: string | null;
  choices: string[];
  constraints: string | null;
  members: ParameterView[];
}

const DEPTH_MAX = 4;
const SHORT = 200;
/** Parameters and members that are shown of one tool: a small schema can be made to have many. */
const SHOWN_MAX = 200;

/** A schema, and how many parameters may still be shown of it. */
interface Reading {
  root: Schema;
  left: number;
}

function defaultOf(field: SchemaField): string | null {
  switch (field.kind) {
    case "text":
      return field.initial === "" ? null : JSON.stringify(field.initial).slice(0, SHORT);
    case "number":
    case "boolean":
    case "json":
      return field.initial === "" ? null : field.initial.slice(0, SHORT);
    case "choice":
      return field.initial === "" ? null : field.options[Number(field.initial)]?.label ?? null;
    case "list":
      return field.initial.length === 0 ? null : JSON.stringify(field.initial).slice(0, SHORT);
    default:
      return null;
  }
}

function typeOf(field: SchemaField, root: Schema, depth: number): string {
  switch (field.kind) {
    case "text":
      return "string";
    case "number":
      return field.integer ? "integer" : "number";
    case "list":
      return depth >= DEPTH_MAX
        ? "list"
        : `list of ${typeOf(itemField(field, 0, root, depth), root, depth + 1)}`;
    case "union":
      return field.kinds.slice(0, 6).map(kindName).join(" or ");
    case "json":
      return "any";
    case "choice":
      return "choice";
    default:
      return field.kind;
  }
}

/** The members of a value: of an object, of the items of a list, of the objects of a union. */
function membersOf(field: SchemaField, root: Schema, depth: number): SchemaField[] {
  if (depth >= DEPTH_MAX) return [];
  if (field.kind === "object") return field.fields;
  if (field.kind === "list") return membersOf(itemField(field, 0, root, depth), root, depth + 1);
  if (field.kind !== "union") return [];
  return field.kinds.flatMap((_kind, index) => {
    const chosen = chosenField(field, String(index), root, depth);
    return chosen === null ? [] : membersOf(chosen, root, depth + 1);
  });
}

function nameOf({ path, label }: SchemaField): string {
  const last = path.slice(path.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");
  return last === "" ? label : last;
}

function viewsOf(fields: SchemaField[], reading: Reading, depth: number): ParameterView[] {
  const shown = fields.slice(0, Math.max(reading.left, 0));
  reading.left -= shown.length;
  return shown.map((field) => viewOf(field, reading, depth));
}

function viewOf(field: SchemaField, reading: Reading, depth: number): ParameterView {
  const { root, left } = reading;
  const members = left <= 0 ? [] : membersOf(field, root, depth);
  return {
    name: nameOf(field).slice(0, SHORT),
    type: typeOf(field, root, depth) + (field.nullable ? " or null" : ""),
    required: field.required,
    description: field.description,
    defaultValue: defaultOf(field),
    choices: field.kind === "choice" ? field.options.map(({ label }) => label) : [],
    constraints: field.constraints,
    members: viewsOf(members, reading, depth + 1),
  };
}

/** The parameters that `fields`, those of the schema `root`, show; null where it has no members. */
export function schemaParameters(fields: SchemaField, root: Schema): ParameterView[] | null {
  if (fields.kind !== "object") return null;
  return viewsOf(fields.fields, { root, left: SHOWN_MAX }, 1);
}

/** The parameters of a signature, with what its types and the docstring say of them. */
export function sourceParameters(
  parameters: readonly Parameter[],
  { parameters: described }: Docstring,
): ParameterView[] {
  return parameters.map(({ name, type, defaultValue }) => {
    const read = type === null ? null : readType(type);
    // A default that is a field describes the parameter, and may hold the value.
    const isField = defaultValue !== null && /^Field\s*\(/.test(defaultValue);
    const held = isField ? /\bdefault\s*=\s*([^,)]{1,200})/.exec(defaultValue)?.[1] : null;
    const value = isField ? held?.trim() ?? null : defaultValue;
    return {
      name,
      type: read?.type ?? "any",
      required: value === null,
      description: read?.description ?? (isField ? fieldDescription(defaultValue) : null) ??
        described.get(name) ?? null,
      defaultValue: value,
      choices: read?.choices ?? [],
      constraints: null,
      members: [],
    };
  });
}
