import { assertEquals } from "@std/assert";
import { z } from "zod";
import { invalidRequest } from "../../src/http/validation.ts";

function failureOf(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  return invalidRequest("json", result.error?.issues ?? []);
}

const CASES: [schema: z.ZodType, value: unknown, path: string, message: string][] = [
  [z.object({ a: z.string() }), {}, "a", "is required"],
  [z.object({ a: z.string() }), { a: 1 }, "a", "must be a string"],
  [z.object({ a: z.coerce.number() }), { a: "x" }, "a", "must be a number"],
  [z.object({ a: z.object({ b: z.int() }) }), { a: {} }, "a.b", "is required"],
  [z.array(z.string()), ["a", 1], "1", "must be a string"],
  [z.strictObject({}), { a: 1 }, "a", "is unknown"],
  [z.object({ a: z.strictObject({}) }), { a: { b: 1 } }, "a.b", "is unknown"],
  [z.object({ a: z.string().regex(/x/, "must have an x") }), { a: "" }, "a", "must have an x"],
  [z.object({}), [], "", "must be an object"],
];

Deno.test("invalidRequest() names the field and what is wanted", async (t) => {
  for (const [schema, value, path, message] of CASES) {
    await t.step(message, () => {
      const error = failureOf(schema, value);
      assertEquals([error.code, error.errors], ["invalid_request", [{ path, message }]]);
      assertEquals(error.message, `Invalid request body: ${path} ${message}`.replace("  ", " "));
    });
  }
});

Deno.test("invalidRequest() tells each field its first fault only", () => {
  const schema = z.object({ a: z.string().min(1).regex(/^x/, "must begin with x"), b: z.string() });
  assertEquals(failureOf(schema, { a: "" }).errors, [
    { path: "a", message: "must not be empty" },
    { path: "b", message: "is required" },
  ]);
});

Deno.test("invalidRequest() shows three faults in its text, and lists at most a hundred", () => {
  const keys = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
  const error = failureOf(z.strictObject({ a: z.string() }), keys);
  assertEquals(error.errors.length, 100);
  assertEquals(
    error.message,
    "Invalid request body: a is required; k0 is unknown; k1 is unknown; and 97 more",
  );
});

Deno.test("invalidRequest() cuts long paths", () => {
  const error = failureOf(z.strictObject({}), { ["x".repeat(100_000)]: 1 });
  assertEquals(error.errors[0]!.path.length, 200);
});
