import { assert, assertEquals, assertMatch } from "@std/assert";
import { placeholderFor } from "../../src/keys/placeholder.ts";

Deno.test("a placeholder has the shape of its secret and none of its random part", () => {
  const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7b"}`;
  const placeholder = placeholderFor(secret);
  assertMatch(placeholder, /^ghp_[A-Za-z0-9]{28}$/);
  assertEquals(placeholder.length, secret.length);
  assert(placeholder !== secret && placeholder !== placeholderFor(secret));
  assertMatch(placeholderFor("0123456789abcdef0123456789abcdef"), /^[0-9a-f]{32}$/);
  assertMatch(
    placeholderFor("eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl_-"),
    /^[A-Za-z0-9]{10}\.[A-Za-z0-9]{12}\.[A-Za-z0-9]{12}_-$/,
  );
});

Deno.test("what is short, long or of few characters gets a placeholder that nothing else is", () => {
  for (const secret of ["hunter2", "x".repeat(5000), "p@ss w0rd\n!"]) {
    assertMatch(placeholderFor(secret), /^berth-[a-z0-9]{26}$/);
  }
});

Deno.test("of words and groups of letters nothing is told, neither the first ones nor lengths", () => {
  for (
    const secret of [
      "correct-horse-battery-staple-ocean-window-planet",
      "correct horse battery staple ocean window planet",
      "QWERT-ASDFG-ZXCVB-POIUY-LKJHG-MNBVC-TREWQ",
      "Summer.Holiday.Of.The.Whole.Family.2026",
    ]
  ) assertMatch(placeholderFor(secret), /^berth-[a-z0-9]{26}$/);
  for (
    const secret of [
      "xoxb-123456789012-1234567890123-aB3dE6gH9jK2mN5pQ8sT1vW4",
      "sk-proj-aB3dE6-gH9_jK2mN5pQ8sT1v",
    ]
  ) {
    assertEquals(placeholderFor(secret).slice(0, 4), secret.slice(0, 4));
  }
});

Deno.test("a placeholder stays as it is in headers, addresses and JSON", () => {
  const placeholder = placeholderFor('a/b+c=d"e\\f%g&h?i#j k\u00e9lmnopqrstuvwxyz');
  assertEquals(encodeURIComponent(placeholder), placeholder);
  assertEquals(JSON.stringify(placeholder), `"${placeholder}"`);
});
