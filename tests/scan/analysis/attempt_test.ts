import { assertEquals } from "@std/assert";
import { attempt } from "../../../src/scan/analysis/attempt.ts";
import type { HostListener, HostProcess } from "../../../src/scan/analysis/process.ts";
import type { HostReply, RunRequest } from "../../../workers/analysis/messages.ts";

const PATHS = ["a.py", "b.py", "c.py"];
const REQUEST: RunRequest = {
  type: "run",
  id: 1,
  analyser: "audit",
  lang: "python",
  entrypoint: "a.py",
  options: {},
  threads: 2,
  files: PATHS.map((path) => ({ path, size: 0 })),
};
const WATCH = { deadlineMs: 60_000, fileMs: 100, memoryBytes: Infinity };

/** A process whose words are those of `say`. */
function fakeHost(): { host: HostProcess; say(...replies: HostReply[]): void } {
  let listener: HostListener | null = null;
  const host: HostProcess = {
    pid: 1,
    alive: true,
    send() {},
    listen: (next) => void (listener = next),
    kill: () => Promise.resolve(),
    trim: () => Promise.resolve(),
    memory: () => Promise.resolve(null),
  };
  return { host, say: (...replies) => replies.forEach((reply) => listener?.onReply(reply)) };
}

function begin(file: string | null, thread: number): HostReply {
  return { type: "file", id: 1, file, thread };
}

interface Timer {
  due: number;
  /** Milliseconds until it is due again; null when it is not. */
  every: number | null;
  run: () => void;
}

/** Timers in place of the system's until it is disposed of: time passes when `pass` lets it. */
function heldTimers(): Disposable & { pass(ms: number): void } {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const timers = new Map<number, Timer>();
  let time = 0;
  let made = 0;
  function add(run: () => void, ms: number, every: number | null): number {
    timers.set(++made, { due: time + ms, every, run });
    return made;
  }
  const end = (id: number) => void timers.delete(id);
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms: number) => add(run, ms, null),
    setInterval: (run: () => void, ms: number) => add(run, ms, ms),
    clearTimeout: end,
    clearInterval: end,
  });
  return {
    pass(ms) {
      const until = time + ms;
      for (;;) {
        const [next] = [...timers].sort(([, a], [, b]) => a.due - b.due);
        if (next === undefined || next[1].due > until) break;
        const [id, timer] = next;
        time = timer.due;
        if (timer.every === null) timers.delete(id);
        else timer.due += timer.every;
        timer.run();
      }
      time = until;
    },
    [Symbol.dispose]: () =>
      void Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval }),
  };
}

Deno.test("attempt() gives a thread's file no blame while the one that speaks for it is busy", async () => {
  using timers = heldTimers();
  const { host, say } = fakeHost();
  const outcome = attempt(host, REQUEST, [], WATCH);
  say(begin("b.py", 1), begin("a.py", 0));
  for (let turn = 0; turn < 30; turn++) {
    timers.pass(WATCH.fileMs - 1);
    say(begin(turn % 2 === 0 ? "c.py" : "a.py", 0));
  }
  say({ type: "done", id: 1, result: "all", not_analysable: [] });
  assertEquals(await outcome, { kind: "done", result: "all", notAnalysable: [] });
});

Deno.test("attempt() blames a thread's file once the one that speaks for it has none", async () => {
  using timers = heldTimers();
  const { host, say } = fakeHost();
  const outcome = attempt(host, REQUEST, [], WATCH);
  say(begin("a.py", 0), begin("b.py", 1), begin("c.py", 2), begin(null, 2), begin(null, 0));
  timers.pass(WATCH.fileMs);
  assertEquals(await outcome, {
    kind: "broken",
    why: "file",
    file: "b.py",
    unclear: false,
    reason: "took longer than 0.1 s",
  });
});
