import { assertEquals, assertThrows } from "@std/assert";
import { CallQueue } from "../../../src/execution/interpreters/calls.ts";

const DEADLINE_MS = 60_000;

function queueWithNotes() {
  const notes: string[] = [];
  const queue = new CallQueue({
    interrupt: (call) => notes.push(`interrupt ${call}`),
    kill: () => notes.push("kill"),
    graceMs: 60_000,
  });
  const run = (signal?: AbortSignal) =>
    queue.run<string>({
      deadlineMs: DEADLINE_MS,
      signal,
      start: (call) => notes.push(`start ${call}`),
    });
  return { queue, notes, run };
}

Deno.test("a call queue starts one after the other and takes only the outcome of what runs", async () => {
  const { queue, notes, run } = queueWithNotes();
  const outcomes = [run(), run()];
  assertEquals(notes, ["start 0"]);
  assertThrows(() => queue.finish(1, "too early"), Error, "is not running");
  queue.finish(0, "a");
  assertThrows(() => queue.finish(0, "again"), Error, "is not running");
  queue.finish(1, "b");
  assertThrows(() => queue.finish(2, "nothing runs"), Error, "is not running");
  assertEquals(notes, ["start 0", "start 1"]);
  assertEquals(await Promise.all(outcomes), [
    { kind: "finished", value: "a", stopped: false },
    { kind: "finished", value: "b", stopped: false },
  ]);
});

Deno.test("a call queue refuses work when too much waits", async () => {
  const { queue, run } = queueWithNotes();
  const all = Array.from({ length: 66 }, () => run());
  assertEquals(await all[65], { kind: "full" });
  queue.end();
  assertEquals(await all[0], { kind: "ended" });
  assertEquals(await all[64], { kind: "ended" });
  assertEquals(await run(), { kind: "ended" });
});

Deno.test("a call queue interrupts what runs when it is aborted, and forgets what waits", async () => {
  const { queue, notes, run } = queueWithNotes();
  const first = new AbortController();
  const second = new AbortController();
  const running = run(first.signal);
  const waiting = run(second.signal);
  second.abort();
  assertEquals(await waiting, { kind: "cancelled" });
  first.abort();
  assertEquals(notes, ["start 0", "interrupt 0"]);
  queue.finish(0, "late");
  assertEquals(await running, { kind: "finished", value: "late", stopped: false });
  assertEquals(await run(AbortSignal.abort()), { kind: "cancelled" });
  assertEquals(notes, ["start 0", "interrupt 0"]);
});

Deno.test("a call queue interrupts at the deadline and says so", async () => {
  const notes: string[] = [];
  const queue = new CallQueue({
    interrupt(call) {
      notes.push(`interrupt ${call}`);
      queue.finish(call, "stopped");
    },
    kill: () => notes.push("kill"),
    graceMs: 60_000,
  });
  const outcome = await queue.run<string>({ deadlineMs: 5, start: () => {} });
  assertEquals(outcome, { kind: "finished", value: "stopped", stopped: true });
  assertEquals(notes, ["interrupt 0"]);
});

Deno.test("a call queue lets the next begin while all that runs waits for the client", async () => {
  const { queue, notes, run } = queueWithNotes();
  const outcomes = [run(), run(), run()];
  const resume = queue.pause(0);
  assertEquals(notes, ["start 0", "start 1"]);
  resume();
  queue.finish(0, "a");
  assertEquals(notes, ["start 0", "start 1"]);
  queue.finish(1, "b");
  assertEquals(notes, ["start 0", "start 1", "start 2"]);
  queue.finish(2, "c");
  assertEquals((await Promise.all(outcomes)).map(({ kind }) => kind), [
    "finished",
    "finished",
    "finished",
  ]);
  // Nothing of work that is over is left to pause or resume.
  queue.pause(0)();
  resume();
});

Deno.test("a call queue stops the clock of work that waits for the client, and starts it again", async () => {
  const notes: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const queue = new CallQueue({
    interrupt(call) {
      notes.push(`interrupt ${call}`);
      stopped.resolve();
    },
    kill: () => notes.push("kill"),
    graceMs: 60_000,
  });
  const outcome = queue.run<string>({ deadlineMs: 5, start: () => {} });
  const [first, second] = [queue.pause(0), queue.pause(0)];
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(notes, []);
  first();
  first();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(notes, []);
  second();
  await stopped.promise;
  // No more time for work that is being stopped.
  queue.pause(0);
  queue.finish(0, "late");
  assertEquals(await outcome, { kind: "finished", value: "late", stopped: true });
  assertEquals(notes, ["interrupt 0"]);
});

Deno.test("a call queue lets the next begin while what runs awaits something, until it is late", async () => {
  const { queue, notes, run } = queueWithNotes();
  run();
  run();
  queue.wait(0);
  assertEquals(notes, ["start 0", "start 1"]);
  assertThrows(() => queue.wait(0), Error, "is already waiting");
  assertThrows(() => queue.wait(7), Error, "is not running");
  queue.end();

  const interrupted = Promise.withResolvers<void>();
  const late = new CallQueue({
    interrupt: () => interrupted.resolve(),
    kill() {},
    graceMs: 60_000,
  });
  const outcomes = [0, 1].map(() => late.run({ deadlineMs: 5, start: () => {} }));
  await interrupted.promise;
  late.wait(0);
  assertThrows(() => late.finish(1, null), Error, "is not running");
  late.end();
  await Promise.all(outcomes);
});

Deno.test("a call queue kills for a late call once no other has time left", async () => {
  const notes: string[] = [];
  const killed = Promise.withResolvers<void>();
  const queue = new CallQueue({
    interrupt: (call) => notes.push(`interrupt ${call}`),
    kill() {
      notes.push("kill");
      killed.resolve();
    },
    graceMs: 5,
  });
  const outcomes = [queue.run({ deadlineMs: 5, start: () => {} })];
  queue.wait(0);
  outcomes.push(queue.run({ deadlineMs: 60_000, start: () => {} }));
  await new Promise((resolve) => setTimeout(resolve, 60));
  notes.push("finish 1");
  queue.finish(1, "in time");
  await killed.promise;
  assertEquals(notes, ["interrupt 0", "finish 1", "kill"]);
  queue.end();
  await Promise.all(outcomes);
});
