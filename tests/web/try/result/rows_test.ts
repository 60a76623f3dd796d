/** Results as tables and links. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseExact } from "../../../../src/protocol/raw_json.ts";
import { isAddress, Linked } from "../../../../src/web/try/result/linked.tsx";
import { Rows, rowsIn } from "../../../../src/web/try/result/rows.tsx";
import { ResultView } from "../../../../src/web/try/result/view.tsx";

Deno.test("rowsIn() finds the list of objects of a result, and none in anything else", () => {
  assertEquals(rowsIn([{ a: 1 }])?.name, "Result");
  assertEquals(rowsIn({ total: 1, items: [{ a: 1 }] })?.name, "items");
  assertEquals(rowsIn({ a: [{ a: 1 }], b: [{ b: 1 }] }), null);
  for (const other of [[], [1], [{}], ["a", { a: 1 }], null, "x", { a: 1 }, undefined]) {
    assertEquals(rowsIn(other), null);
  }
  assertEquals(rowsIn(parseExact("[12345678901234567890]")), null);
});

Deno.test("Rows() shows hostile cells as texts, bounds rows and columns, and keeps numbers exact", () => {
  const hostile = [{ name: "<b>x</b>", page: "javascript:alert(1)", __proto__: { z: 1 } }];
  const html = String(Rows({ name: "Result", rows: hostile }));
  assert(!html.includes("<b>") && !html.includes("href"), html);
  const linked = String(
    Rows({ name: "Result", rows: [{ page: "https://example.com/a?b=1&c=2" }] }),
  );
  assertStringIncludes(linked, 'href="https://example.com/a?b=1&amp;c=2" rel="nofollow ugc');
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`c${at}`, at]));
  const many = String(Rows({ name: "Result", rows: Array.from({ length: 500 }, () => wide) }));
  assertStringIncludes(many, "and 400 more rows, 38 more columns");
  const exact = rowsIn(parseExact('[{"id":12345678901234567890}]'))!;
  assertStringIncludes(String(Rows(exact)), "12345678901234567890");
});

Deno.test("Linked() links addresses without the punctuation behind them, and no other scheme", () => {
  const text = String(
    Linked({ text: "See https://example.com/a. Or javascript:x <https://b.example>" }),
  );
  assertStringIncludes(text, '<a href="https://example.com/a"');
  assertStringIncludes(text, '</a>. Or javascript:x &lt;<a href="https://b.example"');
  assertEquals(isAddress("https://"), false);
  assertEquals(isAddress('https://a.example/"onmouseover=1'), false);
  const many = "http://a.example ".repeat(100_000);
  assertEquals(String(Linked({ text: many })), many);
});

Deno.test("ResultView() shows a list in a text as a table, with the text below it", () => {
  const text = '[{"city":"Oslo","degrees":3},{"city":"Rome"}]';
  const message = { jsonrpc: "2.0" as const, id: 1, result: { content: [{ type: "text", text }] } };
  const html = String(ResultView({ message: { ...message, exact: message }, milliseconds: 5 }));
  assertStringIncludes(html, '<th scope="col">city</th>');
  assertStringIncludes(html, "<bdi>Oslo</bdi>");
  assertStringIncludes(html, 'aria-label="Result 1"');
});
