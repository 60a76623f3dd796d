import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { createLogger } from "../../../src/log.ts";
import {
  type Analysis,
  type AnalysisOptions,
  createAnalysis,
} from "../../../src/scan/analysis/analysis.ts";
import { type HostProcess, startHost } from "../../../src/scan/analysis/process.ts";
import type { AnalysisOutcome } from "../../../src/scan/analysis/run.ts";
import { processorSeconds, until } from "../../helpers/interpreter.ts";
import { NO_WALLS } from "../../../src/sandbox/walls.ts";

const program = fileURLToPath(new URL("./fake_host.ts", import.meta.url));
const log = createLogger({ level: "error", format: "text", write: () => {} });

function filesOf(orders: Record<string, string>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(orders).map(([path, order]) => [path, new TextEncoder().encode(order)]),
  );
}

async function withAnalysis(
  options: Partial<AnalysisOptions>,
  use: (analysis: Analysis) => Promise<void>,
): Promise<void> {
  const analysis = createAnalysis({ walls: NO_WALLS, log, program, fileMs: 120_000, ...options });
  try {
    await use(analysis);
  } finally {
    await analysis.close();
  }
}

function run(
  analysis: Pick<Analysis, "run">,
  orders: Record<string, string>,
  deadlineMs = 600_000,
  signal?: AbortSignal,
): Promise<AnalysisOutcome> {
  return analysis.run(
    { analyser: "quality", lang: "python", entrypoint: "a.py", files: filesOf(orders) },
    { deadlineMs, ...(signal ? { signal } : {}) },
  );
}

interface Result {
  pid: number;
  served: number;
  files: string[];
}

function resultOf(outcome: AnalysisOutcome): Result {
  assertEquals(outcome.kind, "done");
  return (outcome as { result: unknown }).result as Result;
}

/** The files that could not be analysed. */
function leftOut(outcome: AnalysisOutcome): string[] {
  return outcome.kind === "done" ? outcome.notAnalysable.map(({ file }) => file) : [];
}

/** Waits until the process is gone. */
async function gone(pid: number): Promise<void> {
  await until(async () => await processorSeconds(pid) === null);
}

Deno.test("the analysers of one scan share a process, which ends with the scan", async () => {
  await withAnalysis({}, async (analysis) => {
    const scan = analysis.begin();
    const first = resultOf(await run(scan, { "a.py": "" }));
    const second = resultOf(await run(scan, { "a.py": "" }));
    assertEquals([second.pid, second.served], [first.pid, 2]);
    await scan.close();
    await gone(first.pid);
    await assertRejects(() => run(scan, { "a.py": "" }), Error, "the scan has ended");
  });
});

Deno.test("no process meets a second scan, nor a second run outside of one", async () => {
  await withAnalysis({ processes: 1, warmAfterMs: 0 }, async (analysis) => {
    const seen = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const scan = analysis.begin();
      const { pid } = resultOf(await run(scan, { "a.py": "" }));
      await scan.close();
      await gone(pid);
      seen.add(pid).add(resultOf(await run(analysis, { "a.py": "" })).pid);
    }
    assertEquals(seen.size, 6);
  });
});

Deno.test("runs of one scan wait for each other, and another scan for its place", async () => {
  await withAnalysis({ processes: 1 }, async (analysis) => {
    const [one, other] = [analysis.begin(), analysis.begin()];
    const [first, second] = await Promise.all([
      run(one, { "a.py": "" }),
      run(one, { "a.py": "" }),
    ]);
    const waiting = run(other, { "a.py": "" });
    assertEquals(resultOf(first).pid, resultOf(second).pid);
    await one.close();
    assert(resultOf(await waiting).pid !== resultOf(first).pid);
    await other.close();
  });
});

