import { assertEquals, assertStringIncludes } from "@std/assert";
import { INCOMPLETE } from "../../src/scan/incomplete.ts";
import { ComplexFunctions } from "../../src/web/server/security/complex_functions.tsx";

Deno.test("the page of a report lists the most complex functions, as text", () => {
  const quality = INCOMPLETE.quality({ code: "limit", message: "" });
  assertEquals(ComplexFunctions({ quality }), null);
  const highest = [{ function: "<b>f</b>", file: "a & b.ts", line: 7, complexity: 31 }];
  const html = String(
    ComplexFunctions({ quality: { ...quality, complexity: { total: 31, functions: 1, highest } } }),
  );
  assertStringIncludes(html, "<code>&lt;b&gt;f&lt;/b&gt;</code>");
  assertStringIncludes(html, "a &amp; b.ts:7");
  assertStringIncludes(html, "<td>31</td>");
});
