/**
 * What idle sessions and an idle service hold, shared pages counted once.
 *
 * @module
 */
import { connect } from "./clients.ts";
import { emptyServer, proportionalMb, PYTHON, startSdkProcess } from "./sdk.ts";
import { startService } from "./service.ts";
import { REHEARSAL_MS, tenServers, WARM } from "./starts.ts";
import { atMost, type Bar, median, pause, type Row, timed } from "./table.ts";

const SESSIONS = 4;
/** Until what a start has left behind is given back, and the process that analyses has ended. */
const SETTLE_MS = 150_000;
/** Hosts give memory back after five seconds of rest. */
const QUICK_SETTLE_MS = 20_000;
/** Until all sessions must be parked. */
const PARKED_MS = 180_000;

/** Megabytes of an idle CPython process with the SDK, of ten. */
async function peerMb(): Promise<string> {
  if (PYTHON === undefined) return "TEST_MCP_PYTHON is not set";
  const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
  await Deno.writeTextFile(`${folder}/server.py`, emptyServer());
  const started = await Promise.all(
    Array.from({ length: 10 }, () => startSdkProcess(`${folder}/server.py`)),
  );
  const each = await Promise.all(started.map(({ pid }) => proportionalMb(pid)));
  await Promise.all(started.map((one) => one.stop()));
  await Deno.remove(folder, { recursive: true });
  return `${(each.reduce((sum, mb) => sum + mb, 0) / each.length).toFixed(0)} MB`;
}

/** What sessions keep once they are parked, and how long the next call of one takes. */
async function parkedRows(): Promise<Row[]> {
  await using service = await startService(tenServers(), { PARK_AFTER_SECONDS: "3" });
  await service.rest(WARM);
  const open = [];
  for (const name of Object.keys(tenServers())) {
    for (let n = 0; n < SESSIONS; n++) open.push(await connect(service.urlOf(name)));
  }
  const until = performance.now() + PARKED_MS;
  while (await service.gauge("berth_parked_sessions") < open.length) {
    if (performance.now() > until) throw new Error("Not all sessions were parked");
    await pause(200);
  }
  const megabytes = await service.gauge("berth_parked_bytes") / 1e6;
  const times: number[] = [];
  for (const one of open.filter((_, i) => i % SESSIONS === 0)) {
    while (await service.gauge("berth_warm_sessions") < WARM) await pause(50);
    await pause(REHEARSAL_MS);
    times.push(await timed(() => one.call()));
  }
  await Promise.all(open.map((one) => one.close()));
  return [
    atMost("parked session", { berth: megabytes / open.length, max: 3, unit: "MB" }),
    atMost("parked session, resumed", { berth: median(times), max: 100, unit: "ms" }),
  ];
}

export const memoryBar: Bar = {
  name: "memory",
  async measure({ quick }) {
    const settle = () => pause(quick ? QUICK_SETTLE_MS : SETTLE_MS);
    // They stay as they are until they are measured; a parked session is another row.
    await using service = await startService(tenServers(), {
      PARK_AFTER_SECONDS: "0",
      SESSION_IDLE_SECONDS: "1800",
    });
    await service.rest(WARM);
    await settle();
    const before = await service.memoryMb();
    const names = Object.keys(tenServers());
    const open = [];
    for (const name of names) {
      for (let n = 0; n < SESSIONS; n++) open.push(await connect(service.urlOf(name)));
    }
    await settle();
    const after = await service.memoryMb();
    await Promise.all(open.map((one) => one.close()));
    const peer = await peerMb();
    return [
      atMost("idle session (10 servers × 4), what it adds", {
        berth: (after - before) / open.length,
        max: 45,
        unit: "MB",
        peer,
      }),
      atMost("idle session, its share of all processes", {
        berth: after / open.length,
        max: 45,
        unit: "MB",
        peer,
      }),
      ...await parkedRows(),
    ];
  },
};

export const idleBar: Bar = {
  name: "idle",
  // Never in less time: what a start has left behind is more than the bar allows.
  async measure() {
    await using service = await startService({});
    await service.rest(WARM);
    await pause(SETTLE_MS);
    const berth = await service.memoryMb();
    return [
      atMost("idle service, embedded database, two warm sessions", { berth, max: 450, unit: "MB" }),
    ];
  },
};