/** A process of the test's program that says that it has so much memory, and counts `trim()`. */
function weighing(megabytes: number): { start: () => HostProcess; trims: () => number } {
  let trims = 0;
  return {
    start: () =>
      Object.assign(Object.create(startHost({ program, walls: NO_WALLS })), {
        memory: () => Promise.resolve(megabytes * 2 ** 20),
        trim: () => void trims++,
      }),
    trims: () => trims,
  };
}

Deno.test("warm() has a large process give memory back", async () => {
  for (const [megabytes, expected] of [[300, 1], [100, 0]] as const) {
    const { start, trims } = weighing(megabytes);
    await withAnalysis({ start }, async (analysis) => {
      await analysis.warm();
      resultOf(await run(analysis, { "a.py": "" }));
    });
    assertEquals(trims(), expected);
  }
});

Deno.test("warm() prepares one process, for the next scan alone", async () => {
  await withAnalysis({}, async (analysis) => {
    await analysis.warm();
    await analysis.warm();
    const first = resultOf(await run(analysis, { "a.py": "" }));
    assert(first.served > 1, "the process was not prepared");
    const second = resultOf(await run(analysis, { "a.py": "" }));
    assertEquals(second.served, 1);
  });
});

Deno.test("a process is prepared for the next scan once one has ended", async () => {
  await withAnalysis({ warmAfterMs: 600_000 }, async (analysis) => {
    resultOf(await run(analysis, { "a.py": "" }));
    let served = 1;
    await until(async () => {
      // Those that meet none count as scans, too: after each another is prepared.
      await new Promise((resolve) => setTimeout(resolve, 4000));
      served = resultOf(await run(analysis, { "a.py": "" })).served;
      return served > 1;
    });
  });
});

Deno.test("expect() prepares a process in brief, and a run that comes meanwhile waits for it", async () => {
  await withAnalysis({ processes: 1 }, async (analysis) => {
    const expecting = analysis.expect("python");
    const first = resultOf(await run(analysis, { "a.py": "" }));
    await expecting;
    assertEquals(first.served, 7, "six analysers in advance, then the run");
  });
});

Deno.test("warm() leaves nothing behind when the analysis is closed meanwhile", async () => {
  await withAnalysis({}, async (analysis) => {
    const warming = analysis.warm();
    await analysis.close();
    await warming;
    await assertRejects(() => run(analysis, { "a.py": "" }), Error, "shutting down");
  });
});

Deno.test("run() finds the file that crashes, hangs or breaks an engine and analyses the rest", async () => {
  await withAnalysis({ fileMs: 3000 }, async (analysis) => {
    const outcome = await run(analysis, {
      "a.py": "",
      "b.py": "crash",
      "c.py": "loop",
      "d.py": "throw",
      "e.py": "print",
    });
    const result = resultOf(outcome);
    assertEquals(result.files, ["a.py", "e.py"]);
    assertEquals(result.served, 1, "a process in which an engine threw was used again");
    const { notAnalysable } = outcome as { notAnalysable: { file: string; reason: string }[] };
    assertEquals(notAnalysable.map(({ file }) => file), ["b.py", "c.py", "d.py"]);
    assertStringIncludes(notAnalysable[1]!.reason, "longer than 3 s");
  });
});

Deno.test("run() looks at one file after the other where several may have broken the process", async () => {
  await withAnalysis({ threads: 2 }, async (analysis) => {
    const outcome = await run(analysis, {
      "side_by_side_1.py": "",
      "side_by_side_2.py": "crash",
      "side_by_side_3.py": "",
    });
    assertEquals(resultOf(outcome).files, ["side_by_side_1.py", "side_by_side_3.py"]);
    assertEquals(leftOut(outcome), ["side_by_side_2.py"]);
  });
});

Deno.test("run() knows which thread's file hangs", async () => {
  await withAnalysis({ threads: 2, fileMs: 3000 }, async (analysis) => {
    const outcome = await run(analysis, {
      "side_by_side_1.py": "",
      "side_by_side_2.py": "",
      "side_by_side_hangs.py": "",
    });
    assertEquals(resultOf(outcome).files, ["side_by_side_2.py", "side_by_side_hangs.py"]);
    assertEquals(leftOut(outcome), ["side_by_side_1.py"]);
  });
});

