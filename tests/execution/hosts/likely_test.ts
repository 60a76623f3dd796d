import { assertEquals } from "@std/assert";
import { createLikelyImage } from "../../../src/execution/hosts/likely.ts";

function after(...images: (string | null)[]): string | null | undefined {
  const likely = createLikelyImage(new Set(["pydantic", "httpx"]));
  for (const image of images) likely.note(image);
  return likely.now();
}

Deno.test("the likely image is the one that two of the last three sessions had", () => {
  assertEquals(after(), undefined);
  assertEquals(after("pydantic"), undefined);
  assertEquals(after("pydantic", "pydantic"), "pydantic");
  assertEquals(after("pydantic", "httpx", "pydantic"), "pydantic");
  assertEquals(after("pydantic", "pydantic", null, null), null);
  assertEquals(after("pydantic", "httpx", null), undefined);
});

Deno.test("an image with code of strangers is never likely, however often it is used", () => {
  assertEquals(after("a-set-of-own-packages", "a-set-of-own-packages"), undefined);
});
