import { assertEquals } from "@std/assert";
import { z } from "zod";
import { issueText } from "../src/issues.ts";

const CASES: [schema: z.ZodType, value: unknown, text: string][] = [
  [z.string(), undefined, "is required"],
  [z.string(), 1, "must be a string"],
  [z.coerce.number(), "x", "must be a number"],
  [z.coerce.number().int(), "1.5", "must be an integer"],
  [z.int(), 1.5, "must be an integer"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.string()), {}, "must be an array"],
  [z.strictObject({}), [], "must be an object"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(2), "a", "must have at least 2 characters"],
  [z.string().max(1), "ab", "must have at most 1 character"],
  [z.array(z.int()).max(2), [1, 2, 3], "must have at most 2 items"],
  [z.number().min(0), -1, "must be at least 0"],
  [z.number().max(100), 101, "must be at most 100"],
  [z.enum(["go", "rust"]), "cobol", "must be one of go, rust"],
  [z.literal("git"), "svn", "must be git"],
  [z.iso.datetime(), "today", "must be a timestamp such as 2026-05-01T00:00:00Z"],
  [z.uuid(), "1", "must be a UUID"],
  [z.url(), "x", "must be a URL such as https://example.com"],
  [z.string().regex(/x/), "a", "has an invalid format"],
  [z.string().regex(/x/, "must have an x"), "a", "must have an x"],
];

Deno.test("issueText() tells in words what is wanted, and keeps the words of a schema of ours", () => {
  for (const [schema, value, text] of CASES) {
    assertEquals(issueText(schema.safeParse(value).error!.issues[0]!), text);
  }
});
