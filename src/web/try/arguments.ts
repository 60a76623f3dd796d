/**
 * From what a form sent to a tool's arguments.
 *
 * @module
 */
import { parseExact, rawNumber } from "../../protocol/raw_json.ts";
import { spend } from "./effort.ts";
import { chosenField, itemField, type SchemaField } from "./fields.ts";
import { isModest } from "./modest_json.ts";
import { isSchema, type Schema } from "./schema.ts";

export function controlName(path: string): string {
  return `arg${path}`;
}

/** Name of the control that says how many items a list has. */
export function countName(path: string): string {
  return `count${path}`;
}

/** Name of the control that says of which kind a value is. */
export function kindControl(path: string): string {
  return `kind${path}`;
}

/** Members that an item of a list counts for, beside those of its schema. */
const ITEM_COST = 10;

export interface ReadArguments {
  value: unknown;
  /** Faults by path of the form. */
  faults: Map<string, string>;
}

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const ABSENT = Symbol("absent");
type Read = unknown | typeof ABSENT;

interface Reading {
  form: URLSearchParams;
  root: Schema;
  faults: Map<string, string>;
}

/** The value of a field that was left empty. */
function empty(field: SchemaField, { faults }: Reading): Read {
  if (!field.required) return ABSENT;
  if (field.nullable) return null;
  faults.set(field.path, `${field.label} is required`);
  return ABSENT;
}

function parseModest(text: string): unknown {
  if (!isModest(text)) throw new SyntaxError("Too many values");
  return parseExact(text);
}

function readJson(text: string, field: SchemaField, reading: Reading): Read {
  if (text.trim() === "") return empty(field, reading);
  try {
    return parseModest(text);
  } catch {
    reading.faults.set(field.path, `${field.label} must be valid JSON`);
    return ABSENT;
  }
}

function readNumber(text: string, field: SchemaField & { kind: "number" }, reading: Reading): Read {
  const value = Number(text);
  if (!Number.isFinite(value) || (field.integer && !Number.isInteger(value))) {
    const wanted = field.integer ? "a whole number" : "a number";
    reading.faults.set(field.path, `${field.label} must be ${wanted}`);
    return ABSENT;
  }
  // As it was typed, where JavaScript has another number for it.
  const isRounded = INTEGER.test(text.trim()) && !Number.isSafeInteger(value);
  return isRounded ? rawNumber(text.trim()) : value;
}

/**
 * How many items of a list a form has; `unsaid` where it says nothing of the list. Lists of lists
 * have many: none when the form has taken enough.
 */
export function countOf(
  field: SchemaField & { kind: "list" },
  sent: URLSearchParams | null,
  unsaid: number,
  root: Schema,
): number {
  const asked = Number(sent?.get(countName(field.path)) ?? unsaid);
  const count = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, 0), field.most) : 0;
  return spend(root, count * ITEM_COST) ? count : 0;
}

function readList(
  field: SchemaField & { kind: "list" },
  depth: number,
  reading: Reading,
): Read {
  const items: unknown[] = [];
  const count = countOf(field, reading.form, 0, reading.root);
  for (let index = 0; index < count; index++) {
    const item = readField(itemField(field, index, reading.root, depth), depth + 1, reading);
    // Items that were left empty are left out.
    if (item !== ABSENT) items.push(item);
  }
  if (items.length === 0 && !field.required) return ABSENT;
  return items;
}

function readObject(
  field: SchemaField & { kind: "object" },
  depth: number,
  reading: Reading,
): Read {
  const inner: Reading = { ...reading, faults: new Map() };
  const members = field.fields.map((member) => {
    const name = member.path.slice(field.path.length + 1);
    return [name, readField(member, depth + 1, inner)] as const;
  });
  const given = members.filter(([, value]) => value !== ABSENT);
  // An optional object of which nothing was filled in is left out.
  if (given.length === 0 && !field.required) return ABSENT;
  for (const [path, fault] of inner.faults) reading.faults.set(path, fault);
  return Object.fromEntries(
    given.map(([name, value]) => [name.replaceAll("~1", "/").replaceAll("~0", "~"), value]),
  );
}

function readUnion(
  field: SchemaField & { kind: "union" },
  depth: number,
  reading: Reading,
): Read {
  const sent = reading.form.get(kindControl(field.path)) ?? "";
  const chosen = chosenField(field, sent, reading.root, depth);
  if (chosen === null) return empty(field, reading);
  return readField(chosen, depth + 1, reading);
}

function readField(field: SchemaField, depth: number, reading: Reading): Read {
  if (field.kind === "object") return readObject(field, depth, reading);
  if (field.kind === "list") return readList(field, depth, reading);
  if (field.kind === "union") return readUnion(field, depth, reading);
  const sent = reading.form.get(controlName(field.path));
  const text = (sent ?? "").replaceAll("\r\n", "\n");
  switch (field.kind) {
    case "text":
      // An empty text is a text where one is required.
      if (text === "" && (!field.required || field.nullable)) return empty(field, reading);
      return sent === null ? empty(field, reading) : text;
    case "number":
      return text.trim() === "" ? empty(field, reading) : readNumber(text, field, reading);
    case "boolean":
      if (text === "") return empty(field, reading);
      return text === "true";
    case "choice": {
      const option = /^\d+$/.test(text) ? field.options[Number(text)] : undefined;
      return option === undefined ? empty(field, reading) : option.value;
    }
    case "json":
      return readJson(text, field, reading);
  }
}

/**
 * The arguments that `form` gives for the fields of `schema`. Only what a form needs is checked: what
 * is required, and whether a text is of its type. The tool checks the rest and says what is wrong.
 */
export function readArguments(
  field: SchemaField,
  schema: Schema,
  form: URLSearchParams,
): ReadArguments {
  const faults = new Map<string, string>();
  const read = readField(field, 0, { form, root: schema, faults });
  return { value: read === ABSENT ? {} : read, faults };
}

/** Name of the field that has all arguments as JSON, and its path among faults. */
export const RAW = "raw";

/** Arguments that were given as one piece of JSON. */
export function readRaw(text: string): ReadArguments {
  try {
    const value = parseModest(text);
    if (isSchema(value)) return { value, faults: new Map() };
  } catch {
    // Told below.
  }
  return { value: {}, faults: new Map([[RAW, "Arguments must be a JSON object"]]) };
}
