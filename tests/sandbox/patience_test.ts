import { assertEquals } from "@std/assert";
import { patience } from "../../src/sandbox/patience.ts";

Deno.test("deadlines grow with what waits for each processor, and at most fourfold", () => {
  assertEquals([0, 0.4, 1, 2.5, 4, 30].map(patience), [1, 1, 1, 2.5, 4, 4]);
});

Deno.test("without a number, the machine's own load counts", () => {
  const now = patience();
  assertEquals([now >= 1, now <= 4], [true, true]);
});
