/**
 * How long `tools/call` takes whose Python body is empty, and how many come in a second: Berth beside
 * the official Python SDK's HTTP server on CPython, by turns. Each connection has a session of its
 * own. Processor time is that of all processes of a side, which a busy machine disturbs less.
 *
 * @module
 */
import { processorMs } from "../../helpers/processes.ts";
import { connect, type Connection } from "./clients.ts";
import { emptyServer, PYTHON, startSdkServer } from "./sdk.ts";
import { startService } from "./service.ts";
import { type Bar, notBuilt, quantile, type Row } from "./table.ts";

/** How long each side is asked, and how often. */
export interface CallScale {
  rounds: number;
  roundMs: number;
}

/** What one side does. */
export interface CallFigures {
  median: number;
  p99: number;
  perSecond: number;
  /** Milliseconds of processor time for each call. */
  processor: number;
}

interface Side {
  pid: number;
  connections: Connection[];
  times: number[];
  processorMs: number;
}

/** Milliseconds of each call of a round. */
async function round(connections: Connection[], roundMs: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + roundMs;
  await Promise.all(connections.map(async ({ call }) => {
    while (performance.now() < end) {
      const start = performance.now();
      await call();
      times.push(performance.now() - start);
    }
  }));
  return times;
}

/** Measures servers at `urls` with so many connections each, in the order of `given`. */
export async function measureCalls(
  count: number,
  given: readonly { url: string; pid: number }[],
  { rounds, roundMs }: CallScale,
): Promise<CallFigures[]> {
  const sides: Side[] = [];
  for (const { url, pid } of given) {
    const connections: Connection[] = [];
    for (let i = 0; i < count; i++) connections.push(await connect(url));
    // Not measured: both compile, and fill their caches; Berth boots a spare interpreter.
    await round(connections, roundMs);
    sides.push({ pid, connections, times: [], processorMs: 0 });
  }
  for (let i = 0; i < rounds; i++) {
    for (const side of sides) {
      const before = await processorMs(side.pid);
      side.times.push(...await round(side.connections, roundMs));
      side.processorMs += await processorMs(side.pid) - before;
    }
  }
  await Promise.all(sides.flatMap(({ connections }) => connections.map(({ close }) => close())));
  return sides.map(({ times, processorMs }) => ({
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    perSecond: times.length / (rounds * roundMs / 1000),
    processor: processorMs / times.length,
  }));
}

function rowsOf(count: number, [own, peer]: CallFigures[]): Row[] {
  const what = `tools/call, ${count} connection${count === 1 ? "" : "s"}`;
  const calls = own!.perSecond / peer!.perSecond;
  const latency = own!.median / peer!.median;
  return [
    {
      what: `${what}, calls per second`,
      berth: own!.perSecond.toFixed(0),
      peer: peer!.perSecond.toFixed(0),
      ratio: `${calls.toFixed(1)} times as many`,
      bar: "3 times as many",
      isReached: calls >= 3,
    },
    {
      what: `${what}, median (99th percentile)`,
      berth: `${own!.median.toFixed(1)} ms (${own!.p99.toFixed(0)})`,
      peer: `${peer!.median.toFixed(1)} ms (${peer!.p99.toFixed(0)})`,
      ratio: `${latency.toFixed(2)} of it`,
      bar: "at most 0.5 of it",
      isReached: latency <= 0.5,
    },
  ];
}

/** Runs `work` with the same server in Berth and in CPython. */
export async function withBoth(
  work: (sides: { url: string; pid: number }[]) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
  await Deno.writeTextFile(`${folder}/server.py`, emptyServer());
  const sdk = await startSdkServer(`${folder}/server.py`);
  try {
    await using berth = await startService({ empty: emptyServer() });
    await work([{ url: berth.urlOf("empty"), pid: berth.pid }, sdk]);
  } finally {
    await sdk.close();
    await Deno.remove(folder, { recursive: true });
  }
}

export const callsBar: Bar = {
  name: "calls",
  async measure({ quick, rounds }) {
    if (PYTHON === undefined) return [notBuilt("tools/call: TEST_MCP_PYTHON is not set", "")];
    const scale = { rounds: Math.ceil(rounds / 2), roundMs: quick ? 500 : 2000 };
    const rows: Row[] = [];
    await withBoth(async (sides) => {
      for (const count of [1, 16, 64]) {
        rows.push(...rowsOf(count, await measureCalls(count, sides, scale)));
      }
    });
    return rows;
  },
};
