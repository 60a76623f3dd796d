import { assertEquals } from "@std/assert";
import { watchRest } from "../src/rest.ts";

const LOOK_MS = 1e9;

Deno.test("watchRest() has a process give memory back once it rests after work, not while it works", () => {
  let processorMs = 0;
  let trims = 0;
  const watch = watchRest({
    processorMs: () => processorMs,
    trim: () => void trims++,
    intervalMs: LOOK_MS,
  });
  /** Looks after the process has used this share of a processor. */
  const pass = (share: number) => {
    processorMs += share * LOOK_MS;
    watch.look();
    return trims;
  };
  assertEquals([pass(0.5), pass(0.2), pass(0)], [0, 0, 1]);
  // There is nothing more to give back.
  assertEquals([pass(0), pass(0)], [1, 1]);
  assertEquals([pass(1), pass(0.01)], [1, 2]);
  watch.close();
});

Deno.test("watchRest() gives back what the start has left", () => {
  let trims = 0;
  const watch = watchRest({
    processorMs: () => 3000,
    trim: () => void trims++,
    intervalMs: LOOK_MS,
  });
  watch.look();
  assertEquals(trims, 1);
  watch.close();
});
