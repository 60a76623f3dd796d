import { assertEquals, assertRejects } from "@std/assert";
import { HostPool } from "../../../src/scan/analysis/pool.ts";
import { createPreparation } from "../../../src/scan/analysis/preparation.ts";
import type { HostProcess } from "../../../src/scan/analysis/process.ts";
import { NO_WALLS } from "../../../src/sandbox/walls.ts";
import { recordingLogger } from "../../helpers/log.ts";

/** Processes that only start and end. */
function fakeProcesses() {
  const running = new Set<HostProcess>();
  const ended = Promise.withResolvers<void>();
  let started = 0;
  function start(): HostProcess {
    const host: HostProcess = {
      pid: ++started,
      get alive() {
        return running.has(host);
      },
      send() {},
      listen() {},
      trim: () => Promise.resolve(),
      memory: () => Promise.resolve(0),
      kill() {
        running.delete(host);
        ended.resolve();
        return Promise.resolve();
      },
    };
    running.add(host);
    return host;
  }
  return { start, running, ended: ended.promise, started: () => started };
}

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

Deno.test("discard() ends the process that is kept, and the next scan gets another", async () => {
  const { start, running, started } = fakeProcesses();
  const pool = new HostPool(1, start);
  await pool.discard();
  await pool.prepare(() => Promise.resolve(true));
  assertEquals(running.size, 1);
  await pool.discard();
  assertEquals(running.size, 0);
  const host = await pool.take();
  assertEquals([host.alive, started()], [true, 2]);
  // One at work is not kept.
  await pool.discard();
  assertEquals(host.alive, true);
  await pool.end(host);
});

Deno.test("a process that waits for a scan is ended when none comes", async () => {
  const { start, running, ended, started } = fakeProcesses();
  const pool = new HostPool(2, start);
  const { log } = recordingLogger();
  const preparation = createPreparation({ log, walls: NO_WALLS, keepMs: 1 }, pool);
  preparation.start();
  preparation.start();
  await ended;
  assertEquals([running.size, started()], [0, 1]);
  preparation.close();
});

Deno.test("a scan that follows takes the process that was started for it", async () => {
  const { start, started } = fakeProcesses();
  const pool = new HostPool(2, start);
  const { log } = recordingLogger();
  const preparation = createPreparation({ log, walls: NO_WALLS }, pool);
  preparation.start();
  // As long as a fetch takes at least.
  await new Promise((resolve) => setTimeout(resolve, 0));
  const host = await pool.take();
  assertEquals([host.alive, started()], [true, 1]);
  await pool.end(host);
  preparation.close();
});
