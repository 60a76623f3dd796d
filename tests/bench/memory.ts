// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * What sessions cost: memory of the idle service and of idle sessions (10 servers, 4 sessions each),
 * time of `initialize` over HTTP with a warm session waiting (`start`), and in bursts (`burst`). Beside it, in the same
 * run, the official Python SDK on CPython, a new process for each session as clients start it
 * (`TEST_MCP_PYTHON`). Proportional set sizes, so Linux only, and as root:
 *
 *   deno run -A tests/bench/memory.ts [rounds] [start,burst,memory]
 *
 * @module
 */
import { type BerthProcess, freePort } from "../helpers/berth_process.ts";
import { startServing } from "../helpers/everything.ts";
import { descendants, textOf } from "../helpers/processes.ts";
import {
  emptyServer,
  INITIALIZE,
  proportionalMb,
  PYTHON,
  type SdkProcess,
  startSdkProcess,
} from "./speed/sdk.ts";

const ROUNDS = Number(Deno.args[0] ?? 15);
const PARTS = (Deno.args[1] ?? "start,burst,memory").split(",");
const SERVERS = 10;
const SESSIONS_EACH = 4;
const BURST = 16;
const QUIET_MS = 20_000;
/** After so long without a scan no analysis process waits any more. */
const WITHOUT_SCAN_MS = 150_000;

const names = Array.from({ length: SERVERS }, (_, i) => `empty-${i}`);
const metricsPort = freePort();

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Megabytes of Berth's processes, by what they are. */
async function memoryOf(berth: BerthProcess): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const pid of await descendants(berth.pid)) {
    const command = await textOf(`/proc/${pid}/cmdline`);
    const kind = /session\/host\.ts/.test(command)
      ? "session hosts"
      : /analysis\/host\.ts/.test(command)
      ? "analysis"
      : /main\.ts/.test(command)
      ? "main"
      : "other";
    sums[kind] = (sums[kind] ?? 0) + await proportionalMb(pid);
  }
  return sums;
}

function total(sums: Record<string, number>): number {
  return Object.values(sums).reduce((sum, each) => sum + each, 0);
}

function shown(sums: Record<string, number>): string {
  const parts = Object.entries(sums).filter(([, mb]) => mb >= 1)
    .map(([kind, mb]) => `${kind} ${mb.toFixed(0)}`);
  return `${total(sums).toFixed(0)} MB (${parts.join(", ")})`;
}

async function warmSessions(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^berth_warm_sessions (\d+)/m.exec(text)?.[1] ?? 0);
}

async function untilWarm(): Promise<void> {
  while (await warmSessions() < 2) await pause(100);
  await pause(500);
}

/** Starts a session; its id and the milliseconds until `initialize` was answered. */
async function initialize(url: string): Promise<{ id: string; ms: number }> {
  const begun = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(INITIALIZE),
  });
  const text = await response.text();
  const ms = performance.now() - begun;
  if (!text.includes("serverInfo")) throw new Error(`${response.status} ${text}`);
  return { id: response.headers.get("mcp-session-id")!, ms };
}

async function end(url: string, id: string): Promise<void> {
  const headers = { "mcp-session-id": id };
  await (await fetch(url, { method: "DELETE", headers })).body?.cancel();
}

function line(what: string, berth: number, peer: number | null, unit = "ms"): void {
  const beside = peer === null
    ? ""
    : `   CPython and SDK ${peer.toFixed(0).padStart(5)} ${unit}   ${
      (peer / berth).toFixed(2)
    } times`;
  console.log(`${what.padEnd(44)} ${berth.toFixed(1).padStart(7)} ${unit}${beside}`);
}

const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
const file = `${folder}/server.py`;
await Deno.writeTextFile(file, emptyServer());

/** Runs `body` with so many processes of the SDK; null where there is none. */
async function withPeers<T>(count: number, body: (peers: SdkProcess[]) => T | Promise<T>) {
  if (PYTHON === undefined) return null;
  const peers = await Promise.all(Array.from({ length: count }, () => startSdkProcess(file)));
  const value = await body(peers);
  await Promise.all(peers.map((peer) => peer.stop()));
  return value;
}

interface Bench {
  berth: BerthProcess;
  /** Address of one of the servers. */
  url(i: number): string;
}

async function measureStarts({ url }: Bench): Promise<void> {
  const own: number[] = [];
  const peers: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await untilWarm();
    const { id, ms } = await initialize(url(round));
    own.push(ms);
    await end(url(round), id);
    await withPeers(1, ([peer]) => void peers.push(peer!.ms));
  }
  const measured = peers.length > 0;
  line("initialize, warm session waiting: median", median(own), measured ? median(peers) : null);
  line("the same, best", Math.min(...own), measured ? Math.min(...peers) : null);
}

async function measureBurst({ url }: Bench, what: string, spread: number): Promise<void> {
  await untilWarm();
  const started = await Promise.all(
    Array.from({ length: BURST }, (_, i) => initialize(url(i % spread))),
  );
  await Promise.all(started.map(({ id }, i) => end(url(i % spread), id)));
  await untilWarm();
  const peers = await withPeers(BURST, (all) => all.map(({ ms }) => ms));
  const own = started.map(({ ms }) => ms);
  line(`${BURST} sessions of ${what} at once: median`, median(own), peers && median(peers));
  line("the same, last", Math.max(...own), peers && Math.max(...peers));
}

async function measureMemory({ berth, url }: Bench): Promise<void> {
  const begun = performance.now();
  await untilWarm();
  await pause(QUIET_MS);
  const before = await memoryOf(berth);
  console.log(`service after ${SERVERS} registrations: ${shown(before)}`);
  const count = SERVERS * SESSIONS_EACH;
  const live: { at: number; id: string }[] = [];
  for (let at = 0; at < count; at++) live.push({ at, id: (await initialize(url(at))).id });
  await untilWarm();
  await pause(QUIET_MS);
  const after = await memoryOf(berth);
  const peer = await withPeers(SESSIONS_EACH, async (peers) => {
    const sizes = await Promise.all(peers.map(({ pid }) => proportionalMb(pid)));
    return sizes.reduce((sum, mb) => sum + mb, 0) / SESSIONS_EACH;
  });
  console.log(`with ${count} idle sessions: ${shown(after)}`);
  for (const { id, at } of live) await end(url(at), id);
  await pause(Math.max(QUIET_MS, WITHOUT_SCAN_MS - (performance.now() - begun)));
  console.log(`idle service: ${shown(await memoryOf(berth))}`);
  line(
    "an idle session: what came in addition",
    (total(after) - total(before)) / count,
    peer,
    "MB",
  );
  line("an idle session, all else included", total(after) / count, peer, "MB");
}

try {
  await using serving = await startServing(
    Object.fromEntries(names.map((name) => [name, { "server.py": emptyServer() }])),
    { METRICS_PORT: String(metricsPort), SESSION_IDLE_SECONDS: "3600" },
  );
  const bench = {
    berth: serving.berth,
    url: (i: number) => serving.mcpOf(names[i % SERVERS]!),
  };
  if (PARTS.includes("start")) await measureStarts(bench);
  if (PARTS.includes("burst")) {
    await measureBurst(bench, `${SERVERS} servers`, SERVERS);
    await measureBurst(bench, "one server", 1);
  }
  if (PARTS.includes("memory")) await measureMemory(bench);
} finally {
  await Deno.remove(folder, { recursive: true });
}
