/**
 * From a tool's JSON Schema to fields that a form can have. What has no field of its own is given as
 * JSON.
 *
 * @module
 */
import { plainNumbers } from "../../protocol/raw_json.ts";
import { spend, spendOn } from "./effort.ts";
import { constraintsOf, INPUT_TYPES } from "./constraints.ts";
import { numberText } from "./exact_values.ts";
import { alternativesOf, fits, flatten, isSchema, pointerPart, type Schema } from "./schema.ts";
import { choices, labelOf, textOf } from "./schema_labels.ts";

/** What every field has. */
interface Common {
  /** Path of the value: `/address/street`. */
  path: string;
  label: string;
  description: string | null;
  /** What values should be like, for people; null where the schema does not say. */
  constraints: string | null;
  required: boolean;
  /** Whether null is a value; what is required and left empty then is null. */
  nullable: boolean;
}

/** A form control for one value of a tool's input, by its JSON Schema. */
export type SchemaField =
  | Common & { kind: "text"; lines: number; attributes: Record<string, string>; initial: string }
  | Common & {
    kind: "number";
    integer: boolean;
    attributes: Record<string, string>;
    initial: string;
  }
  | Common & { kind: "boolean"; initial: string }
  | Common & { kind: "choice"; options: { label: string; value: unknown }[]; initial: string }
  | Common & { kind: "object"; fields: SchemaField[] }
  | Common & { kind: "list"; item: Schema; count: number; most: number; initial: unknown[] }
  /** One of several kinds, which is chosen first. */
  | Common & { kind: "union"; kinds: Schema[]; initial: string; given: unknown }
  | Common & { kind: "json"; initial: string; because: string };

const DEPTH_MAX = 5;
const FIELDS_MAX = 200;
/** Items that a list can have in a form, and empty ones that it begins with: lists nest. */
const ITEMS_MAX = 50;
const EMPTY_ITEMS_MAX = 3;

function json(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

function limits(schema: Schema, names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => {
      const value = schema[from];
      return typeof value === "number" && Number.isFinite(value) ? [[to, String(value)]] : [];
    }),
  );
}

/** A budget of fields for the whole form. */
interface Budget {
  left: number;
}

interface Place {
  path: string;
  label: string;
  required: boolean;
  depth: number;
  budget: Budget;
  root: Schema;
  /** Value that is there already. */
  given?: unknown;
}

function textField(schema: Schema, common: Common, initial: unknown): SchemaField {
  const value = typeof initial === "string" ? initial : "";
  const limited = limits(schema, { minLength: "minlength", maxLength: "maxlength" });
  const short = typeof schema["maxLength"] === "number" && schema["maxLength"] <= 80 ||
    typeof schema["pattern"] === "string" || typeof schema["format"] === "string";
  const type = INPUT_TYPES.get(schema["format"]);
  return {
    ...common,
    kind: "text",
    lines: short ? 1 : value.includes("\n") || value.length > 60 ? 5 : 2,
    attributes: { ...limited, ...(type === undefined ? {} : { type }) },
    initial: value,
  };
}

function commonOf(schema: Schema, { path, label, required }: Place, nullable: boolean): Common {
  return {
    path,
    label: textOf(label, 200) ?? textOf(schema["title"], 200) ?? "value",
    description: textOf(schema["description"]),
    constraints: constraintsOf(schema),
    required,
    nullable,
  };
}

/** A field of a form that has taken as much as it may: given as JSON. */
function leftOut(place: Place): SchemaField {
  const common = commonOf({}, place, false);
  return { ...common, kind: "json", initial: "", because: "the form is too long" };
}

export function fieldOf(given: Schema, place: Place): SchemaField {
  const { root, budget } = place;
  if (!spend(root, 1)) return leftOut(place);
  const flat = flatten(given, root);
  const { kinds, nullable } = alternativesOf(flat, root);
  const members = [flat, ...kinds].reduce((sum, one) => sum + Object.keys(one).length, 0);
  const initial = place.given === undefined ? flat["default"] : place.given;
  if (!spend(root, members) || !spendOn(root, initial)) return leftOut(place);
  if (kinds.length === 1) {
    const field = kindField(kinds[0]!, { ...place, given: initial }, nullable);
    // What the schema says of all alternatives, the only one included.
    return { ...field, description: textOf(flat["description"]) ?? field.description };
  }
  const common = commonOf(flat, place, nullable);
  if (kinds.length === 0 || --budget.left < 0 || place.depth >= DEPTH_MAX) {
    const because = kinds.length === 0 ? "any value is allowed" : "the form is too long";
    return { ...common, kind: "json", initial: json(initial), because };
  }
  const plain = plainNumbers(initial);
  const fitting = kinds.findIndex((kind) => fits(plain, kind, root));
  const first = common.required && !nullable ? "0" : "";
  return {
    ...common,
    kind: "union",
    kinds,
    initial: initial === undefined || fitting < 0 ? first : String(fitting),
    given: initial,
  };
}

