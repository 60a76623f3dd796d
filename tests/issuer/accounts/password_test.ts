import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  hashPassword,
  passwordFault,
  verifyPassword,
} from "../../../src/issuer/accounts/password.ts";

Deno.test("verifyPassword() knows the password however it is typed, and nothing else", async () => {
  const stored = await hashPassword("Zürich by night");
  assertMatch(stored, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]+\$[\w+/]+$/);
  assert(await verifyPassword("Zu\u0308rich by night", stored));
  assertEquals(await verifyPassword("zürich by night", stored), false);
  assertEquals(await verifyPassword("Zürich by night", null), false);
  assert(await hashPassword("Zürich by night") !== stored);
  await assertRejects(() => verifyPassword("x", "$argon2id$v=19$x"), Error);
});

Deno.test("hashPassword() leaves the event loop free", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  // On a busy machine one hash may see few of them; none would ever come if it held up the loop.
  for (let hashes = 0; hashes < 50 && turns <= 5; hashes++) {
    await hashPassword("a long enough password");
  }
  clearInterval(timer);
  assert(turns > 5, `${turns} turns`);
});

Deno.test("passwordFault() names what is wrong", () => {
  assertEquals(passwordFault("several words do", "ada@example.com"), null);
  assertEquals(passwordFault("😀🐘🌍🎈🎉🎂🎁🎀🎃🎄", null), null);
  const weak = [
    "",
    "ninechars",
    "x1y2".repeat(65),
    "ababababab",
    "Ada@Example.com",
    "password1234",
  ];
  for (const password of weak) {
    assertEquals(typeof passwordFault(password, "ada@example.com"), "string", password);
  }
  assertEquals(typeof passwordFault("Lovelace2026!", "lovelace@example.com"), "string");
});
