import { assertEquals } from "@std/assert";
import { attempt } from "../../../src/scan/analysis/attempt.ts";
import type { HostListener, HostProcess } from "../../../src/scan/analysis/process.ts";
import type { HostReply, RunRequest } from "../../../workers/analysis_protocol.ts";

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

/** A process that says what `talk` has it say. */
function fakeHost(talk: (say: (reply: HostReply) => void) => void): HostProcess {
  let listener: HostListener | null = null;
  return {
    pid: 1,
    alive: true,
    send: () => talk((reply) => listener?.onReply(reply)),
    listen: (next) => void (listener = next),
    kill: () => Promise.resolve(),
    memory: () => Promise.resolve(null),
  };
}

function begin(file: string | null, thread: number): HostReply {
  return { type: "file", id: 1, file, thread };
}

Deno.test("attempt() gives a thread's file no blame while the one that speaks for it is busy", async () => {
  const host = fakeHost((say) => {
    say(begin("b.py", 1));
    say(begin("a.py", 0));
    let turns = 0;
    // Due before the time of a file is over, so that it also comes before on a slow machine.
    const busy = setInterval(() => {
      if (++turns < 30) return say(begin(turns % 2 === 0 ? "a.py" : "c.py", 0));
      clearInterval(busy);
      say({ type: "done", id: 1, result: turns, not_analysable: [] });
    }, 10);
  });
  assertEquals(await attempt(host, REQUEST, [], WATCH), {
    kind: "done",
    result: 30,
    notAnalysable: [],
  });
});

Deno.test("attempt() blames a thread's file once the one that speaks for it has none", async () => {
  const host = fakeHost((say) => {
    say(begin("a.py", 0));
    say(begin("b.py", 1));
    say(begin("c.py", 2));
    say(begin(null, 2));
    say(begin(null, 0));
  });
  assertEquals(await attempt(host, REQUEST, [], WATCH), {
    kind: "broken",
    why: "file",
    file: "b.py",
    unclear: false,
    reason: "took longer than 0.1 s",
  });
});
