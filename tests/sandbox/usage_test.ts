import { assert, assertEquals, assertGreater } from "@std/assert";
import { parseProc, parsePs, readUsage } from "../../src/sandbox/usage.ts";

Deno.test("readUsage() tells memory and processor time of processes, and leaves out what is gone", async () => {
  const used = await readUsage([Deno.pid, 2 ** 22 + 1]);
  assertEquals([...used.keys()], [Deno.pid]);
  assertGreater(used.get(Deno.pid)!.memory, 10 << 20);
  assertGreater(used.get(Deno.pid)!.processorMs, 0);
  assertEquals(await readUsage([]), new Map());
});

Deno.test("parseProc() is not misled by the name of a process", () => {
  const name = "x) S 1 1 1 1 1 1 1 1 1 1 9999 9999 (y";
  const rest = "S 1 2 3 4 5 6 7 8 9 10 150 50 1 1";
  const text = `7 (${name}) ${rest}\nName:\t${name}\nPid:\t7\nVmRSS:\t    2048 kB\n` +
    `8 (deno) S 1\nName:\tdeno\nPid:\t9\nVmRSS:\t 1 kB\n`;
  assertEquals(parseProc(text), new Map([[7, { memory: 2048 * 1024, processorMs: 2000 }]]));
});

Deno.test("parsePs() reads hours and days", () => {
  const found = parsePs("  12  2048 00:01.50\n13 4 01:00:02\n 14 4 2-03:00:00\nnonsense\n");
  assertEquals(found.get(12), { memory: 2048 * 1024, processorMs: 1500 });
  assertEquals(found.get(13)?.processorMs, 3_602_000);
  assertEquals(found.get(14)?.processorMs, (51 * 3600) * 1000);
  assert(found.size === 3);
});
