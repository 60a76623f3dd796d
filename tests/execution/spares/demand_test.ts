import { assertEquals } from "@std/assert";
import { createBars } from "../../../src/execution/spares/bars.ts";
import { createDemand } from "../../../src/execution/spares/demand.ts";

const MINUTE = 60_000;

/** Demand over a clock that is set by hand. */
function held() {
  const clock = { time: 1000 };
  return { clock, demand: createDemand(() => clock.time) };
}

Deno.test("createDemand() calls for a spare session after five starts within five minutes, not four", () => {
  const { clock, demand } = held();
  for (let n = 0; n < 4; n++) {
    demand.note("a");
    clock.time += MINUTE;
  }
  assertEquals([demand.worth("a"), demand.wanted()], [0, []]);
  demand.note("a");
  assertEquals([demand.worth("a"), demand.wanted()], [1, ["a"]]);
});

Deno.test("createDemand() never calls for one where sessions begin every few minutes", () => {
  const { clock, demand } = held();
  for (let n = 0; n < 500; n++) {
    demand.note("a");
    assertEquals(demand.worth("a"), 0);
    clock.time += 5 * MINUTE;
  }
});

Deno.test("createDemand() calls for more the more often sessions begin", () => {
  const { clock, demand } = held();
  const worth = [];
  for (let n = 0; n <= 600; n++) {
    if (n % 150 === 0) worth.push(demand.worth("a"));
    demand.note("a");
    clock.time += 1000;
  }
  assertEquals(worth, [0, 2, 3, 5, 5]);
});

Deno.test("createDemand() lets a spare session wait for ten minutes after the last start", () => {
  const { clock, demand } = held();
  assertEquals(demand.isKept("a"), false);
  demand.note("a");
  clock.time += 10 * MINUTE - 1;
  assertEquals(demand.isKept("a"), true);
  clock.time += 1;
  assertEquals(demand.isKept("a"), false);
});

Deno.test("createDemand() names servers in most demand first, and forgets one that it is told to", () => {
  const { demand } = held();
  for (let n = 0; n < 5; n++) demand.note("a");
  for (let n = 0; n < 9; n++) demand.note("b");
  demand.note("c");
  assertEquals(demand.wanted(), ["b", "a"]);
  demand.forget("b");
  assertEquals([demand.wanted(), demand.weight("b")], [["a"], 0]);
});

Deno.test("createDemand() remembers a bounded number of servers: those that began last", () => {
  const { demand } = held();
  for (let n = 0; n < 5000; n++) demand.note(`server-${n}`);
  const known = Array.from({ length: 5000 }, (_, n) => demand.weight(`server-${n}`))
    .filter((weight) => weight > 0);
  assertEquals([known.length, demand.weight("server-4999")], [1000, 1]);
});

Deno.test("createBars() bars for longer each time, up to a bound, and anew once it is cleared", () => {
  const clock = { time: 0 };
  const bars = createBars(() => clock.time);
  const minutes = [];
  for (let n = 0; n < 8; n++) {
    bars.bar("a");
    const start = clock.time;
    while (bars.isBarred("a")) clock.time += MINUTE;
    minutes.push((clock.time - start) / MINUTE);
  }
  assertEquals(minutes, [5, 10, 20, 40, 80, 160, 240, 240]);
  bars.bar("a");
  bars.clear("a");
  assertEquals([bars.isBarred("a"), bars.isBarred("b")], [false, false]);
});
