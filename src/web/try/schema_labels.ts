/**
 * Labels of a schema and its values.
 *
 * @module
 */
import { choicesOf, isSchema, type Schema } from "./schema.ts";

const CHOICES_MAX = 200;
const TEXT_MAX = 2000;

/** A text that a schema has, cut at `length`; null where it has none. */
export function textOf(value: unknown, length = TEXT_MAX): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, length) : null;
}

/** The values to choose from, where a form can list them. */
export function choices(schema: Schema): unknown[] | null {
  const options = choicesOf(schema);
  return options !== null && options.length <= CHOICES_MAX ? options : null;
}

/** A value as an option's label. */
export function labelOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 200);
}

const KIND_NAMES = new Map<unknown, string>([
  ["string", "text"],
  ["integer", "whole number"],
  ["number", "number"],
  ["boolean", "true or false"],
  ["array", "list"],
  ["object", "object"],
]);

export function kindName(kind: Schema): string {
  const title = textOf(kind["title"], 80);
  if (title !== null) return title;
  const options = choices(kind);
  if (options !== null) return options.slice(0, 4).map(labelOf).join(", ").slice(0, 80);
  const name = KIND_NAMES.get(kind["type"]) ?? "anything";
  const properties = isSchema(kind["properties"]) ? Object.keys(kind["properties"]) : [];
  const members = properties.slice(0, 4).join(", ").slice(0, 80);
  return members === "" ? name : `${name} with ${members}`;
}
