import { assertEquals, assertRejects } from "@std/assert";
import { HostPool } from "../../../src/scan/analysis/pool.ts";

Deno.test("take() starts nothing once the pool was closed, and leaves no place taken", async () => {
  let started = 0;
  const pool = new HostPool(1, () => {
    started++;
    throw new Error("Nothing is to be started");
  });
  const taking = pool.take();
  const waiting = pool.take();
  const closing = pool.close();
  for (const take of [taking, waiting, pool.take()]) {
    await assertRejects(() => take, Error, "shutting down");
  }
  await closing;
  assertEquals(started, 0);
});
