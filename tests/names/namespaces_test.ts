import { assertEquals, assertNotEquals } from "@std/assert";
import { authorKey } from "../../src/names/namespaces.ts";

Deno.test("authorKey() folds what is the same name", () => {
  const same = [
    ["ACME", "acme"],
    ["ＡＣＭＥ", "acme"],
    ["Straße", "STRASSE"],
    ["Straẞe", "strasse"],
    ["ΟΔΟΣ", "οδος"],
    ["A\u030angstro\u0308m", "\u212bNGSTRÖM"],
    ["ﬁsh", "FISH"],
    ["İzmir", "i\u0307zmir"],
    ["a b@example.com", "A B@EXAMPLE.COM"],
  ];
  for (const [a, b] of same) assertEquals(authorKey(a!), authorKey(b!));
});

Deno.test("authorKey() keeps different names apart", () => {
  const different = [["ı", "i"], ["a", "á"], ["a", "а"], ["a b", "ab"], ["o", "0"]];
  for (const [a, b] of different) assertNotEquals(authorKey(a!), authorKey(b!));
});
