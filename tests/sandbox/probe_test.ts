import { assertEquals } from "@std/assert";
import { type Way, waysThatWork } from "../../src/sandbox/probe.ts";
import { SYSTEM } from "../../src/sandbox/system.ts";

const NONE: Way = { words: [] };
const WORKS: Way = { words: ["env"] };
const FAILS: Way = { words: ["/no/such/program"] };

function counted() {
  const counter = {
    asked: 0,
    run(command: string[]) {
      counter.asked++;
      return SYSTEM.run(command);
    },
  };
  return counter;
}

Deno.test("of each wall the first way that works is found with one question", async () => {
  const cases: [walls: Way[][], chosen: Way[]][] = [
    [[[WORKS, NONE], [WORKS, NONE]], [WORKS, WORKS]],
    [[[FAILS, NONE], [WORKS, NONE]], [NONE, WORKS]],
    [[[WORKS, NONE], [FAILS, FAILS, WORKS, NONE]], [WORKS, WORKS]],
    [[[FAILS, NONE], [FAILS, NONE], [FAILS, NONE]], [NONE, NONE, NONE]],
    [[], []],
  ];
  for (const [walls, chosen] of cases) {
    const counter = counted();
    assertEquals(await waysThatWork(walls, counter.run), chosen);
    assertEquals(counter.asked, 1);
  }
});

Deno.test("a way works only where its files can be read behind it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "berth-test-" });
  // A path is a word whatever is in it.
  const there = `${folder}/it's $HOME; exit 1 \\ "here"\n`;
  await Deno.writeTextFile(there, "");
  const given: Way = { words: ["env"], files: ["/bin/sh", there] };
  const missing: Way = { words: ["env"], files: ["/bin/sh", `${there}x`] };
  assertEquals(await waysThatWork([[missing, given, NONE], [WORKS]], SYSTEM.run), [given, WORKS]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a way is tried from behind those before it, and its words are taken as they are", async () => {
  const outer: Way = { words: ["env", 'OUTER=it\'s "$HOME"\n*'] };
  const inner = (value: string): Way => ({
    words: ["/bin/sh", "-c", 'test "$OUTER" = "$1" && shift && exec "$@"', "sh", value],
  });
  const right = inner('it\'s "$HOME"\n*');
  assertEquals(await waysThatWork([[outer], [inner("else"), right, NONE]], SYSTEM.run), [
    outer,
    right,
  ]);
});

Deno.test("what a way writes by itself is no answer", async () => {
  const loud = (then: string): Way => ({
    words: ["/bin/sh", "-c", `echo 0 0; echo 7 >&2; "$@"; ${then}`, "sh"],
  });
  const walls = [[loud("exit 3"), loud("echo; exit 0"), NONE], [FAILS, NONE]];
  assertEquals((await waysThatWork(walls, SYSTEM.run))[1], NONE);
  assertEquals(await waysThatWork([[loud("exit 3"), WORKS], [WORKS]], SYSTEM.run), [WORKS, WORKS]);
});

Deno.test("a way that ends well without starting what follows it does not work", async () => {
  const swallows: Way = { words: ["true"] };
  for (const walls of [[[swallows, WORKS, NONE]], [[WORKS, NONE], [swallows, WORKS, NONE]]]) {
    assertEquals(await waysThatWork(walls, SYSTEM.run), walls.map(() => WORKS));
  }
});

Deno.test("a way that hangs, or takes its asker along, does not take the other walls with it", async () => {
  const kills: Way = { words: ["/bin/sh", "-c", "kill -9 $PPID", "sh"] };
  const walls = [[WORKS, NONE], [kills, WORKS, NONE], [FAILS, NONE], [WORKS, NONE]];
  assertEquals(await waysThatWork(walls, SYSTEM.run), [WORKS, WORKS, NONE, WORKS]);
  const nobodySays = () => Promise.resolve(null);
  assertEquals(await waysThatWork(walls, nobodySays), [NONE, NONE, NONE, NONE]);
});
