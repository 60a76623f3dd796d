import { assertEquals } from "@std/assert";
import { byText } from "../../../workers/analysis/by_text.ts";

Deno.test("byText() asks once for each text, whatever the answer is", () => {
  const asked: string[] = [];
  const first = byText((text) => {
    asked.push(text);
    return text === "" ? undefined : text[0] === "a" ? null : text.length;
  });
  for (const text of ["os", "a", "", "os", "a", ""]) first(text);
  assertEquals(asked, ["os", "a", ""]);
  assertEquals([first("os"), first("a"), first("")], [2, null, undefined]);
});

Deno.test("byText() keeps no long texts, and not more of them than a project has names", () => {
  let asked = 0;
  const length = byText((text) => {
    asked++;
    return text.length;
  });
  const long = "x".repeat(1000);
  assertEquals([length(long), length(long), asked], [1000, 1000, 2]);
  for (let i = 0; i < 10_000; i++) length(`name_${i}`);
  asked = 0;
  assertEquals([length("name_9999"), asked], [9, 0]);
  assertEquals([length("name_0"), asked], [6, 1]);
});
