import { assert, assertEquals, assertGreater } from "@std/assert";
import { parseLook, parseProc, parsePs, readUsage, signalInside } from "../../src/sandbox/usage.ts";

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

Deno.test("parseLook() counts what a process has started as its own, and nothing else", () => {
  const one = (pid: number, kb: number, ticks: number) =>
    `${pid} (x) S 1 2 3 4 5 6 7 8 9 10 ${ticks} 0 1 1\nPid:\t${pid}\nVmRSS:\t${kb} kB\n`;
  const text = `of 7 8 9\nof 10 \nof 11 12\n${one(7, 1, 1)}${one(8, 10, 10)}${one(10, 5, 5)}`;
  assertEquals(
    parseLook(text),
    new Map([
      [7, { memory: 11 * 1024, processorMs: 110 }],
      [10, { memory: 5 * 1024, processorMs: 50 }],
    ]),
  );
});

Deno.test({
  name: "a signal goes to the process that works, wherever it is",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const works = 'trap "echo heard; exit 0" USR2; echo up; read _';
    for (const around of [[], ["-c", '"$@"; exit 0', "sh", "/bin/sh"]]) {
      const child = new Deno.Command("/bin/sh", {
        args: [...around, "-c", works],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      assertEquals((await reader.read()).value, "up\n");
      await signalInside(child.pid, "USR2");
      assertEquals((await reader.read()).value, "heard\n");
      await reader.cancel();
      await child.stdin.close();
      await child.status;
    }
  },
});

Deno.test("parsePs() reads hours and days", () => {
  const found = parsePs("  12  2048 00:01.50\n13 4 01:00:02\n 14 4 2-03:00:00\nnonsense\n");
  assertEquals(found.get(12), { memory: 2048 * 1024, processorMs: 1500 });
  assertEquals(found.get(13)?.processorMs, 3_602_000);
  assertEquals(found.get(14)?.processorMs, (51 * 3600) * 1000);
  assert(found.size === 3);
});
