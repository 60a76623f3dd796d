import { assert, assertEquals, assertThrows } from "@std/assert";
import { createOutputBounds } from "../../../src/execution/interpreters/output.ts";

Deno.test("createOutputBounds() lets 100 notifications a second through, with a short burst", () => {
  let time = 0;
  const bounds = createOutputBounds(() => time);
  const passed = (count: number) =>
    Array.from({ length: count }, () => bounds.notification()).filter((x) => x).length;
  assertEquals(passed(500), 200);
  time += 1000;
  assertEquals(passed(500), 100);
  time += 10_000;
  assertEquals(passed(500), 200);
});

Deno.test("createOutputBounds() throws at a flood", () => {
  const bounds = createOutputBounds(() => 0);
  assertThrows(
    () => {
      for (let i = 0; i < 20_000; i++) bounds.notification();
    },
    Error,
    "Too many notifications",
  );
  assertThrows(
    () => {
      for (let i = 0; i < 2000; i++) bounds.log(1000);
    },
    Error,
    "Too many log entries",
  );
});

Deno.test("createOutputBounds() gives each call a new budget of logs", () => {
  const bounds = createOutputBounds(() => 0);
  function entriesUntilFlood(): number {
    let entries = 0;
    try {
      while (entries < 100_000) {
        bounds.log(1024);
        entries++;
      }
    } catch {
      // The budget is used up.
    }
    return entries;
  }
  const first = entriesUntilFlood();
  assert(first >= 256, "a call may log at least 256 KiB");
  assertEquals(entriesUntilFlood(), 0);
  bounds.begin();
  assertEquals(entriesUntilFlood(), first);
});
