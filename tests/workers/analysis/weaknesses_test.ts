import { assert, assertEquals } from "@std/assert";
import { RULES } from "../../../workers/analysis/audit/python/ruff_table.ts";
import { fixOf } from "../../../workers/analysis/quality/python_fixes.ts";
import { classOf } from "../../../workers/analysis/quality/python_rules.ts";
import { explanationOf, WEAKNESSES } from "../../../workers/analysis/weaknesses.ts";

Deno.test("every weakness has an explanation that goes on in a sentence", () => {
  for (const [number, text] of Object.entries(WEAKNESSES)) {
    assert(/^[A-Z].{30,}[^.]$/.test(text), number);
    assertEquals(explanationOf(`CWE-${number}`), text);
  }
  assertEquals([explanationOf("CWE-99999"), explanationOf("78")], [null, null]);
});

Deno.test("every rule of ruff's security family has a fix and an explained weakness", () => {
  for (const [code, { fix, cwe }] of Object.entries(RULES)) {
    assert(fix.length >= 10 && !fix.endsWith("."), code);
    assert(explanationOf(`CWE-${cwe}`) !== null, code);
    const { cwe: inQuality } = classOf(code);
    assert(inQuality === null || explanationOf(inQuality) !== null, code);
  }
});

Deno.test("fixOf() takes ruff's own proposal, else that of the rule or its family", () => {
  assertEquals(fixOf("F401", "Remove unused import: `os`"), "Remove unused import: `os`");
  assertEquals(fixOf("S307", null), RULES.S307!.fix);
  assertEquals(fixOf("F509", null), "Make the format string match its values");
});
