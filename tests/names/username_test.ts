import { assertEquals, assertMatch } from "@std/assert";
import { numbered, preferredUsername } from "../../src/names/username.ts";
import { Username } from "../../src/identity/schema.ts";

const CASES: [email: string | null, username: string | RegExp][] = [
  ["jane@example.com", "jane"],
  ["Jane.Doe+berth@example.com", "jane-doe-berth"],
  ["_jane__doe_@example.com", "jane-doe"],
  ["José.Ñandú@example.com", "jose-nandu"],
  ["a@b@example.com", "a-b"],
  [`${"x".repeat(60)}@example.com`, "x".repeat(39)],
  [`${"x".repeat(38)}.y@example.com`, "x".repeat(38)],
  ["j@example.com", /^user-[0-9a-f]{8}$/],
  ["山田@example.com", /^user-[0-9a-f]{8}$/],
  ["@example.com", /^user-[0-9a-f]{8}$/],
  ["no-address", /^user-[0-9a-f]{8}$/],
  [null, /^user-[0-9a-f]{8}$/],
];

Deno.test("preferredUsername() follows the e-mail's local part", async (t) => {
  for (const [email, expected] of CASES) {
    await t.step(String(email), async () => {
      const username = await preferredUsername("subject", email);
      if (typeof expected === "string") assertEquals(username, expected);
      else assertMatch(username, expected);
      assertEquals(Username.safeParse(username).success, true);
    });
  }
});

Deno.test("preferredUsername() without an e-mail depends on the subject only", async () => {
  assertEquals(await preferredUsername("abc", null), "user-ba7816bf");
});

Deno.test("numbered() keeps within the length", () => {
  assertEquals(numbered("jane", 1), "jane");
  assertEquals(numbered("jane", 12), "jane-12");
  assertEquals(numbered("x".repeat(39), 2), `${"x".repeat(37)}-2`);
  assertEquals(numbered(`${"x".repeat(36)}-yz`, 10), `${"x".repeat(36)}-10`);
});
