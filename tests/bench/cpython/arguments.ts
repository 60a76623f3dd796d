/**
 * Calls made from the schemas of a server's tools: ordinary ones, ones at the edges, and wrong ones.
 * The same server always gets the same.
 *
 * @module
 */

/** What of a tool's schema is read. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** A tool as it is listed. */
export interface Listed {
  name: string;
  inputSchema: Schema;
}

/** A call of a tool. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

type Random = () => number;

const DEEPEST = 4;
const WORDS = ["alpha", "two words", "x", "Zürich ☂", "42", "a,b;c", "line one\nline two"];
const EDGES: Record<string, unknown[]> = {
  string: ["", " ", "0", "🙂".repeat(50), "a".repeat(3000), "../x", "'; --", "null"],
  integer: [0, -1, 1, 2 ** 31, 10 ** 15, 3.0],
  number: [0, -0.5, 1e-9, 1e21, 3],
  boolean: [true, false],
  array: [[]],
  object: [{}],
};
const WRONG = [null, "not a number", 1.5, true, [], {}, [1, "x", null], { a: 1 }];
/** Values for parameters whose names tell what is meant. */
const NAMED: [RegExp, unknown[]][] = [
  [/time_?zone|tz$/i, ["Europe/Paris", "UTC", "Asia/Tokyo"]],
  [/date/i, ["2024-03-01", "1999-12-31"]],
  [/time$/i, ["14:30", "09:05"]],
  [/e_?mail/i, ["ada@example.com"]],
  [/ur[il]|link/i, ["http://127.0.0.1:9/x"]],
  [/path|file/i, ["notes.txt", "missing/notes.txt"]],
  [/^(expr|expression|equation|formula)/i, ["1 + 2 * 3", "(4 - 1) / 0"]],
];

/** Numbers that look random and are the same for the same seed. */
function randomOf(seed: string): Random {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16777619);
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

function followed(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : root.$defs?.[name] ?? {};
}

function typeOf(schema: Schema): string {
  const types = [schema.type ?? (schema.properties === undefined ? "string" : "object")].flat();
  return types.find((type) => type !== "null") ?? "null";
}

function number(random: Random, { minimum = -3, maximum = 12 }: Schema): number {
  const low = Math.max(minimum, -1e6);
  return low + Math.floor(random() * (Math.min(Math.max(maximum, low), low + 100) - low + 1));
}

function valid(random: Random, name: string, given: Schema, root: Schema, depth = 0): unknown {
  const schema = followed(given, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(random, schema.enum);
  if (schema.default !== undefined && random() < 0.3) return schema.default;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) {
    const others = choices.filter(({ type }) => type !== "null");
    return valid(random, name, pick(random, others.length > 0 ? others : choices), root, depth);
  }
  const named = NAMED.find(([pattern]) => pattern.test(name));
  switch (typeOf(schema)) {
    case "string":
      return pick(random, named?.[1] ?? WORDS);
    case "integer":
      return number(random, schema);
    case "number":
      return number(random, schema) + pick(random, [0, 0.5, 0.25]);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "array": {
      const length = depth >= DEEPEST ? 0 : Math.max(schema.minItems ?? 0, pick(random, [1, 2, 3]));
      const one = () => valid(random, name, schema.items ?? {}, root, depth + 1);
      return Array.from({ length }, one);
    }
    default:
      return depth >= DEEPEST ? {} : object(random, schema, root, depth + 1);
  }
}

function object(random: Random, schema: Schema, root: Schema, depth = 0): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || random() < 0.4)
    .map(([name, each]) => [name, valid(random, name, each, root, depth)]);
  return Object.fromEntries(entries);
}

function edged(random: Random, { inputSchema }: Listed): Record<string, unknown> {
  const made = object(random, inputSchema, inputSchema);
  const names = Object.keys(inputSchema.properties ?? {});
  if (names.length === 0) return made;
  const name = pick(random, names);
  const schema = followed(inputSchema.properties![name]!, inputSchema);
  const kinds = (schema.anyOf ?? [schema]).map((each) => typeOf(followed(each, inputSchema)));
  return { ...made, [name]: pick(random, EDGES[pick(random, kinds)] ?? [null]) };
}

function wrong(random: Random, { inputSchema }: Listed): Record<string, unknown> {
  const made = object(random, inputSchema, inputSchema);
  const names = Object.keys(inputSchema.properties ?? {});
  if (names.length === 0) return { extra: 1 };
  const name = pick(random, names);
  if (random() < 0.3) {
    delete made[name];
    return made;
  }
  return random() < 0.2 ? { ...made, extra_one: "x" } : { ...made, [name]: pick(random, WRONG) };
}

/** `count` calls of a server's tools in turn: three ordinary ones, then one at the edge, one wrong. */
export function callsOf(server: string, tools: Listed[], count: number): Call[] {
  const random = randomOf(server);
  const kinds = [
    (tool: Listed) => object(random, tool.inputSchema, tool.inputSchema),
    (tool: Listed) => edged(random, tool),
    (tool: Listed) => object(random, tool.inputSchema, tool.inputSchema),
    (tool: Listed) => wrong(random, tool),
    (tool: Listed) => object(random, tool.inputSchema, tool.inputSchema),
  ];
  if (tools.length === 0) return [];
  return Array.from({ length: count }, (_, i) => {
    const tool = tools[i % tools.length]!;
    const kind = kinds[(i + Math.floor(i / tools.length)) % kinds.length]!;
    return { name: tool.name, arguments: kind(tool) };
  });
}
