/**
 * From a tool's JSON Schema to fields that a form can have. What has no field of its own is given as
 * JSON.
 *
 * @module
 */

/** A schema, as the server sent it: hostile. */
export type Schema = Readonly<Record<string, unknown>>;

/** What every field has. */
interface Common {
  /** Path of the value: `/address/street`. */
  path: string;
  label: string;
  description: string | null;
  required: boolean;
}

/** A field of the form. */
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
  | Common & { kind: "list"; item: Schema; count: number; initial: unknown[] }
  | Common & { kind: "json"; initial: string; because: string };

const DEPTH_MAX = 5;
const FIELDS_MAX = 200;
const CHOICES_MAX = 200;
const TEXT_MAX = 2000;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown, length = TEXT_MAX): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, length) : null;
}

/** Follows `$ref` within the schema, a few times. */
function resolve(schema: Schema, root: Schema): Schema {
  let current = schema;
  for (let step = 0; step < 8 && typeof current["$ref"] === "string"; step++) {
    const path = current["$ref"].replace(/^#\/?/, "").split("/").filter((part) => part !== "");
    let found: unknown = root;
    for (const part of path) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      found = isSchema(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    if (!isSchema(found)) return {};
    const { $ref: _ref, ...beside } = current;
    current = { ...found, ...beside };
  }
  return current;
}

/** The one alternative that is not null, where there is just one. */
function unwrapNullable(schema: Schema, root: Schema): Schema {
  for (const key of ["anyOf", "oneOf"]) {
    const alternatives = schema[key];
    if (!Array.isArray(alternatives)) continue;
    const real = alternatives.filter(isSchema).map((one) => resolve(one, root))
      .filter((one) => one["type"] !== "null");
    if (real.length !== 1) return schema;
    const { [key]: _alternatives, ...beside } = schema;
    return { ...real[0], ...beside };
  }
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const real = type.filter((one) => one !== "null");
  return real.length === 1 ? { ...schema, type: real[0] } : schema;
}

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

interface Place extends Omit<Common, "description"> {
  depth: number;
  budget: Budget;
  root: Schema;
  /** Value that is there already. */
  given?: unknown;
}

function choices(schema: Schema): unknown[] | null {
  if (Array.isArray(schema["enum"]) && schema["enum"].length <= CHOICES_MAX) return schema["enum"];
  return Object.hasOwn(schema, "const") ? [schema["const"]] : null;
}

function labelOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 200);
}

function textField(schema: Schema, common: Common, initial: unknown): SchemaField {
  const value = typeof initial === "string" ? initial : "";
  const limited = limits(schema, { minLength: "minlength", maxLength: "maxlength" });
  const short = typeof schema["maxLength"] === "number" && schema["maxLength"] <= 80;
  const type = { email: "email", uri: "url", date: "date" }[String(schema["format"])];
  return {
    ...common,
    kind: "text",
    lines: type !== undefined || short ? 1 : value.includes("\n") || value.length > 60 ? 5 : 2,
    attributes: { ...limited, ...(type === undefined ? {} : { type }) },
    initial: value,
  };
}

/** The field for `given`, a schema. */
export function fieldOf(given: Schema, place: Place): SchemaField {
  const { depth, budget, root, path, label, required } = place;
  const schema = unwrapNullable(resolve(given, root), root);
  const title = textOf(schema["title"], 200);
  const common: Common = {
    path,
    label: textOf(label, 200) ?? title ?? "value",
    description: textOf(schema["description"]),
    required,
  };
  const initial = place.given === undefined ? schema["default"] : place.given;
  const asJson = (because: string): SchemaField => ({
    ...common,
    kind: "json",
    initial: json(initial),
    because,
  });
  if (--budget.left < 0) return asJson("the form is long");
  const options = choices(schema);
  if (options !== null) {
    const chosen = options.findIndex((one) => JSON.stringify(one) === JSON.stringify(initial));
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
        initial: typeof initial === "number" ? String(initial) : "",
      };
    case "boolean":
      return {
        ...common,
        kind: "boolean",
        initial: typeof initial === "boolean" ? String(initial) : "",
      };
    case "array": {
      const items = isSchema(schema["items"]) ? schema["items"] : null;
      if (items === null || depth >= DEPTH_MAX) return asJson("its items can be anything");
      const list = Array.isArray(initial) ? initial.slice(0, 50) : [];
      return { ...common, kind: "list", item: items, count: list.length, initial: list };
    }
    case "object":
      return objectField(schema, common, { ...place, given: initial }, asJson);
    default:
      return asJson("it can be of several kinds");
  }
}

function objectField(
  schema: Schema,
  common: Common,
  place: Place,
  asJson: (because: string) => SchemaField,
): SchemaField {
  const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  if (properties.length === 0) return asJson("its members can be anything");
  if (place.depth >= DEPTH_MAX || properties.length > FIELDS_MAX) return asJson("it is deep");
  const needed = Array.isArray(schema["required"]) ? schema["required"] : [];
  const given = isSchema(place.given) ? place.given : {};
  const fields = properties.map(([name, property]) =>
    fieldOf(isSchema(property) ? property : {}, {
      path: `${place.path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      label: name,
      required: needed.includes(name),
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
  const properties = schema["properties"];
  if (isSchema(properties) && Object.keys(properties).length === 0 || properties === undefined) {
    return {
      path: "",
      label: "Arguments",
      description: null,
      required: true,
      kind: "object",
      fields: [],
    };
  }
  return fieldOf({ ...schema, type: "object" }, {
    path: "",
    label: "Arguments",
    required: true,
    depth: 0,
    budget: { left: FIELDS_MAX },
    root: schema,
  });
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
