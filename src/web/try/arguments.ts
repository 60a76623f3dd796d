/**
 * From what a form sent to a tool's arguments.
 *
 * @module
 */
import { itemField, type Schema, type SchemaField } from "./schema.ts";

/** Items that a list can have in a form. */
export const ITEMS_MAX = 50;

/** Name of the control of a value. */
export function controlName(path: string): string {
  return `arg${path}`;
}

/** Name of the control that says how many items a list has. */
export function countName(path: string): string {
  return `count${path}`;
}

/** What was read. */
export interface ReadArguments {
  value: unknown;
  /** Faults by path. */
  faults: Map<string, string>;
}

const ABSENT = Symbol("absent");
type Read = unknown | typeof ABSENT;

interface Reading {
  form: URLSearchParams;
  root: Schema;
  faults: Map<string, string>;
}

function missing(field: SchemaField, { faults }: Reading): Read {
  if (field.required) faults.set(field.path, `${field.label} is required`);
  return ABSENT;
}

function readJson(text: string, field: SchemaField, reading: Reading): Read {
  if (text.trim() === "") return missing(field, reading);
  try {
    return JSON.parse(text);
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
  return value;
}

function readList(field: SchemaField & { kind: "list" }, depth: number, reading: Reading): Read {
  const asked = Number(reading.form.get(countName(field.path)) ?? 0);
  const count = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, 0), ITEMS_MAX) : 0;
  const items: unknown[] = [];
  for (let index = 0; index < count; index++) {
    const item = readField(itemField(field, index, reading.root, depth), depth + 1, reading);
    // Items that were left empty are none.
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
  const members = field.fields.map((member) =>
    [member.path.slice(field.path.length + 1), readField(member, depth + 1, inner)] as const
  );
  const given = members.filter(([, value]) => value !== ABSENT);
  // An object that may be absent is, when nothing of it was filled in.
  if (given.length === 0 && !field.required) return ABSENT;
  for (const [path, fault] of inner.faults) reading.faults.set(path, fault);
  return Object.fromEntries(
    given.map(([name, value]) => [name.replaceAll("~1", "/").replaceAll("~0", "~"), value]),
  );
}

function readField(field: SchemaField, depth: number, reading: Reading): Read {
  if (field.kind === "object") return readObject(field, depth, reading);
  if (field.kind === "list") return readList(field, depth, reading);
  const sent = reading.form.get(controlName(field.path));
  const text = (sent ?? "").replaceAll("\r\n", "\n");
  switch (field.kind) {
    case "text":
      // An empty text is a text where one is required.
      if (text === "" && !field.required) return ABSENT;
      return sent === null ? missing(field, reading) : text;
    case "number":
      return text.trim() === "" ? missing(field, reading) : readNumber(text, field, reading);
    case "boolean":
      if (text === "") return missing(field, reading);
      return text === "true";
    case "choice": {
      const option = /^\d+$/.test(text) ? field.options[Number(text)] : undefined;
      return option === undefined ? missing(field, reading) : option.value;
    }
    case "json":
      return readJson(text, field, reading);
  }
}

/** The arguments that `form` gives for the fields of `schema`. */
export function readArguments(
  field: SchemaField,
  schema: Schema,
  form: URLSearchParams,
): ReadArguments {
  const faults = new Map<string, string>();
  const value = readField(field, 0, { form, root: schema, faults });
  return { value: value === ABSENT ? {} : value, faults };
}
