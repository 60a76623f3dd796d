/**
 * Numbers that a form shows and sends as a tool's schema has them, also where JavaScript would
 * change them.
 *
 * @module
 */
import { plainNumbers } from "../../protocol/raw_json.ts";
import { isSchema } from "./schema.ts";

/** Keywords whose values are arguments. Numbers of other keywords are computed with. */
const VALUES = new Set(["default", "enum", "const"]);

/** `plain`, a schema, with the defaults and choices of `exact`, the same read by `parseExact`. */
export function withExactValues(plain: unknown, exact: unknown): unknown {
  if (Array.isArray(plain) && Array.isArray(exact)) {
    return plain.map((item, index) => withExactValues(item, exact[index]));
  }
  if (!isSchema(plain) || !isSchema(exact)) return plain;
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [
      name,
      VALUES.has(name) ? exact[name] : withExactValues(value, exact[name]),
    ]),
  );
}

/** The text of a number, however it stands; null for anything else. */
export function numberText(value: unknown): string | null {
  return typeof plainNumbers(value) === "number" ? JSON.stringify(value) : null;
}
