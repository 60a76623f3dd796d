/**
 * The part of an OpenAPI document that the reference shows.
 *
 * @module
 */
import { z } from "zod";

export type SchemaObject = Record<string, unknown>;

const Schema = z.record(z.string(), z.unknown());

const Media = z.looseObject({ schema: Schema.optional(), example: z.unknown().optional() });

const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema.optional(),
});

const Response = z.looseObject({
  description: z.string().optional(),
  content: z.record(z.string(), Media).optional(),
});

const Operation = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(z.unknown()).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), Media).optional() }).optional(),
  responses: z.record(z.string(), z.unknown()).optional(),
});

/** The document. */
export const OpenApi = z.looseObject({
  info: z.looseObject({
    title: z.string(),
    version: z.string(),
    description: z.string().optional(),
  }),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export type OpenApi = z.infer<typeof OpenApi>;

export interface ShownOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  needsToken: boolean;
  /** What it belongs to. */
  tag: string;
  parameters: {
    name: string;
    in: string;
    required: boolean;
    type: string;
    description: string;
    example: string | null;
  }[];
  body: {
    type: string;
    schema: string | null;
    example: string | null;
    /** The example itself; undefined where there is none. */
    value: unknown;
  } | null;
  responses: { status: string; description: string; example: string | null }[];
}

/** Operations that belong together. */
export interface OperationGroup {
  tag: string;
  description: string;
  operations: ShownOperation[];
}

function resolve(document: OpenApi, value: unknown): unknown {
  const ref = z.object({ $ref: z.string() }).safeParse(value);
  if (!ref.success) return value;
  const [, , kind = "", name = ""] = ref.data.$ref.split("/");
  return document.components?.[kind]?.[name];
}

function nameOf(schema: SchemaObject | undefined): string | null {
  const ref = schema?.["$ref"];
  return typeof ref === "string" ? ref.split("/").at(-1)! : null;
}

function typeOf(schema: SchemaObject | undefined): string {
  if (schema === undefined) return "any";
  const name = nameOf(schema);
  if (name !== null) return name;
  if (Array.isArray(schema["enum"])) {
    return schema["enum"].map((one) => JSON.stringify(one)).join(" | ");
  }
  const { type, format } = schema;
  const text = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  return typeof format === "string" ? `${text} (${format})` : text;
}

function pretty(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value, null, 2);
}

function bodyOf(operation: z.infer<typeof Operation>): ShownOperation["body"] {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return null;
  return {
    type,
    schema: nameOf(media.schema),
    example: pretty(media.example),
    value: media.example,
  };
}

function responsesOf(document: OpenApi, operation: z.infer<typeof Operation>) {
  return Object.entries(operation.responses ?? {}).map(([status, value]) => {
    const response = Response.safeParse(resolve(document, value));
    const media = response.success ? Object.values(response.data.content ?? {})[0] : undefined;
    return {
      status,
      description: response.success ? response.data.description ?? "" : "",
      // Failures are all alike: the text above has their shapes.
      example: status.startsWith("2") ? pretty(media?.example) : null,
    };
  });
}

function parametersOf(document: OpenApi, operation: z.infer<typeof Operation>) {
  return (operation.parameters ?? []).flatMap((value) => {
    const parsed = Parameter.safeParse(resolve(document, value));
    if (!parsed.success) return [];
    const { name, in: where, required = false, description, schema } = parsed.data;
    const said = description ?? schema?.["description"];
    const example = schema?.["example"];
    return [{
      name,
      in: where,
      required,
      type: typeOf(schema),
      description: typeof said === "string" ? said : "",
      example: typeof example === "string" ? example : null,
    }];
  });
}

/** The document's operations by their tags, in its order. */
export function operationsOf(document: OpenApi): OperationGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, value]) => {
      const parsed = Operation.safeParse(value);
      if (!parsed.success) return [];
      const operation = parsed.data;
      const shown: ShownOperation = {
        tag: operation.tags?.[0] ?? "Other",
        id: operation.operationId ?? `${method}-${path}`.replaceAll(/\W+/g, "-"),
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? path,
        description: operation.description ?? "",
        needsToken: (operation.security ?? []).length > 0 &&
          operation.security!.every((one) => Object.keys(one).length > 0),
        parameters: parametersOf(document, operation),
        body: bodyOf(operation),
        responses: responsesOf(document, operation),
      };
      return [shown];
    })
  );
  const described = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const tags = [...new Set([...described.keys(), ...all.map(({ tag }) => tag)])];
  return tags.map((tag) => ({
    tag,
    description: described.get(tag) ?? "",
    operations: all.filter((one) => one.tag === tag),
  })).filter(({ operations }) => operations.length > 0);
}

/** A named shape: its fields with their types. */
export interface ShownSchema {
  name: string;
  description: string;
  fields: { name: string; type: string; required: boolean; description: string }[];
}

/** The document's named shapes that have fields. */
export function schemasOf(document: OpenApi): ShownSchema[] {
  return Object.entries(document.components?.["schemas"] ?? {}).flatMap(([name, value]) => {
    const parsed = z.looseObject({
      description: z.string().optional(),
      properties: z.record(z.string(), Schema).optional(),
      required: z.array(z.string()).optional(),
    }).safeParse(value);
    if (!parsed.success || parsed.data.properties === undefined) return [];
    const { description = "", properties, required = [] } = parsed.data;
    const fields = Object.entries(properties).map(([field, schema]) => ({
      name: field,
      type: typeOf(schema),
      required: required.includes(field),
      description: typeof schema["description"] === "string" ? schema["description"] : "",
    }));
    return [{ name, description, fields }];
  });
}
