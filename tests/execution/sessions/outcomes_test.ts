import { assertEquals } from "@std/assert";
import type { CallOutcome } from "../../../src/execution/interpreters/types.ts";
import { isFailure, responseOf } from "../../../src/execution/sessions/outcomes.ts";
import { RawJson } from "../../../src/protocol/raw_json.ts";

Deno.test("a call fails by an error, or by a short result that says so", () => {
  const result = (value: unknown): CallOutcome => ({ kind: "result", result: RawJson.of(value) });
  const cases: [CallOutcome, boolean][] = [
    [result({ content: [], isError: true }), true],
    [result({ content: [], isError: false }), false],
    [result({ content: [], isError: "true" }), false],
    [result({ content: [{ isError: true }] }), false],
    // Looking through large results would cost each of them time.
    [result({ content: ["x".repeat(20_000)], isError: true }), false],
    [result([]), true],
    [{ kind: "error", code: -32_000, message: "no" }, true],
    [{ kind: "ended", reason: "memory", message: "" }, true],
  ];
  for (const [outcome, failed] of cases) {
    assertEquals(isFailure(responseOf(1, outcome)), failed, JSON.stringify(outcome).slice(0, 100));
  }
});
