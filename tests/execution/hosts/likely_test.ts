import { assertEquals } from "@std/assert";
import { isCommonImage } from "../../../src/execution/hosts/images.ts";
import { createLikelyImage } from "../../../src/execution/hosts/likely.ts";

function after(...images: (string | null)[]): string | null | undefined {
  const catalogue = {
    packages: {},
    images: { pydantic: { packages: [], reads: [] }, httpx: { packages: [], reads: [] } },
  };
  const made = {
    "made-of-the-installation": { packages: [], reads: [], own: null },
    "a-set-of-own-packages": { packages: [], reads: [], own: "digest" },
  };
  const likely = createLikelyImage((image) => isCommonImage(catalogue, made, image));
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

Deno.test("an image that the node made of the installation's packages may be likely, one that is gone not", () => {
  const name = "made-of-the-installation";
  assertEquals(after(name, name), name);
  assertEquals(after("gone", "gone"), undefined);
});

Deno.test("an image with code of strangers is never likely, however often it is used", () => {
  assertEquals(after("a-set-of-own-packages", "a-set-of-own-packages"), undefined);
});
