/**
 * What values should be like, for people. The tool checks it: here it is only a hint.
 *
 * @module
 */
import type { Schema } from "./schema.ts";

const PATTERN_MAX = 200;

/** Types of inputs that show the format of a text by themselves. */
export const INPUT_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["email", "email"],
  ["uri", "url"],
  ["date", "date"],
]);

/** Bounds by the type of a value: keywords of the least and the most, and their unit. */
const BOUNDS = new Map<unknown, [least: string, most: string, unit: string]>([
  ["integer", ["minimum", "maximum", ""]],
  ["number", ["minimum", "maximum", ""]],
  ["string", ["minLength", "maxLength", "character"]],
  ["array", ["minItems", "maxItems", "item"]],
]);

function counted(count: number, unit: string): string {
  return unit === "" ? String(count) : `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function range(schema: Schema): string | null {
  const [least, most, unit] = BOUNDS.get(schema["type"]) ?? ["", "", ""];
  const limit = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) ? value : null;
  const [from, to] = [limit(schema[least]), limit(schema[most])];
  if (from === null || from === 0) return to === null ? null : `at most ${counted(to, unit)}`;
  if (to === null) return `at least ${counted(from, unit)}`;
  return from === to ? `exactly ${counted(from, unit)}` : `${from} to ${counted(to, unit)}`;
}

/** The constraints of a schema on one line; null where it has none that a form shows. */
export function constraintsOf(schema: Schema): string | null {
  const { format, pattern } = schema;
  const parts = [
    typeof format === "string" && !INPUT_TYPES.has(format)
      ? `format ${format.slice(0, PATTERN_MAX)}`
      : null,
    range(schema),
    typeof pattern === "string" ? `matches ${pattern.slice(0, PATTERN_MAX)}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}
