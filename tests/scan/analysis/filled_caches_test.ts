import { assertEquals } from "@std/assert";
import { fillOnce } from "../../../src/scan/analysis/filled_caches.ts";

async function fillings(steps: [flags: string[], whole: boolean][]): Promise<boolean[]> {
  const folder = await Deno.makeTempDir();
  const filled: boolean[] = [];
  for (const [flags, whole] of steps) {
    let called = false;
    await fillOnce(folder, flags, () => {
      called = true;
      return Promise.resolve(whole);
    });
    filled.push(called);
  }
  await Deno.remove(folder, { recursive: true });
  return filled;
}

Deno.test("caches are filled once for the same code and flags", async () => {
  assertEquals(await fillings([[["--a"], true], [["--a"], true]]), [true, false]);
});

Deno.test("caches are filled again for other flags, and when they were filled in part", async () => {
  assertEquals(await fillings([[["--a"], true], [["--b"], true]]), [true, true]);
  assertEquals(await fillings([[["--a"], false], [["--a"], true]]), [true, true]);
});
