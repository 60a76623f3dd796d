/**
 * Reading a tool's JSON Schema: references, alternatives, and what is said in several places.
 *
 * @module
 */
import { plainNumbers } from "../../protocol/raw_json.ts";
import { isSpent, spend } from "./effort.ts";

/** A schema, as the server sent it: hostile. */
export type Schema = Readonly<Record<string, unknown>>;

const REFERENCES_MAX = 8;
/** Characters of a reference: paths are followed part by part. */
const REFERENCE_MAX = 500;
const ALTERNATIVES_MAX = 20;

/** Whether `value` is an object, as schemas are. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member's name as a part of a JSON Pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The values that a schema allows; null where it names none. */
export function choicesOf(schema: Schema): unknown[] | null {
  if (Array.isArray(schema["enum"])) return schema["enum"];
  return Object.hasOwn(schema, "const") ? [schema["const"]] : null;
}

/** Follows `$ref` within the schema, a few times. */
export function resolve(schema: Schema, root: Schema): Schema {
  let current = schema;
  for (let step = 0; step < REFERENCES_MAX && typeof current["$ref"] === "string"; step++) {
    if (isSpent(root) || current["$ref"].length > REFERENCE_MAX) return {};
    const path = current["$ref"].replace(/^#\/?/, "").split("/").filter((part) => part !== "");
    let found: unknown = root;
    for (const part of path) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      found = isSchema(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    if (!isSchema(found)) return {};
    const { $ref: _ref, ...beside } = current;
    current = { ...found, ...beside };
    spend(root, path.length + Object.keys(current).length);
  }
  return current;
}

/** The schemas in a list such as that of `anyOf`; null where there is none. */
function schemasIn(list: unknown): Schema[] | null {
  return Array.isArray(list)
    ? list.values().filter(isSchema).take(ALTERNATIVES_MAX).toArray()
    : null;
}

/** How much there is to copy of a schema. */
function sizeOf(schema: Schema): number {
  const inner = [schema["properties"], schema["$defs"]].filter(isSchema);
  const { required } = schema;
  return [schema, ...inner].reduce(
    (sum, one) => sum + Object.keys(one).length,
    Array.isArray(required) ? required.length : 0,
  );
}

/** Two schemas that both hold, as far as one can say both; the first when enough was copied. */
function both(a: Schema, b: Schema, root: Schema): Schema {
  if (isSpent(root) || !spend(root, sizeOf(a) + sizeOf(b))) return a;
  const merged: Record<string, unknown> = { ...a, ...b };
  for (const key of ["properties", "$defs"]) {
    const parts = [a[key], b[key]].filter(isSchema);
    if (parts.length === 2) merged[key] = { ...parts[0], ...parts[1] };
  }
  const required = [a["required"], b["required"]].flatMap((one) => Array.isArray(one) ? one : []);
  if (required.length > 0) merged["required"] = required;
  return merged;
}

/** The schema without `$ref` and `allOf` at its top, for a form. */
export function flatten(schema: Schema, root: Schema): Schema {
  const { allOf, ...own } = resolve(schema, root);
  const parts = schemasIn(allOf);
  if (parts === null) return own;
  // The description beside a reference is about this use of it.
  const whole = parts.map((part) => resolve(part, root))
    .reduce((left, right) => both(left, right, root), {});
  return both(whole, own, root);
}

/** The kinds of value that a schema allows: its alternatives, and whether null is one. */
export interface Alternatives {
  kinds: Schema[];
  nullable: boolean;
}

/** The alternatives of a flat schema; a schema without any is its own only one. */
export function alternativesOf(schema: Schema, root: Schema): Alternatives {
  const key = ["anyOf", "oneOf"].find((one) => Array.isArray(schema[one]));
  if (key !== undefined) {
    // Name and default are those of the value, not of one of its kinds.
    const { [key]: list, title: _title, description: _text, default: _default, ...beside } = schema;
    const all = schemasIn(list)!.map((one) => flatten(one, root));
    const kinds = all.filter(({ type }) => type !== "null")
      .map((one) => both(beside, one, root));
    return { kinds, nullable: kinds.length < all.length };
  }
  const { type } = schema;
  if (!Array.isArray(type)) return { kinds: [schema], nullable: false };
  const types = type.slice(0, ALTERNATIVES_MAX)
    .filter((one) => typeof one === "string" && one !== "null");
  const kinds = types.map((one) => ({ ...schema, type: one }));
  return { kinds, nullable: type.includes("null") };
}

const TYPES = new Map<unknown, (value: unknown) => boolean>([
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number"],
  ["integer", Number.isInteger],
  ["boolean", (value) => typeof value === "boolean"],
  ["array", Array.isArray],
  ["object", isSchema],
]);

/** Whether `value` looks like one of `kind`, an alternative: by its type, choices and members. */
export function fits(value: unknown, kind: Schema, root: Schema): boolean {
  const options = choicesOf(kind);
  if (options !== null) {
    return spend(root, options.length) && options.some((one) => plainNumbers(one) === value);
  }
  if (!(TYPES.get(kind["type"])?.(value) ?? true)) return false;
  if (!isSchema(value)) return true;
  const required = Array.isArray(kind["required"]) ? kind["required"] : [];
  if (!spend(root, required.length) || !required.every((one) => Object.hasOwn(value, one))) {
    return false;
  }
  // Objects are often told apart by a member with one value.
  const properties = isSchema(kind["properties"]) ? kind["properties"] : {};
  return Object.entries(value).every(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isSchema(property) || !Object.hasOwn(property, "const") ||
      plainNumbers(property["const"]) === member;
  });
}
