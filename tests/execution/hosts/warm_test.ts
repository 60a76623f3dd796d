import { assertEquals } from "@std/assert";
import type { Host } from "../../../src/execution/hosts/host.ts";
import type { Slot } from "../../../src/execution/interpreters/slot.ts";
import { createWarmPool } from "../../../src/execution/hosts/warm.ts";

function fakeHost(boot: () => Promise<Slot>): Host {
  return {
    pid: 1,
    tenant: null,
    size: 1,
    served: 1,
    alive: true,
    working: false,
    worked: 0,
    isSpare: false,
    boot,
    trim: () => {},
    kill: () => Promise.resolve(),
  };
}

const SLOT = {} as Slot;

Deno.test("createWarmPool() boots up to its target, one at a time, when it may", async () => {
  let booting = 0;
  let most = 0;
  let mayStart = false;
  const pool = createWarmPool({
    target: 3,
    newHost: () =>
      fakeHost(async () => {
        most = Math.max(most, ++booting);
        await Promise.resolve();
        booting--;
        return SLOT;
      }),
    boot: (host) => host.boot(),
    mayStart: () => mayStart,
    onFailure: () => {},
  });
  pool.refill();
  assertEquals(pool.ready(), 0);
  mayStart = true;
  await new Promise((resolve) => setTimeout(resolve, 0));
  pool.refill();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals([pool.ready(), most], [3, 1]);
  assertEquals(await pool.take()?.slot, SLOT);
  assertEquals(pool.ready(), 2);
  pool.close();
});

Deno.test("createWarmPool() does not try again at once when a boot fails", async () => {
  let tries = 0;
  const failures: unknown[] = [];
  const pool = createWarmPool({
    target: 2,
    newHost: () => {
      tries++;
      return fakeHost(() => Promise.reject(new Error("no interpreter")));
    },
    boot: (host) => host.boot(),
    mayStart: () => true,
    onFailure: (error) => failures.push(error),
  });
  pool.refill();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals([tries, failures.length], [1, 1]);
  assertEquals(pool.take(), undefined);
  pool.close();
});

Deno.test("createWarmPool() boots in a moment what sessions have taken, however many begin", async () => {
  let started = 0;
  const booted = Promise.withResolvers<void>();
  const pool = createWarmPool({
    target: 1,
    newHost: () => {
      started++;
      booted.resolve();
      return fakeHost(() => Promise.resolve(SLOT));
    },
    boot: (host) => host.boot(),
    mayStart: () => true,
    onFailure: () => {},
  });
  for (let i = 0; i < 3; i++) pool.refillSoon();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(started, 0);
  await booted.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals([started, pool.ready()], [1, 1]);
  pool.close();
});

Deno.test("createWarmPool() gives a spare only while another one is booted, or waits for it", async () => {
  const boots: (() => void)[] = [];
  const pool = createWarmPool({
    target: 2,
    newHost: () => fakeHost(() => new Promise((resolve) => boots.push(() => resolve(SLOT)))),
    boot: (host) => host.boot(),
    mayStart: () => true,
    onFailure: () => {},
  });
  async function bootNext() {
    boots.shift()!();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  pool.refill();
  const [first, second] = [pool.takeSurplus(60_000), pool.takeSurplus(60_000)];
  await bootNext();
  assertEquals(pool.ready(), 1);
  await bootNext();
  assertEquals([await (await first)?.slot, pool.ready()], [SLOT, 1]);
  pool.refill();
  await bootNext();
  assertEquals([await (await second)?.slot, pool.ready()], [SLOT, 1]);
  assertEquals([await pool.takeSurplus(1), pool.ready()], [undefined, 1]);
  const last = pool.takeSurplus(60_000);
  pool.close();
  assertEquals(await last, undefined);
});

Deno.test("createWarmPool() has one go on with the likely image, and gives each session what is nearest", async () => {
  const sent: unknown[] = [];
  let likely: string | null | undefined;
  let made = 0;
  const pool = createWarmPool({
    target: 3,
    newHost: () => {
      const name = ++made;
      const slot = { name, send: (message: unknown) => sent.push([name, message]) };
      return fakeHost(() => Promise.resolve(slot as unknown as Slot));
    },
    boot: (host) => host.boot(),
    mayStart: () => true,
    likelyImage: () => likely,
    onFailure: () => {},
  });
  async function refilled() {
    pool.refill();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  async function take(image?: string | null) {
    return (await pool.take(image)?.slot as unknown as { name: number }).name;
  }
  await refilled();
  assertEquals([pool.ready(), sent], [3, []]);
  likely = "pydantic";
  assertEquals(await take(), 1);
  await refilled();
  assertEquals(sent.splice(0), [[2, { type: "begin", image: "pydantic" }]]);
  // Who needs another image, or none, gets one that has not begun.
  assertEquals(await take("httpx"), 3);
  assertEquals(await take("pydantic"), 2);
  await refilled();
  assertEquals(sent.splice(0), [[4, { type: "begin", image: "pydantic" }]]);
  likely = null;
  assertEquals(await take(null), 5);
  await refilled();
  // The same one, so that others can still go on with anything.
  assertEquals(sent.splice(0), [[4, { type: "begin", image: null }]]);
  assertEquals([await take("httpx"), await take("httpx"), await take("httpx")], [6, 7, 4]);
  pool.close();
});
