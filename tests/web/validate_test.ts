/** Arguments against tools' schemas: what is told, what is left to the tool, and how long it takes. */
import { assert, assertEquals } from "@std/assert";
import { constraintsOf } from "../../src/web/try/constraints.ts";
import { matches } from "../../src/web/try/patterns.ts";
import type { Schema } from "../../src/web/try/schema.ts";
import { validate } from "../../src/web/try/validate.ts";

function faults(schema: Schema, value: unknown): string[] {
  return validate(value, schema, schema).map(({ path, message }) => `${path} ${message}`.trim());
}

const CASES: [what: string, schema: Schema, good: unknown[], bad: [unknown, string][]][] = [
  ["types", { type: "integer" }, [3, 3.0, -1], [
    [3.5, "must be a whole number"],
    ["3", "must be a whole number"],
    [null, "must be a whole number"],
  ]],
  ["several types", { type: ["string", "null"] }, ["", null], [[1, "must be a text or null"]]],
  ["ranges", { type: "number", minimum: 1, exclusiveMaximum: 3 }, [1, 2.9], [
    [0.5, "must be at least 1"],
    [3, "must be less than 3"],
  ]],
  ["steps", { type: "number", multipleOf: 0.1 }, [0.3, 0, -1.2], [
    [0.35, "must be a multiple of 0.1"],
  ]],
  ["lengths", { type: "string", minLength: 2, maxLength: 3 }, ["ab", "😀😀😀"], [
    ["a", "must have at least 2 characters: it has 1"],
    ["abcd", "must have at most 3 characters: it has 4"],
  ]],
  ["patterns", { type: "string", pattern: "^[a-z]+-\\d{2}$" }, ["ab-12"], [
    ["AB-12", "must match ^[a-z]+-\\d{2}$"],
  ]],
  ["unanchored patterns", { type: "string", pattern: "\\u0041" }, ["xAx"], [
    ["x", "must match \\u0041"],
  ]],
  ["e-mail", { type: "string", format: "email" }, ["a@example.com"], [
    ["a@", "must be an e-mail address such as ada@example.com"],
  ]],
  ["addresses", { type: "string", format: "uri" }, ["https://example.com/x", "urn:a:b"], [
    ["example.com", "must be an address such as https://example.com/"],
  ]],
  ["dates", { type: "string", format: "date" }, ["2028-02-29"], [
    ["2027-02-29", "must be a date such as 2026-01-31"],
  ]],
  [
    "times",
    { type: "string", format: "date-time" },
    ["2026-01-31T14:30:00Z", "2026-01-31 14:30", "2026-01-31T14:30:00.5+02:00"],
    [["2026-01-31", "must be a date and time such as 2026-01-31T14:30:00Z"]],
  ],
  ["UUIDs", { type: "string", format: "uuid" }, ["123e4567-e89b-12d3-a456-426614174000"], [
    ["123", "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
  ]],
  ["formats that are not known", { type: "string", format: "nothing" }, ["x"], []],
  ["choices", { enum: ["a", 1, null] }, ["a", 1, null], [["b", 'must be one of "a", 1, null']]],
  ["one choice", { const: { a: [1] } }, [{ a: [1] }], [[{ a: [2] }, 'must be {"a":[1]}']]],
  [
    "lists",
    { type: "array", minItems: 1, maxItems: 2, uniqueItems: true, items: { type: "integer" } },
    [[1], [1, 2]],
    [
      [[], "must have at least 1 items: it has 0"],
      [[1, 2, 3], "must have at most 2 items: it has 3"],
      [[1, 1], "must not have an item twice: number 2 is one"],
      [[1, "x"], "/1 must be a whole number"],
    ],
  ],
  ["tuples", { prefixItems: [{ type: "string" }], items: { type: "integer" } }, [["a", 1]], [
    [[1, 1], "/0 must be a text"],
  ]],
  [
    "objects",
    {
      type: "object",
      properties: { "a/b": { type: "string" }, n: { $ref: "#/$defs/N" } },
      required: ["n"],
      additionalProperties: false,
      $defs: { N: { type: "integer", minimum: 3 } },
    },
    [{ n: 3 }, { n: 4, "a/b": "x" }],
    [
      [{}, "/n is required"],
      [{ n: 1 }, "/n must be at least 3"],
      [{ n: 3, "a/b": 1 }, "/a~1b must be a text"],
      [{ n: 3, x: 1 }, "/x is not known to the tool"],
    ],
  ],
  ["maps", { type: "object", additionalProperties: { type: "integer" } }, [{ a: 1 }], [
    [{ a: "x" }, "/a must be a whole number"],
  ]],
  [
    "any of",
    { anyOf: [{ type: "integer", minimum: 5 }, { type: "string", minLength: 3 }] },
    [5, "abc"],
    [[1, "must be at least 5"], ["a", "must have at least 3 characters: it has 1"]],
  ],
  [
    "one of",
    { oneOf: [{ type: "integer" }, { type: "number", minimum: 10 }] },
    [1, 10.5],
    [[10, "must be of one kind: it is of 2"]],
  ],
  [
    "all of",
    { allOf: [{ $ref: "#/$defs/A" }, { required: ["b"] }], $defs: { A: { required: ["a"] } } },
    [{ a: 1, b: 1 }],
    [[{ a: 1 }, "/b is required"], [{ b: 1 }, "/a is required"]],
  ],
  ["forbidden", { properties: { a: false } }, [{}], [[{ a: 1 }, "/a is not allowed"]]],
];

for (const [what, schema, good, bad] of CASES) {
  Deno.test(`validate() tells what is wrong: ${what}`, () => {
    for (const value of good) assertEquals(faults(schema, value), [], JSON.stringify(value));
    for (const [value, fault] of bad) assertEquals(faults(schema, value), [fault]);
  });
}

Deno.test("validate() tells the faults of the alternative that was chosen", () => {
  const schema: Schema = {
    anyOf: [{ type: "null" }, { required: ["a"] }, { required: ["a", "b", "c"] }],
  };
  const chosen = new Map([["", 1]]);
  assertEquals(validate({}, schema, schema).map(({ path }) => path), ["/a"]);
  assertEquals(validate({}, schema, schema, chosen).map(({ path }) => path), ["/a", "/b", "/c"]);
});

Deno.test("validate() ends for schemas and values that are made to be slow", () => {
  const loop: Schema = { $ref: "#/$defs/L", $defs: { L: { anyOf: [{ $ref: "#/$defs/L" }] } } };
  faults(loop, { a: 1 });
  const branches = Array.from({ length: 20 }, () => ({ $ref: "#/$defs/B" }));
  const wide: Schema = {
    $ref: "#/$defs/B",
    $defs: { B: { anyOf: branches, items: { $ref: "#/$defs/B" } } },
  };
  let deep: unknown = [];
  for (let level = 0; level < 1000; level++) deep = [deep, deep];
  faults(wide, deep);
  const many = faults({ items: { type: "string" } }, Array.from({ length: 100_000 }, () => 1));
  assert(many.length <= 30);
  for (const pattern of ["(a+)+$", "(a|a)*b", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
    assertEquals(matches(pattern, `${"a".repeat(4000)}!`), false, pattern);
  }
  // What takes more than linear time is the tool's to check.
  for (const pattern of ["(?=a)b", "(a)\\1", "(", "x".repeat(501)]) {
    assertEquals(matches(pattern, "b"), null, pattern);
  }
  assertEquals(faults({ type: "string", pattern: "(?!x)" }, "x"), []);
  for (
    const odd of [{ type: 3 }, { enum: "x" }, { required: "x" }, { properties: [] }, { $ref: 1 }]
  ) {
    faults(odd, { a: 1 });
  }
});

Deno.test("constraintsOf() says in words what values must be like", () => {
  const said: [Schema, string | null][] = [
    [{ type: "integer", minimum: 1, maximum: 12 }, "1 to 12"],
    [{ type: "number", exclusiveMinimum: 0, multipleOf: 5 }, "more than 0, a multiple of 5"],
    [{ type: "string", minLength: 2, pattern: "^a" }, "at least 2 characters, matches ^a"],
    [{ type: "string", format: "date" }, "a date such as 2026-01-31"],
    [
      { type: "array", minItems: 2, maxItems: 2, uniqueItems: true },
      "exactly 2 items, no item twice",
    ],
    [{ type: "string", minLength: 0, maxLength: "<script>" }, null],
    [{ type: "toString" }, null],
  ];
  for (const [schema, text] of said) assertEquals(constraintsOf(schema), text);
});
