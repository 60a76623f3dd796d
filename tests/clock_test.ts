import { assertEquals } from "@std/assert";
import { createClock } from "../src/clock.ts";

Deno.test("createClock() stands still while the machine's clock catches up after a step back", () => {
  let time = 1_000_000;
  const now = createClock(() => time);
  const read = (at: number) => {
    time = at;
    return now().getTime();
  };
  assertEquals(
    [1_000_000, 1_000_500, 995_000, 1_000_499, 1_000_501, 1_090_000].map(read),
    [1_000_000, 1_000_500, 1_000_500, 1_000_500, 1_000_501, 1_090_000],
  );
});

Deno.test("createClock() follows a clock that was wrong by more than a minute", () => {
  let time = 4_000_000_000_000;
  const now = createClock(() => time);
  now();
  time -= 60_001;
  assertEquals(now().getTime(), time);
});
