import { assertEquals } from "@std/assert";
import { files } from "./sizes.ts";
import { slowPatterns, whySlow } from "./slow_patterns.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("whySlow() tells patterns that try a text in many ways", () => {
  assertEquals(whySlow(String.raw`/^\s*:?\s*$/`), "polynomial");
  assertEquals(whySlow(String.raw`/^(?:\w+)*$/`), "exponential");
  assertEquals(whySlow(String.raw`/^(["'])(?:\\.|(?!\1).)*\1/`), "refers backwards");
});

Deno.test("whySlow() leaves patterns alone that try a text in one way", () => {
  assertEquals(whySlow(String.raw`/^(?:a|b) ?: (.+)$/i`), null);
  assertEquals(whySlow(String.raw`/^"((?:\\.|[^"\\])*)"/`), null);
  assertEquals(whySlow(String.raw`/[\p{L}\p{N}]+/gu`), null);
});

/** Modules whose patterns refer backwards, to what ends where it is looked for. */
const REFERRING = ["src/database/wire.ts", "src/web/layout/prose.tsx"];

Deno.test("no pattern of the main process tries a text in many ways", async () => {
  // The command line runs on its user's own machine, assets run in browsers.
  const modules = [...files("src")].filter((path) =>
    /\.tsx?$/.test(path) && !/^src\/(?:cli|web\/assets)\//.test(path)
  );
  const found = await Promise.all(
    modules.map(async (path) => slowPatterns(path, await Deno.readTextFile(new URL(path, ROOT)))),
  );
  const slow = found.flat();
  const isReferring = (one: string) => one.endsWith("(refers backwards)");
  assertEquals(slow.filter((one) => !isReferring(one)), []);
  assertEquals(slow.filter(isReferring).map((one) => one.split(":")[0]), REFERRING);
});
