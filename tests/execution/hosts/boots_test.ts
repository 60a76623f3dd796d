import { assertEquals, assertRejects } from "@std/assert";
import { createBoots } from "../../../src/execution/hosts/boots.ts";

const LONG_MS = 600_000;

/** Lets everything that is ready run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Boots that note when they start, and end when told. */
function noted() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    ends,
    boot: (name: string) => () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  };
}

Deno.test("createBoots() lets so many boots run at once, and users take turns", async () => {
  const boots = createBoots(2, LONG_MS);
  const { started, ends, boot } = noted();
  const all = ["a1", "a2", "a3", "a4", "b1", "c1"].map((name) => boots.run(name[0]!, boot(name)));
  await turn();
  assertEquals(started, ["a1", "a2"]);
  assertEquals(boots.pending, 6);
  while (started.length < 6) {
    ends.shift()!();
    await turn();
  }
  assertEquals(started.slice(2), ["a3", "b1", "c1", "a4"]);
  for (const end of ends) end();
  await Promise.all(all);
  assertEquals(boots.pending, 0);
});

Deno.test("createBoots() gives the place of a boot that fails to the next", async () => {
  const boots = createBoots(1, LONG_MS);
  await assertRejects(() => boots.run("a", () => Promise.reject(new Error("no"))), Error, "no");
  assertEquals(await boots.run("b", () => Promise.resolve("booted")), "booted");
});

Deno.test("createBoots() does not let hosts that never boot hold up other users", async () => {
  const boots = createBoots(1, 1);
  const { started, ends, boot } = noted();
  const stuck = [boots.run("a", boot("a1")), boots.run("a", boot("a2"))];
  assertEquals(await boots.run("b", () => Promise.resolve("booted")), "booted");
  for (const end of ends) end();
  await Promise.all(stuck);
  // What they gave up they do not give back once more.
  const late = noted();
  const two = [boots.run("c", late.boot("c1")), boots.run("d", late.boot("d1"))];
  while (late.started.length < 2) {
    late.ends.shift()?.();
    await turn();
  }
  for (const end of late.ends) end();
  await Promise.all(two);
  assertEquals(started, ["a1", "a2"]);
});
