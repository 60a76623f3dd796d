import { assertEquals, assertMatch } from "@std/assert";
import { createHostWatch, type WatchedHost } from "../../../src/execution/hosts/watch.ts";
import type { Usage } from "../../../src/sandbox/usage.ts";

/** A watch on one host, with a clock and usage of its own; `kills` are the reasons. */
function watchOne() {
  let time = 0;
  const usage: Usage = { memory: 0, processorMs: 0 };
  const kills: string[] = [];
  /** What happens while the system is asked. */
  const meanwhile: (() => void)[] = [];
  const host = {
    pid: 7,
    size: 1,
    alive: true,
    working: false,
    worked: 1,
    isSpare: false,
    trims: 0,
    trim: () => void host.trims++,
    kill(reason: string, message: string) {
      kills.push(`${reason}: ${message}`);
      host.alive = false;
      return Promise.resolve();
    },
  };
  const watch = createHostWatch({
    hosts: () => [host as WatchedHost],
    readUsage() {
      const read = new Map([[7, { ...usage }]]);
      meanwhile.shift()?.();
      return Promise.resolve(read);
    },
    memoryLimitMb: (sessions) => 100 * sessions,
    now: () => time,
    // Looked at by hand only.
    intervalMs: 1e9,
    onBlind: () => kills.push("blind"),
  });
  /** Lets `seconds` go by, one look each, in which the host uses `share` of a processor. */
  async function pass(seconds: number, share: number) {
    for (let i = 0; i < seconds; i++) {
      time += 1000;
      usage.processorMs += share * 1000;
      await watch.look();
    }
  }
  return { host, usage, kills, watch, meanwhile, pass };
}

Deno.test("createHostWatch() ends a host that computes without work, after 15 s of processor", async () => {
  const { kills, pass, watch } = watchOne();
  await pass(60, 0.4);
  assertEquals(kills, []);
  await pass(30, 0.6);
  assertEquals(kills.length, 1);
  assertMatch(kills[0]!, /^processor: .*between calls, .* for more than 15 s within 30 s/);
  watch.close();
});

Deno.test("createHostWatch() ends a spare session's host after 3 s of processor: nobody wants that", async () => {
  const { host, kills, pass, watch } = watchOne();
  host.isSpare = true;
  await pass(60, 0.08);
  assertEquals(kills, []);
  await pass(30, 0.2);
  assertMatch(kills.join(), /^processor: .* for more than 3 s within 30 s/);
  watch.close();
});

Deno.test("createHostWatch() lets a host compute while it works", async () => {
  const { host, kills, pass, watch } = watchOne();
  host.working = true;
  await pass(120, 1);
  host.working = false;
  await pass(1, 1);
  assertEquals(kills, []);
  watch.close();
});

Deno.test("createHostWatch() does not forget idle computing because of short calls between", async () => {
  const { host, kills, pass, watch } = watchOne();
  for (let round = 0; round < 40 && kills.length === 0; round++) {
    await pass(3, 1);
    // A call that began and ended between two looks makes that stretch count as work.
    host.worked++;
  }
  assertMatch(kills.join(), /^processor/);
  watch.close();
});

Deno.test("createHostWatch() ends a host that is larger than its sessions may be", async () => {
  const { host, usage, kills, pass, watch } = watchOne();
  host.size = 2;
  usage.memory = 200 << 20;
  await pass(1, 0);
  assertEquals(kills, []);
  usage.memory += 1;
  await pass(2, 0);
  assertEquals(kills.length, 1);
  assertMatch(kills[0]!, /^memory: .*more than 200 MiB/);
  watch.close();
});

Deno.test("createHostWatch() lets the memory of a session that leaves go in its own time", async () => {
  const { host, usage, kills, watch, meanwhile, pass } = watchOne();
  host.size = 2;
  usage.memory = 150 << 20;
  meanwhile.push(() => host.size = 1);
  await pass(2, 0);
  assertEquals(kills, []);
  await pass(1, 0);
  assertMatch(kills.join(), /^memory: .*more than 100 MiB/);
  watch.close();
});

Deno.test("createHostWatch() counts nothing of a call that ends while the system is asked", async () => {
  const { host, kills, watch, meanwhile, pass } = watchOne();
  for (let round = 0; round < 40; round++) {
    host.working = true;
    host.worked++;
    meanwhile.push(() => host.working = false);
    // The end of the call is in the second look's figures.
    await pass(2, 1);
  }
  assertEquals(kills, []);
  watch.close();
});

Deno.test("createHostWatch() says once that it cannot see", async () => {
  const seen: string[] = [];
  const host = {
    pid: 1,
    size: 1,
    alive: true,
    working: false,
    worked: 0,
    isSpare: false,
    trim() {},
    kill: async () => {},
  };
  const watch = createHostWatch({
    hosts: () => [host],
    readUsage: () => Promise.reject(new Error("no such program")),
    memoryLimitMb: () => 1,
    intervalMs: 1e9,
    onBlind: () => seen.push("blind"),
  });
  await watch.look();
  await watch.look();
  assertEquals(seen, ["blind"]);
  watch.close();
});

Deno.test("createHostWatch() has a host that rests give memory back, once until it works again", async () => {
  const { host, pass, watch } = watchOne();
  await pass(5, 0);
  assertEquals(host.trims, 0);
  await pass(60, 0);
  assertEquals(host.trims, 1);
  host.worked++;
  await pass(5, 0);
  assertEquals(host.trims, 1);
  host.working = true;
  await pass(30, 0.2);
  host.working = false;
  host.worked++;
  assertEquals(host.trims, 1);
  await pass(10, 0);
  assertEquals(host.trims, 2);
  watch.close();
});
