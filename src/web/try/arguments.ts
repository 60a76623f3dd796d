/**
 * From what a form sent to a tool's arguments.
 *
 * @module
 */
import { parseExact, plainNumbers, rawNumber } from "../../protocol/raw_json.ts";
import { spend } from "./effort.ts";
import { chosenField, itemField, type SchemaField } from "./fields.ts";
import { isModest } from "./modest.ts";
import type { Schema } from "./schema.ts";
import { type Fault, validate } from "./validate.ts";

/** Name of the control of a value. */
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

/** What was read. */
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
  /** Labels and paths of fields by the path of their value: items that are left out move others. */
  fields: Map<string, SchemaField>;
  chosen: Map<string, number>;
}

interface Place {
  depth: number;
  /** Path of the value. */
  at: string;
}

/** What a value is that was left empty. */
function empty(field: SchemaField, { faults }: Reading): Read {
  if (!field.required) return ABSENT;
  if (field.nullable) return null;
  faults.set(field.path, `${field.label} is required`);
  return ABSENT;
}

function parseModest(text: string): unknown {
  if (!isModest(text)) throw new SyntaxError("It has more values than a form needs");
  return parseExact(text);
}

function readJson(text: string, field: SchemaField, reading: Reading): Read {
  if (text.trim() === "") return empty(field, reading);
  try {
    return parseModest(text);
  } catch {
    reading.faults.set(field.path, `${field.label} must be JSON`);
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
  { depth, at }: Place,
  reading: Reading,
): Read {
  const items: unknown[] = [];
  const count = countOf(field, reading.form, 0, reading.root);
  for (let index = 0; index < count; index++) {
    const place = { depth: depth + 1, at: `${at}/${items.length}` };
    const item = readField(itemField(field, index, reading.root, depth), place, reading);
    // Items that were left empty are none.
    if (item !== ABSENT) items.push(item);
  }
  if (items.length === 0 && !field.required) return ABSENT;
  return items;
}

function readObject(
  field: SchemaField & { kind: "object" },
  { depth, at }: Place,
  reading: Reading,
): Read {
  const inner: Reading = { ...reading, faults: new Map() };
  const members = field.fields.map((member) => {
    const name = member.path.slice(field.path.length + 1);
    return [name, readField(member, { depth: depth + 1, at: `${at}/${name}` }, inner)] as const;
  });
  const given = members.filter(([, value]) => value !== ABSENT);
  // An object that may be absent is, when nothing of it was filled in.
  if (given.length === 0 && !field.required) return ABSENT;
  for (const [path, fault] of inner.faults) reading.faults.set(path, fault);
  return Object.fromEntries(
    given.map(([name, value]) => [name.replaceAll("~1", "/").replaceAll("~0", "~"), value]),
  );
}

function readUnion(
  field: SchemaField & { kind: "union" },
  place: Place,
  reading: Reading,
): Read {
  const sent = reading.form.get(kindControl(field.path)) ?? "";
  const chosen = chosenField(field, sent, reading.root, place.depth);
  if (chosen === null) return empty(field, reading);
  reading.chosen.set(place.at, Number(sent));
  return readField(chosen, { ...place, depth: place.depth + 1 }, reading);
}

function readField(field: SchemaField, place: Place, reading: Reading): Read {
  reading.fields.set(place.at, field);
  if (field.kind === "object") return readObject(field, place, reading);
  if (field.kind === "list") return readList(field, place, reading);
  if (field.kind === "union") return readUnion(field, place, reading);
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

/** Names of a path below another one, for people. */
function inside(path: string): string {
  const names = path.split("/").slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~").slice(0, 100));
  return names.length === 0 ? "" : `: ${names.join(" → ")}`;
}

/** A fault at the field that has its value, or the nearest around it. */
function place({ path, message }: Fault, fields: ReadonlyMap<string, SchemaField>) {
  let at = path;
  while (!fields.has(at) && at !== "") at = at.slice(0, at.lastIndexOf("/"));
  const field = fields.get(at);
  const label = field?.label ?? "Arguments";
  return [field?.path ?? "", `${label}${inside(path.slice(at.length))} ${message}`] as const;
}

/** The arguments that `form` gives for the fields of `schema`. */
export function readArguments(
  field: SchemaField,
  schema: Schema,
  form: URLSearchParams,
): ReadArguments {
  const faults = new Map<string, string>();
  const reading = { form, root: schema, faults, fields: new Map(), chosen: new Map() };
  const read = readField(field, { depth: 0, at: "" }, reading);
  const value = read === ABSENT ? {} : read;
  if (faults.size === 0) {
    for (const fault of validate(plainNumbers(value), schema, schema, reading.chosen)) {
      const [path, text] = place(fault, reading.fields);
      // The first fault of a value is enough to go on.
      if (!faults.has(path)) faults.set(path, text);
    }
  }
  return { value, faults };
}

/** Name of the field that has all arguments as JSON, and its path among faults. */
export const RAW = "raw";

/** Arguments that were given as one piece of JSON. */
export function readRaw(text: string, schema: Schema): ReadArguments {
  try {
    const value = parseModest(text);
    const found = validate(plainNumbers(value), { type: "object", ...schema }, schema);
    const lines = found.map(({ path, message }) => `Arguments${inside(path)} ${message}`);
    return { value, faults: new Map(lines.length === 0 ? [] : [[RAW, lines.join(". ")]]) };
  } catch {
    return { value: {}, faults: new Map([[RAW, "The arguments must be JSON"]]) };
  }
}
