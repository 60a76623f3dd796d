/** Forms from JSON Schemas, and what they read back. */
import { assertEquals } from "@std/assert";
import { controlName, countName, readArguments } from "../../src/web/try/arguments.ts";
import { argumentFields, type Schema } from "../../src/web/try/schema.ts";

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
    "anything must be JSON",
  ]);
});

Deno.test("argumentFields() is bounded for hostile schemas", () => {
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
    {},
  ];
  for (const schema of odd) {
    const size = JSON.stringify(argumentFields(schema)).length;
    assertEquals(size < 200_000, true, `${size}`);
    read(schema, { [countName("/list")]: "1e9", [countName("")]: "-1" });
  }
  assertEquals(
    read({ properties: { ["__proto__"]: { type: "string" } }, required: [] }, {
      [controlName("/__proto__")]: "x",
    }).faults,
    [],
  );
});