Deno.test("run() gives up after too many broken files", async () => {
  await withAnalysis({ maxBroken: 1 }, async (analysis) => {
    const outcome = await run(analysis, { "a.py": "crash", "b.py": "crash", "c.py": "crash" });
    assertEquals(outcome.kind === "failed" && [outcome.code, outcome.file], ["crashed", "b.py"]);
  });
});

Deno.test("run() kills a busy process at the deadline, so that it uses no more CPU", async () => {
  await withAnalysis({}, async (analysis) => {
    const scan = analysis.begin();
    const { pid } = resultOf(await run(scan, { "a.py": "" }));
    const outcome = await run(scan, { "a.py": "loop" }, 500);
    assertEquals(outcome.kind === "failed" && outcome.code, "timeout");
    // The next run of the same scan has another process.
    assert(resultOf(await run(scan, { "a.py": "" })).pid !== pid);
    await gone(pid);
    await scan.close();
  });
});

Deno.test("run() multiplies its deadlines by what the machine asks for", async () => {
  await withAnalysis({ patience: () => 5, fileMs: 100 }, async (analysis) => {
    const outcome = await run(analysis, { "a.py": "loop" }, 100);
    assertEquals(outcome.kind === "failed" && outcome.code, "timeout");
    assertStringIncludes(outcome.kind === "failed" ? outcome.message : "", "longer than 0.5 s");
  });
});

/** Those of the task `start`: with them Deno refuses to read `/proc`. */
const OF_START: Deno.PermissionOptionsObject = {
  env: true,
  net: true,
  read: true,
  run: true,
  sys: true,
  write: true,
};

Deno.test(
  "run() kills a process that outgrows its memory, with the permissions that Berth has",
  { permissions: OF_START },
  async () => {
    await withAnalysis({ memoryBytes: 400 * 2 ** 20, maxBroken: 0 }, async (analysis) => {
      const outcome = await run(analysis, { "a.py": "grow" });
      assertEquals(outcome.kind === "failed" && outcome.code, "limit");
    });
  },
);

Deno.test("run() takes a process that breaks the protocol for a crashed one", async () => {
  await withAnalysis({ maxBroken: 0 }, async (analysis) => {
    for (const order of ["lie", "huge", "babble"]) {
      const outcome = await run(analysis, { "a.py": order });
      assertEquals(outcome.kind === "failed" && outcome.code, "crashed", order);
    }
    assertEquals(resultOf(await run(analysis, { "a.py": "stale" })).files, ["a.py"]);
  });
});

Deno.test("run() rejects with the signal's reason, running or waiting, and frees the place", async () => {
  await withAnalysis({ processes: 1 }, async (analysis) => {
    const running = new AbortController();
    const waiting = new AbortController();
    const first = assertRejects(() => run(analysis, { "a.py": "loop" }, 120_000, running.signal));
    const second = assertRejects(() => run(analysis, { "a.py": "" }, 120_000, waiting.signal));
    const third = run(analysis, { "a.py": "" });
    waiting.abort(new Error("no longer wanted"));
    await second;
    running.abort(new Error("no longer wanted"));
    await first;
    resultOf(await third);
  });
});

Deno.test("run() works in at most the given number of processes", async () => {
  await withAnalysis({ processes: 2 }, async (analysis) => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => run(analysis, { "a.py": "" })),
    );
    outcomes.forEach(resultOf);
  });
});

Deno.test("a host ends when its parent is killed, even while it is busy", async () => {
  const parent = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("./orphan_parent.ts", import.meta.url))],
    stdout: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  const { value } = await reader.read();
  const pid = Number(new TextDecoder().decode(value));
  assert(pid > 0);
  parent.kill("SIGKILL");
  await parent.status;
  await reader.cancel();
  await gone(pid);
});
