/**
 * A stranger's schema, however it is made, takes no more of the try page than a page may spend: what
 * is beyond is given as JSON, and left to the tool to check.
 */
import { assert, assertEquals } from "@std/assert";
import { isSpent } from "../../src/web/try/effort.ts";
import { argumentFields } from "../../src/web/try/fields.ts";
import type { Schema } from "../../src/web/try/schema.ts";

function named(count: number, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value]));
}

/** A schema of 200 arguments, all of which are `each`. */
function schemaOf(each: unknown): Schema {
  const wide = {
    type: "object",
    properties: named(5000, true),
    required: Object.keys(named(5000, 0)),
  };
  return {
    type: "object",
    $defs: { each, wide },
    properties: named(200, { $ref: "#/$defs/each" }),
  };
}

const LONG = "x".repeat(150_000);
const WIDE = { allOf: Array.from({ length: 20 }, () => ({ $ref: "#/$defs/wide" })) };

function kinds(kind: Schema, value: unknown): unknown {
  return { anyOf: Array.from({ length: 20 }, () => kind), default: value };
}

const HOSTILE: [what: string, each: unknown][] = [
  ["a long text of many kinds", kinds({ type: "string", minLength: 1e9 }, LONG)],
  [
    "lists of long items",
    kinds(
      { type: "array", minItems: 1e9 },
      Array.from({ length: 100 }, (_, i) => "y".repeat(1000) + i),
    ),
  ],
  ["wide schemas that all hold", WIDE],
  ["wide schemas of many kinds", kinds(WIDE, {})],
  ["wide requirements of many kinds", kinds({ $ref: "#/$defs/wide" }, {})],
];

for (const [what, each] of HOSTILE) {
  Deno.test(`a form is made of ${what} as far as a page may spend`, () => {
    const schema = schemaOf(each);
    const form = argumentFields(schema);
    assert(isSpent(schema));
    assert(form.kind === "object");
    const last = form.fields.at(-1)!;
    assert(last.kind === "json");
    assertEquals(last.because, "the form is too long");
  });
}

Deno.test("references with long paths are not followed", () => {
  const schema = schemaOf({ $ref: `#/${"a/".repeat(40_000)}` });
  const form = argumentFields(schema);
  assert(form.kind === "object");
  assertEquals(new Set(form.fields.map(({ kind }) => kind)), new Set(["json"]));
  assert(!isSpent(schema));
});

Deno.test("an honest schema, large as it may be, is read to its end", () => {
  const address = {
    type: "object",
    properties: named(20, { type: "string", format: "email", default: "ada@example.com" }),
    required: ["p0"],
  };
  const schema: Schema = {
    type: "object",
    $defs: { address },
    properties: {
      ...named(8, { $ref: "#/$defs/address" }),
      text: { type: "string", default: "x".repeat(20_000) },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    },
  };
  const form = argumentFields(schema);
  assert(form.kind === "object");
  assertEquals(form.fields.filter(({ kind }) => kind === "json"), []);
  assert(!isSpent(schema));
});
