/**
 * Checks arguments against a tool's JSON Schema before the tool is called. Lenient where a keyword
 * is not known: the tool decides.
 *
 * @module
 */
import { formatText, hasFormat } from "./formats.ts";
import { plainNumbers } from "../../protocol/raw_json.ts";
import { spend, spendMatching, spendOn, spendText } from "./effort.ts";
import { matches } from "./patterns.ts";
import { choicesOf, flatten, isSchema, pointerPart, type Schema, schemasIn } from "./schema.ts";

/** What is wrong with a value; `path` as in a JSON Pointer. */
export interface Fault {
  path: string;
  /** Goes on after the value's name: `must be at least 3`. */
  message: string;
}

/** Which alternative was chosen at a path; its faults are told, not another's. */
export type Chosen = ReadonlyMap<string, number>;

const FAULTS_MAX = 30;
const DEPTH_MAX = 40;
const TYPES_MAX = 20;
/** How much longer than a look at it a check of a text's format takes. */
const FORMAT_EFFORT = 4;
/** Items that are compared with each other, and characters of a text whose format is checked. */
const COMPARED_MAX = 100;
const FORMAT_MAX = 4096;

interface Checking {
  root: Schema;
  chosen: Chosen;
}

interface Here {
  path: string;
  depth: number;
  checking: Checking;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, index) => isSame(one, b[index]));
  }
  if (!isSchema(a) || !isSchema(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}

const TYPES: Record<string, [name: string, check: (value: unknown) => boolean]> = {
  string: ["a text", (value) => typeof value === "string"],
  number: ["a number", (value) => typeof value === "number"],
  integer: ["a whole number", (value) => Number.isInteger(value)],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  null: ["null", (value) => value === null],
  array: ["a list", (value) => Array.isArray(value)],
  object: ["an object", (value) => isSchema(value)],
};

function checkType(value: unknown, { type }: Schema): string | null {
  const types = (Array.isArray(type) ? type.slice(0, TYPES_MAX) : [type]).filter((one) =>
    typeof one === "string" && Object.hasOwn(TYPES, one)
  ) as string[];
  if (types.length === 0 || types.some((one) => TYPES[one]![1](value))) return null;
  return `must be ${types.map((one) => TYPES[one]![0]).join(" or ")}`;
}

function checkChoice(value: unknown, schema: Schema, { root }: Checking): string | null {
  const options = choicesOf(schema);
  if (options === null || !spendOn(root, options)) return null;
  if (options.some((one) => isSame(plainNumbers(one), value))) return null;
  const shown = options.slice(0, 10).map((one) => JSON.stringify(one)).join(", ").slice(0, 300);
  return options.length === 1 ? `must be ${shown}` : `must be one of ${shown}`;
}

/** The messages of bounds that `actual` is beyond. */
function bounds(
  schema: Schema,
  actual: number,
  rules: [keyword: string, isBeyond: (limit: number) => boolean, say: string][],
): string[] {
  return rules.flatMap(([keyword, isBeyond, say]) => {
    const limit = schema[keyword];
    if (typeof limit !== "number" || !isBeyond(limit)) return [];
    return [say.replace("%", String(limit)).replace("#", String(actual))];
  });
}

function checkNumber(value: number, schema: Schema): string[] {
  const isOff = (step: number) => {
    const ratio = value / step;
    // Tenths have no exact ratio in binary.
    return step > 0 && Math.abs(ratio - Math.round(ratio)) > 1e-9 * Math.max(1, Math.abs(ratio));
  };
  return bounds(schema, value, [
    ["minimum", (limit) => value < limit, "must be at least %"],
    ["maximum", (limit) => value > limit, "must be at most %"],
    ["exclusiveMinimum", (limit) => value <= limit, "must be more than %"],
    ["exclusiveMaximum", (limit) => value >= limit, "must be less than %"],
    ["multipleOf", isOff, "must be a multiple of %"],
  ]);
}

function checkText(value: string, schema: Schema, checking: Checking): string[] {
  if (!spendText(checking.root, value)) return [];
  const length = [...value].length;
  const faults = bounds(schema, length, [
    ["minLength", (limit) => length < limit, "must have at least % characters: it has #"],
    ["maxLength", (limit) => length > limit, "must have at most % characters: it has #"],
  ]);
  const { pattern, format } = schema;
  const afford = (work: number) => spendMatching(checking.root, work);
  if (typeof pattern === "string" && matches(pattern, value, afford) === false) {
    faults.push(`must match ${pattern.slice(0, 200)}`);
  }
  const isChecked = typeof format === "string" && length <= FORMAT_MAX &&
    spendText(checking.root, value, FORMAT_EFFORT);
  if (isChecked && !hasFormat(value, format)) {
    faults.push(`must be ${formatText(format)}`);
  }
  return faults;
}

function checkList(value: readonly unknown[], schema: Schema, here: Here): Fault[] {
  const faults = bounds(schema, value.length, [
    ["minItems", (limit) => value.length < limit, "must have at least % items: it has #"],
    ["maxItems", (limit) => value.length > limit, "must have at most % items: it has #"],
  ]);
  const compared = value.slice(0, COMPARED_MAX);
  // Each with half of the others.
  const isCompared = schema["uniqueItems"] === true &&
    spendOn(here.checking.root, compared, Math.ceil(compared.length / 2));
  if (isCompared) {
    const twice = compared.findIndex((one, index) =>
      compared.slice(0, index).some((other) => isSame(one, other))
    );
    if (twice >= 0) faults.push(`must not have an item twice: number ${twice + 1} is one`);
  }
  const first = schemasIn(schema["prefixItems"]) ?? [];
  const items = value.flatMap((item, index) =>
    check(item, first[index] ?? schema["items"], below(here, String(index)))
  );
  return [...faults.map((message) => ({ path: here.path, message })), ...items];
}

function checkObject(value: Schema, schema: Schema, here: Here): Fault[] {
  const faults: Fault[] = [];
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  const others = schema["additionalProperties"];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const names = Object.keys(value);
  if (!spend(here.checking.root, required.length + names.length)) return [];
  for (const name of required) {
    if (faults.length === FAULTS_MAX) break;
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    faults.push({ path: below(here, name).path, message: "is required" });
  }
  for (
    const message of bounds(schema, names.length, [
      ["minProperties", (limit) => names.length < limit, "must have at least % members: it has #"],
      ["maxProperties", (limit) => names.length > limit, "must have at most % members: it has #"],
    ])
  ) faults.push({ path: here.path, message });
  for (const [name, member] of Object.entries(value)) {
    const inner = below(here, name);
    if (Object.hasOwn(properties, name)) {
      faults.push(...check(member, properties[name], inner));
    } else if (schema["patternProperties"] === undefined) {
      if (others === false) faults.push({ path: inner.path, message: "is not known to the tool" });
      else faults.push(...check(member, others, inner));
    }
  }
  return faults;
}

function below(here: Here, name: string): Here {
  return { ...here, path: `${here.path}/${pointerPart(name)}`, depth: here.depth + 1 };
}

/** The alternatives: at least one must hold, of `oneOf` no second one. */
function checkAlternatives(value: unknown, schema: Schema, here: Here): Fault[] {
  const { path, checking } = here;
  return ["anyOf", "oneOf"].flatMap((keyword) => {
    const kinds = schemasIn(schema[keyword]);
    if (kinds === null || kinds.length === 0) return [];
    const inner = { ...here, depth: here.depth + 1 };
    const found = kinds.map((kind) => check(value, kind, inner));
    const fitting = found.filter((faults) => faults.length === 0).length;
    if (keyword === "oneOf" && fitting > 1) {
      return [{ path, message: `must be of one kind: it is of ${fitting}` }];
    }
    if (fitting > 0) return [];
    const real = found.flatMap((faults, index) => {
      const kind = flatten(kinds[index]!, checking.root);
      // Null is no kind to choose in the form.
      if (kind["type"] === "null") return [];
      return [{ faults, isOther: checkType(value, kind) !== null }];
    });
    const chosen = real[checking.chosen.get(path) ?? -1];
    // Else that which it seems to be meant for.
    const nearest = real.toSorted((a, b) =>
      Number(a.isOther) - Number(b.isOther) || a.faults.length - b.faults.length
    )[0];
    return (chosen ?? nearest)?.faults ?? [{ path, message: "must be null" }];
  });
}

/** What `value` breaks of `given`; what is no schema breaks nothing, but `false` forbids all. */
function check(value: unknown, given: unknown, here: Here): Fault[] {
  const { path, depth, checking } = here;
  if (given === false) return [{ path, message: "is not allowed" }];
  const { root } = checking;
  if (!isSchema(given) || depth > DEPTH_MAX || !spend(root, 1)) return [];
  const schema = flatten(given, root);
  if (!spend(root, Object.keys(schema).length)) return [];
  const kind = checkType(value, schema) ?? checkChoice(value, schema, checking);
  if (kind !== null) return [{ path, message: kind }];
  const messages = typeof value === "number"
    ? checkNumber(value, schema)
    : typeof value === "string"
    ? checkText(value, schema, checking)
    : [];
  return [
    ...messages.map((message) => ({ path, message })),
    ...Array.isArray(value) ? checkList(value, schema, here) : [],
    ...isSchema(value) ? checkObject(value, schema, here) : [],
    ...checkAlternatives(value, schema, here),
  ].slice(0, FAULTS_MAX);
}

/** What is wrong with `value`, by a schema within `root`; empty when nothing is. */
export function validate(
  value: unknown,
  schema: Schema,
  root: Schema,
  chosen: Chosen = new Map(),
): Fault[] {
  const checking = { root, chosen };
  return check(value, schema, { path: "", depth: 0, checking }).slice(0, FAULTS_MAX);
}
