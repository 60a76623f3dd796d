/** Forms from JSON Schemas, and what they read back. */
import { assertEquals } from "@std/assert";
import {
  controlName,
  countName,
  kindControl,
  readArguments,
  readRaw,
} from "../../src/web/try/arguments.ts";
import { ArgumentControls } from "../../src/web/try/form.tsx";
import { constraintsOf } from "../../src/web/try/constraints.ts";
import { argumentFields } from "../../src/web/try/fields.ts";
import { parseExact } from "../../src/protocol/raw_json.ts";
import { withExactValues } from "../../src/web/try/exact_values.ts";
import type { Schema } from "../../src/web/try/schema.ts";

function read(schema: Schema, sent: Record<string, string>) {
  const { value, faults } = readArguments(
    argumentFields(schema),
    schema,
    new URLSearchParams(sent),
  );
  return { value, faults: [...faults.values()] };
}

const PLACE: Schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer", minimum: 1 },
    unit: { enum: ["C", "F", null] },
    exact: { type: "boolean" },
    note: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    tags: { type: "array", items: { type: "string" } },
    place: { $ref: "#/$defs/Place" },
    anything: {},
  },
  required: ["city"],
  $defs: {
    Place: {
      type: "object",
      properties: { lat: { type: "number" }, "a/b~c": { type: "string" } },
      required: ["lat"],
    },
  },
};

Deno.test("readArguments() gives values of their types and leaves out what was not given", () => {
  const sent = {
    [controlName("/city")]: "Oslo",
    [controlName("/days")]: "3",
    [controlName("/unit")]: "1",
    [controlName("/exact")]: "false",
    [countName("/tags")]: "3",
    [controlName("/tags/0")]: "a",
    [controlName("/tags/1")]: "",
    [controlName("/tags/2")]: "c",
    [controlName("/place/lat")]: "59.9",
    [controlName("/place/a~1b~0c")]: "odd",
    [controlName("/anything")]: '{"x": [1]}',
  };
  assertEquals(read(PLACE, sent), {
    value: {
      city: "Oslo",
      days: 3,
      unit: "F",
      exact: false,
      tags: ["a", "c"],
      place: { lat: 59.9, "a/b~c": "odd" },
      anything: { x: [1] },
    },
    faults: [],
  });
  assertEquals(read(PLACE, { [controlName("/city")]: "" }), { value: { city: "" }, faults: [] });
});

Deno.test("readArguments() names what is missing or of another type", () => {
  assertEquals(read(PLACE, {}).faults, ["city is required"]);
  const wrong = {
    [controlName("/city")]: "x",
    [controlName("/days")]: "1.5",
    [controlName("/anything")]: "{",
    [controlName("/place/a~1b~0c")]: "given, so the rest is needed",
  };
  assertEquals(read(PLACE, wrong).faults, [
    "days must be a whole number",
    "lat is required",
    "anything must be valid JSON",
  ]);
});

const PICKY: Schema = {
  type: "object",
  properties: {
    seats: {
      anyOf: [
        { type: "integer", minimum: 1 },
        { type: "object", properties: { row: { type: "string" } }, required: ["row"] },
        { type: "null" },
      ],
    },
    days: { type: "array", items: { type: "string", format: "date" }, minItems: 1, maxItems: 3 },
    note: { type: ["string", "null"] },
    size: { type: ["integer", "string"] },
  },
  required: ["seats", "days", "note"],
};

Deno.test("readArguments() reads the alternative that was chosen, and null where nothing is", () => {
  const days = { [countName("/days")]: "1", [controlName("/days/0")]: "2026-01-31" };
  const cases: [Record<string, string>, unknown][] = [
    [{ [kindControl("/seats")]: "0", [controlName("/seats")]: "4" }, { seats: 4 }],
    [{ [kindControl("/seats")]: "1", [controlName("/seats/row")]: "B" }, { seats: { row: "B" } }],
    [{ [kindControl("/seats")]: "" }, { seats: null }],
    [{ [kindControl("/size")]: "1", [controlName("/size")]: "4" }, { seats: null, size: "4" }],
    [{ [kindControl("/size")]: "0", [controlName("/size")]: "4" }, { seats: null, size: 4 }],
    [{ [kindControl("/size")]: "99", [controlName("/note")]: "x" }, { seats: null, note: "x" }],
  ];
  for (const [sent, expected] of cases) {
    const { value, faults } = read(PICKY, { ...days, ...sent });
    assertEquals(faults, []);
    assertEquals(value, { days: ["2026-01-31"], note: null, ...expected as object });
  }
});

Deno.test("readArguments() leaves bounds, lengths, formats and patterns to the tool", () => {
  const sent = {
    [kindControl("/seats")]: "0",
    [controlName("/seats")]: "0",
    [countName("/days")]: "1",
    [controlName("/days/0")]: "tomorrow",
  };
  assertEquals(read(PICKY, sent), {
    value: { seats: 0, days: ["tomorrow"], note: null },
    faults: [],
  });
  const pattern = { type: "string", pattern: "(a+)+$" };
  const slow: Schema = { type: "object", properties: { text: pattern } };
  const text = `${"a".repeat(4000)}!`;
  assertEquals(read(slow, { [controlName("/text")]: text }), { value: { text }, faults: [] });
});

Deno.test("readArguments() names the item or member that has no value of its type", () => {
  const schema: Schema = {
    type: "object",
    properties: { days: { type: "array", items: { type: "integer" } } },
  };
  const sent = new URLSearchParams({ [countName("/days")]: "3", [controlName("/days/2")]: "x" });
  assertEquals([...readArguments(argumentFields(schema), schema, sent).faults], [
    ["/days/2", "days 3 must be a whole number"],
  ]);
});

