/**
 * What sessions leave behind: 1,000 of them are started and ended by clients of a Berth of its own.
 * Resident memory of all its processes at the end may be 1.15 times that after the first 50; no
 * process, descriptor or temporary file may be left. Linux only.
 *
 *   deno run -A tests/bench/churn_bench.ts [sessions] [at once]
 *
 * @module
 */
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { descendants, textOf } from "../helpers/processes.ts";
import { EXAMPLE_OWNER, startWorld, type World } from "../helpers/world.ts";

const SERVER = "text-tools";
const FIRST = 50;
const MOST = 1.15;
const KB_PER_MB = 1024;

/** What Berth's processes have at a moment without sessions. */
interface Holdings {
  sessions: number;
  /** Megabytes that are resident, of all processes together; shared pages count in each. */
  residentMb: number;
  /** The same with shared pages divided among those that share them. */
  proportionalMb: number;
  mainMb: number;
  processes: number;
  descriptors: number;
  /** Files in the folder for temporary ones. */
  files: number;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function countOf(folder: string): Promise<number> {
  let count = 0;
  try {
    for await (const _ of Deno.readDir(folder)) count++;
  } catch {
    // The process is gone.
  }
  return count;
}

const field = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / KB_PER_MB;

async function holdings(berth: BerthProcess, temporary: string, sessions: number) {
  const found: Holdings = {
    sessions,
    residentMb: 0,
    proportionalMb: 0,
    mainMb: 0,
    processes: 0,
    descriptors: 0,
    files: await countOf(temporary),
  };
  for (const pid of await descendants(berth.pid)) {
    const resident = field(await textOf(`/proc/${pid}/status`), "VmRSS");
    // Gone in the meantime, or one that only looks at the others.
    if (resident < 10) continue;
    found.residentMb += resident;
    found.proportionalMb += field(await textOf(`/proc/${pid}/smaps_rollup`), "Pss");
    found.mainMb = Math.max(found.mainMb, resident);
    found.processes++;
    found.descriptors += await countOf(`/proc/${pid}/fd`);
  }
  return found;
}

/** Waits until nothing changes any more: ended sessions are gone, warm ones are there. */
async function settled(berth: BerthProcess, temporary: string, sessions: number) {
  let before = await holdings(berth, temporary, sessions);
  for (let quiet = 0; quiet < 3;) {
    await pause(2000);
    const now = await holdings(berth, temporary, sessions);
    quiet = now.processes === before.processes && now.descriptors === before.descriptors
      ? quiet + 1
      : 0;
    before = now;
  }
  return before;
}

async function register(berth: BerthProcess, world: World): Promise<void> {
  const registry = registryClient(berth.apiUrl, world.issuer.mint);
  const answer = await registry("POST", "/servers", {
    user: "ada",
    body: {
      name: SERVER,
      version: "1.0.0",
      description: "Measured",
      lang: "python",
      license: "MIT",
      entrypoint: "server.py",
      repository: { url: `https://github.com/${EXAMPLE_OWNER}/${SERVER}` },
    },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

/** One session as a client has it. */
async function session(berth: BerthProcess): Promise<void> {
  const where = { server: SERVER, session: crypto.randomUUID() };
  const send = async (id: number, method: string, params: unknown) => {
    const { status, body } = await sendMessage(berth.workerUrl, where, { id, method, params });
    if (status !== 200 || body.result === undefined) throw new Error(JSON.stringify(body));
  };
  await send(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  await send(2, "tools/list", {});
  await send(3, "tools/call", { name: "word_count", arguments: { text: "two words" } });
  const address = `${berth.workerUrl}/mcp?name=${SERVER}`;
  const headers = { "Mcp-Session-Id": where.session };
  const ended = await fetch(address, { method: "DELETE", headers });
  await ended.body?.cancel();
  if (ended.status !== 204) throw new Error(`DELETE: ${ended.status}`);
}

async function churn(berth: BerthProcess, count: number, atOnce: number): Promise<void> {
  let left = count;
  async function client() {
    while (left-- > 0) await session(berth);
  }
  await Promise.all(Array.from({ length: atOnce }, client));
}

/** Connections that the clients of this bench keep open, more or less of them at each look. */
const KEPT_OPEN = 10;

function report(all: Holdings[]): void {
  const rows = all.map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, Math.round(value)]))
  );
  // deno-lint-ignore no-console
  console.table(rows);
  const [first, last] = [all[1]!, all.at(-1)!];
  const ratio = last.residentMb / first.residentMb;
  const left = (["processes", "descriptors", "files"] as const).filter((name) =>
    last[name] > first[name] + (name === "descriptors" ? KEPT_OPEN : 0)
  );
  const text = `Resident memory: ${ratio.toFixed(3)} of that after ${FIRST} (at most ${MOST}); ` +
    `left behind: ${left.join(", ") || "nothing"}`;
  // deno-lint-ignore no-console
  console.log(text);
  if (ratio > MOST || left.length > 0) Deno.exitCode = 1;
}

async function main(sessions: number, atOnce: number) {
  const world = await startWorld();
  const dataDir = await preparedDataDir();
  const temporary = await Deno.makeTempDir({ prefix: "berth-churn-" });
  const berth = await startBerthProcess({
    dataDir,
    environment: {
      ...world.environment,
      TMPDIR: temporary,
      // They would wait on when the sessions have ended.
      SPARE_SESSIONS: "0",
      CALLS_PER_MINUTE: "1000000",
    },
  });
  try {
    await register(berth, world);
    const all = [await settled(berth, temporary, 0)];
    const steps = [FIRST, ...Array(4).fill((sessions - FIRST) / 4)].map(Math.round);
    let done = 0;
    for (const step of steps) {
      const begun = performance.now();
      await churn(berth, step, atOnce);
      const perSecond = step / ((performance.now() - begun) / 1000);
      done += step;
      all.push(await settled(berth, temporary, done));
      // deno-lint-ignore no-console
      console.log(`${done} sessions, ${perSecond.toFixed(1)} a second`);
    }
    report(all);
  } finally {
    await berth.stop();
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
    await Deno.remove(temporary, { recursive: true });
  }
}

if (import.meta.main) {
  const [sessions = "1000", atOnce = "2"] = Deno.args;
  await main(Number(sessions), Number(atOnce));
}