function kindField(schema: Schema, place: Place, nullable: boolean): SchemaField {
  const { depth, budget, given: initial } = place;
  const common = commonOf(schema, place, nullable);
  const asJson = (because: string): SchemaField => ({
    ...common,
    kind: "json",
    initial: json(initial),
    because,
  });
  if (--budget.left < 0) return asJson("the form is too long");
  const options = choices(schema);
  if (options !== null && spendOn(place.root, options)) {
    const wanted = JSON.stringify(initial);
    const chosen = options.findIndex((one) => JSON.stringify(one) === wanted);
    return {
      ...common,
      kind: "choice",
      options: options.map((value) => ({ label: labelOf(value), value })),
      initial: chosen < 0 ? "" : String(chosen),
    };
  }
  switch (schema["type"]) {
    case "string":
      return textField(schema, common, initial);
    case "integer":
    case "number":
      return {
        ...common,
        kind: "number",
        integer: schema["type"] === "integer",
        attributes: limits(schema, { minimum: "min", maximum: "max" }),
        initial: numberText(initial) ?? "",
      };
    case "boolean":
      return {
        ...common,
        kind: "boolean",
        initial: typeof initial === "boolean" ? String(initial) : "",
      };
    case "array": {
      const items = isSchema(schema["items"]) ? schema["items"] : null;
      if (items === null || depth >= DEPTH_MAX) return asJson("its items can be of any type");
      const list = Array.isArray(initial) ? initial.slice(0, ITEMS_MAX) : [];
      const bound = (key: string, other: number) =>
        Number.isSafeInteger(schema[key]) ? Math.max(0, schema[key] as number) : other;
      const most = Math.min(bound("maxItems", ITEMS_MAX), ITEMS_MAX);
      const least = common.required ? Math.min(bound("minItems", 0), most, EMPTY_ITEMS_MAX) : 0;
      const count = Math.max(list.length, least);
      return { ...common, kind: "list", item: items, count, most, initial: list };
    }
    case "object":
      return objectField(schema, common, place, asJson);
    default:
      return asJson("it can be of several types");
  }
}

function objectField(
  schema: Schema,
  common: Common,
  place: Place,
  asJson: (because: string) => SchemaField,
): SchemaField {
  const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  if (properties.length === 0) return asJson("its members can be of any type");
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (!spend(place.root, properties.length + required.length)) return leftOut(place);
  if (place.depth >= DEPTH_MAX || properties.length > FIELDS_MAX) return asJson("it is too deep");
  const needed = new Set<unknown>(required);
  const given = isSchema(place.given) ? place.given : {};
  const fields = properties.map(([name, property]) =>
    fieldOf(isSchema(property) ? property : {}, {
      path: `${place.path}/${pointerPart(name)}`,
      label: name,
      required: needed.has(name),
      depth: place.depth + 1,
      budget: place.budget,
      root: place.root,
      ...(Object.hasOwn(given, name) ? { given: given[name] } : {}),
    })
  );
  return { ...common, kind: "object", fields };
}

/** The fields of a tool's arguments. Always an object, or JSON. */
export function argumentFields(schema: Schema): SchemaField {
  const common = { path: "", label: "Arguments", required: true };
  const flat = flatten(schema, schema);
  const properties = flat["properties"];
  const isEmpty = properties === undefined ||
    isSchema(properties) && Object.keys(properties).length === 0;
  if (isEmpty && alternativesOf(flat, schema).kinds.length === 1) {
    const none = { description: null, constraints: null, nullable: false };
    return { ...common, ...none, kind: "object", fields: [] };
  }
  const place = { ...common, depth: 0, budget: { left: FIELDS_MAX }, root: schema };
  return fieldOf({ ...flat, type: "object" }, place);
}

/** The field of item `index` of a list. */
export function itemField(
  list: SchemaField & { kind: "list" },
  index: number,
  root: Schema,
  depth: number,
): SchemaField {
  const given = list.initial[index];
  return fieldOf(list.item, {
    path: `${list.path}/${index}`,
    label: `${list.label} ${index + 1}`,
    required: false,
    depth: depth + 1,
    budget: { left: FIELDS_MAX },
    root,
    ...(given === undefined ? {} : { given }),
  });
}

/** The field of the alternative that was chosen; null when none was. */
export function chosenField(
  union: SchemaField & { kind: "union" },
  chosen: string,
  root: Schema,
  depth: number,
): SchemaField | null {
  const kind = /^\d+$/.test(chosen) ? union.kinds[Number(chosen)] : undefined;
  if (kind === undefined) return null;
  return fieldOf(kind, {
    path: union.path,
    label: union.label,
    required: true,
    depth: depth + 1,
    budget: { left: FIELDS_MAX },
    root,
    ...(union.given === undefined ? {} : { given: union.given }),
  });
}
