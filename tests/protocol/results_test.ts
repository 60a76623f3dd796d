import { assertEquals } from "@std/assert";
import { repeatsStructured } from "../../src/protocol/results.ts";

const CASES: [texts: string[], structured: unknown, repeats: boolean][] = [
  [['{\n  "b": 2,\n  "a": 1\n}'], { a: 1, b: 2 }, true],
  [["4"], { result: 4 }, true],
  [["4"], { result: "4" }, true],
  [["Oslo: 20 °C"], { result: "Oslo: 20 °C" }, true],
  [["x", "x"], { result: ["x", "x"] }, true],
  [['{"a": 1}', '{"a": 2}'], { result: [{ a: 1 }, { a: 2 }] }, true],
  [['["x", "x"]'], { result: ["x", "x"] }, true],
  [[], { result: [] }, true],
  [["x"], { result: ["x", "y"] }, false],
  [["20 degrees"], { temperature: 20 }, false],
  [["4"], { result: 4, unit: "m" }, false],
  [["4", "and more"], { result: 4 }, false],
  [[], { a: 1 }, false],
  [["null"], null, true],
  [["{"], { a: 1 }, false],
];

Deno.test("repeatsStructured() knows what texts say again, and what says more", () => {
  for (const [texts, structured, repeats] of CASES) {
    assertEquals(
      repeatsStructured(texts, structured),
      repeats,
      JSON.stringify([texts, structured]),
    );
  }
});