Deno.test("readRaw() takes one JSON object, with its integers as they were typed", () => {
  const { value, faults } = readRaw('{"seats": 0, "id": 9007199254740993}');
  assertEquals([JSON.stringify(value), faults.size], ['{"seats":0,"id":9007199254740993}', 0]);
  for (const text of ["[]", "{", "1", "null", `[${"[],".repeat(60_000)}[]]`]) {
    assertEquals([...readRaw(text).faults], [["raw", "Arguments must be a JSON object"]]);
  }
});

Deno.test("a choice of kinds begins with the one that the default is of", () => {
  const object = (kind: string, ...required: string[]) => ({
    type: "object",
    properties: { kind: { const: kind } },
    required,
  });
  const shown: [kinds: Schema[], initial: unknown, kind: string][] = [
    [[{ type: "string" }, { type: "integer" }], 3, "1"],
    [[{ enum: ["a"] }, { enum: ["b"] }], "b", "1"],
    [[object("a", "x"), object("b")], { kind: "b" }, "1"],
    [[object("a"), object("b")], { kind: "b" }, "1"],
    [[{ type: "integer" }, { type: "string" }], [], ""],
  ];
  for (const [anyOf, initial, kind] of shown) {
    const schema: Schema = { type: "object", properties: { x: { anyOf, default: initial } } };
    const form = argumentFields(schema);
    const field = form.kind === "object" ? form.fields[0] : undefined;
    assertEquals(field?.kind === "union" ? field.initial : null, kind, JSON.stringify(anyOf));
  }
});

Deno.test("constraintsOf() says in words what values should be like", () => {
  const said: [Schema, string | null][] = [
    [{ type: "integer", minimum: 1, maximum: 12 }, "1 to 12"],
    [{ type: "number", maximum: 5 }, "at most 5"],
    [{ type: "string", minLength: 2, pattern: "^a" }, "at least 2 characters, matches ^a"],
    [{ type: "string", format: "date" }, null],
    [{ type: "string", format: "date-time" }, "format date-time"],
    [{ type: "array", minItems: 2, maxItems: 2 }, "exactly 2 items"],
    [{ type: "string", minLength: 0, maxLength: "<script>" }, null],
    [{ type: "toString" }, null],
  ];
  for (const [schema, text] of said) assertEquals(constraintsOf(schema), text);
});

Deno.test("forms are bounded for hostile schemas", async () => {
  const loop: Schema = {
    type: "object",
    properties: { next: { $ref: "#" }, list: { type: "array", items: { $ref: "#" } } },
  };
  const wide: Schema = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`p${index}`, { type: "string" }]),
    ),
  };
  const odd: Schema[] = [
    loop,
    wide,
    { type: "object", properties: { x: { $ref: "#/nowhere" }, y: null, z: 7 } } as Schema,
    { type: "object", properties: "text" } as unknown as Schema,
    { type: "object", properties: { e: { enum: [] }, t: { type: ["string", "null"] } } },
    { properties: { ["__proto__"]: { type: "string" }, constructor: { type: "string" } } },
    { type: "array", items: {} },
    {
      type: "object",
      properties: {
        u: { anyOf: Array.from({ length: 5000 }, () => ({ $ref: "#" })) },
        t: { type: ["toString", "constructor"] },
        f: { type: "string", format: "constructor", pattern: "(a+)+$".repeat(1000) },
        l: { type: "array", items: {}, minItems: 1e9, maxItems: -1 },
      },
      required: ["u", "t", "f", "l"],
    },
    { allOf: Array.from({ length: 5000 }, () => ({ $ref: "#" })) },
    {},
  ];
  const nested: Schema = {
    type: "object",
    properties: { l: { type: "array", minItems: 50, items: { $ref: "#" } } },
    required: ["l"],
  };
  for (const schema of [...odd, nested]) {
    const field = argumentFields(schema);
    const view = { sent: null, faults: new Map(), root: schema };
    const size = String(await ArgumentControls({ field, view })).length;
    assertEquals(size < 300_000, true, `${size}`);
    read(schema, { [countName("/list")]: "1e9", [countName("")]: "-1" });
  }
  assertEquals(
    read({ properties: { ["__proto__"]: { type: "string" } }, required: [] }, {
      [controlName("/__proto__")]: "x",
    }).faults,
    [],
  );
});

Deno.test("forms show and send defaults and choices beyond 2^53 as the schema has them", async () => {
  const big = "9007199254740993";
  const text = `{"type": "object", "properties": {
    "id": {"type": "integer", "default": ${big}, "minimum": 1},
    "row": {"enum": [${big}, 1180591620717411303424, 7]},
    "either": {"anyOf": [{"type": "string"}, {"type": "integer"}], "default": ${big}},
    "many": {"type": "array", "items": {"type": "integer"}, "default": [${big}, 1.50]},
    "default": {"type": "integer"}
  }}`;
  const schema = withExactValues(JSON.parse(text), parseExact(text)) as Schema;
  const view = { sent: null, faults: new Map<string, string>(), root: schema };
  const html = String(await ArgumentControls({ field: argumentFields(schema), view }));
  assertEquals(html.split(`value="${big}"`).length - 1, 3, html);
  assertEquals(html.includes(`>${big}<`), true, html);
  assertEquals(html.includes(`>1180591620717411303424<`), true, html);
  const { value, faults } = read(schema, {
    [controlName("/id")]: big,
    [controlName("/row")]: "1",
  });
  assertEquals(faults, []);
  assertEquals(JSON.stringify(value), `{"id":${big},"row":1180591620717411303424}`);
});
