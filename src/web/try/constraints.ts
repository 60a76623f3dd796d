/**
 * What values must be like, in words.
 *
 * @module
 */
import { formatText } from "./formats.ts";
import type { Schema } from "./schema.ts";

const PATTERN_MAX = 200;

function numberOf(schema: Schema, key: string): number | null {
  const value = schema[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** `from` to `to` of something, where either may be missing. */
function range(from: number | null, to: number | null, what = ""): string | null {
  const unit = what === "" ? "" : ` ${what}`;
  if (from !== null && to !== null) {
    return from === to ? `exactly ${from}${unit}` : `${from} to ${to}${unit}`;
  }
  if (from !== null && from !== 0) return `at least ${from}${unit}`;
  return to === null ? null : `at most ${to}${unit}`;
}

function ofNumber(schema: Schema): (string | null)[] {
  const [above, below] = ["exclusiveMinimum", "exclusiveMaximum"].map((key) =>
    numberOf(schema, key)
  );
  const step = numberOf(schema, "multipleOf");
  return [
    range(numberOf(schema, "minimum"), numberOf(schema, "maximum")),
    above === null ? null : `more than ${above}`,
    below === null ? null : `less than ${below}`,
    step === null ? null : `a multiple of ${step}`,
  ];
}

function ofText(schema: Schema): (string | null)[] {
  const { pattern } = schema;
  return [
    formatText(schema["format"]),
    range(numberOf(schema, "minLength"), numberOf(schema, "maxLength"), "characters"),
    typeof pattern === "string" ? `matches ${pattern.slice(0, PATTERN_MAX)}` : null,
  ];
}

function ofList(schema: Schema): (string | null)[] {
  return [
    range(numberOf(schema, "minItems"), numberOf(schema, "maxItems"), "items"),
    schema["uniqueItems"] === true ? "no item twice" : null,
  ];
}

const PARTS = new Map<unknown, (schema: Schema) => (string | null)[]>([
  ["integer", ofNumber],
  ["number", ofNumber],
  ["string", ofText],
  ["array", ofList],
]);

/** The constraints of a schema, as one line; null where there are none. */
export function constraintsOf(schema: Schema): string | null {
  const said = (PARTS.get(schema["type"])?.(schema) ?? []).filter((one) => one !== null);
  return said.length === 0 ? null : said.join(", ");
}
