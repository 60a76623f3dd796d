/**
 * Examples of a tool's arguments and result, made from their schemas.
 *
 * @module
 */
import { plainNumbers } from "../../../protocol/raw_json.ts";
import { chosenField, itemField, type SchemaField } from "../../try/fields.ts";
import type { Schema } from "../../try/schema.ts";
import type { ParameterView } from "./parameters.ts";

const DEPTH_MAX = 4;
/** Optional members of which an example has some, where none is required. */
const OPTIONAL_SHOWN = 2;
/** Values of one example. */
const VALUES_MAX = 100;

/** A schema, and how many values its example may still have. */
interface Making {
  root: Schema;
  left: number;
}

const WORDS: Readonly<Record<string, string>> = {
  email: "name@example.com",
  url: "https://example.com",
  date: "2026-01-31",
};

function numberIn({ integer, initial, attributes }: SchemaField & { kind: "number" }): unknown {
  if (initial !== "") return Number(initial);
  const least = attributes["min"];
  const most = attributes["max"];
  if (least !== undefined) return Number(least);
  if (most !== undefined) return Math.min(1, Number(most));
  return integer ? 1 : 1.5;
}

function memberName(member: SchemaField, { path }: SchemaField): string {
  return member.path.slice(path.length + 1).replaceAll("~1", "/").replaceAll("~0", "~");
}

function membersOf(field: SchemaField & { kind: "object" }, making: Making, depth: number) {
  const required = field.fields.filter((member) => member.required);
  const shown = required.length > 0 ? required : field.fields.slice(0, OPTIONAL_SHOWN);
  return Object.fromEntries(
    shown.map((member) => [memberName(member, field), exampleOf(member, making, depth + 1)]),
  );
}

function exampleOf(field: SchemaField, making: Making, depth: number): unknown {
  const { root } = making;
  const isEnough = --making.left < 0 || depth > DEPTH_MAX;
  switch (field.kind) {
    case "text":
      return field.initial !== "" ? field.initial : WORDS[field.attributes["type"] ?? ""] ?? "text";
    case "number":
      return numberIn(field);
    case "boolean":
      return field.initial !== "false";
    case "choice":
      return plainNumbers(field.options[Number(field.initial)]?.value ?? field.options[0]?.value);
    case "json":
      return {};
    case "list":
      if (field.initial.length > 0) return plainNumbers(field.initial);
      return isEnough ? [] : [exampleOf(itemField(field, 0, root, depth), making, depth + 1)];
    case "union": {
      const chosen = isEnough ? null : chosenField(field, field.initial || "0", root, depth);
      return chosen === null ? null : exampleOf(chosen, making, depth + 1);
    }
    case "object":
      return isEnough ? {} : membersOf(field, making, depth);
  }
}

/** A value that `fields`, those of the schema `root`, allow. */
export function schemaExample(fields: SchemaField, root: Schema): unknown {
  return exampleOf(fields, { root, left: VALUES_MAX }, 0);
}

function valueOf({ type, choices, defaultValue }: ParameterView): unknown {
  if (choices.length > 0) return choices[0];
  if (/^(int|integer)\b/.test(type)) return Number.parseInt(defaultValue ?? "", 10) || 1;
  if (/^(float|number)\b/.test(type)) return Number.parseFloat(defaultValue ?? "") || 1.5;
  if (/^bool/.test(type)) return true;
  if (/^(list|set|tuple|sequence|array)\b|\[\]$/i.test(type)) return [];
  return /^(dict|mapping|record|object)\b/i.test(type) ? {} : "text";
}

/** Arguments for the parameters of a signature. */
export function sourceExample(parameters: readonly ParameterView[]): Record<string, unknown> {
  const required = parameters.filter((one) => one.required);
  const shown = required.length > 0 ? required : parameters.slice(0, OPTIONAL_SHOWN);
  return Object.fromEntries(shown.map((one) => [one.name, valueOf(one)]));
}
