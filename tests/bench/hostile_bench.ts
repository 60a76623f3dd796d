/**
 * What others notice of hostile code: latency of `GET /servers` and of a benign session's
 * `tools/call`, alone and while ten hostile sessions attack. The 99th percentile may be three times
 * as high.
 *
 *   deno run -A tests/bench/hostile_bench.ts [seconds of each phase] [attack…]
 *
 * @module
 */
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { EXAMPLE_OWNER, startWorld, type World } from "../helpers/world.ts";
import { ATTACK_NAMES, attackSource, serveSmallPieces } from "./hostile_attacks.ts";

const BENIGN = "text-tools";
// Below CALLS_PER_MINUTE.
const PAUSE_MS = 110;
const MOST = 3;

interface Latencies {
  list: number[];
  call: number[];
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

async function register(berth: BerthProcess, world: World): Promise<void> {
  const registry = registryClient(berth.apiUrl, world.issuer.mint);
  for (const name of [BENIGN, ...ATTACK_NAMES]) {
    const answer = await registry("POST", "/servers", {
      user: "ada",
      body: {
        name,
        version: "1.0.0",
        description: "Measured",
        lang: "python",
        license: "MIT",
        entrypoint: "server.py",
        repository: { url: `https://github.com/${EXAMPLE_OWNER}/${name}` },
      },
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  }
}

/** A client of a user's own: limits are by user. */
async function client(berth: BerthProcess, world: World, server: string) {
  const token = await world.issuer.mint({ sub: `caller-of-${server}` });
  let session = crypto.randomUUID();
  let id = 0;
  const send = (method: string, params: unknown) =>
    sendMessage(berth.workerUrl, { server, session, token }, { id: ++id, method, params });
  return {
    async begin() {
      session = crypto.randomUUID();
      await send("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
    },
    call: (name: string, args: unknown) => send("tools/call", { name, arguments: args }),
  };
}

/** Calls the attack of a server over and over, in a new session whenever the last one is gone. */
async function attack(
  berth: BerthProcess,
  world: World,
  server: string,
  signal: AbortSignal,
): Promise<number> {
  const hostile = await client(berth, world, server);
  let calls = 0;
  await hostile.begin();
  while (!signal.aborted) {
    calls++;
    const answer = await hostile.call("attack", {}).catch(() => null);
    if (answer?.status === 429) await pause(1000);
    else if (answer === null || answer.status !== 200 || answer.body?.error?.data?.ended) {
      await pause(50);
      await hostile.begin().catch(() => {});
    }
  }
  return calls;
}

async function measure(berth: BerthProcess, world: World, seconds: number): Promise<Latencies> {
  const benign = await client(berth, world, BENIGN);
  await benign.begin();
  const end = performance.now() + seconds * 1000;
  const found: Latencies = { list: [], call: [] };
  async function repeat(values: number[], run: () => Promise<{ status: number }>) {
    while (performance.now() < end) {
      values.push(
        await timed(async () => {
          const { status } = await run();
          if (status !== 200) throw new Error(`Status ${status}`);
        }),
      );
      await pause(PAUSE_MS);
    }
  }
  const registry = registryClient(berth.apiUrl, () => Promise.resolve(""));
  await Promise.all([
    repeat(found.list, () => registry("GET", "/servers")),
    repeat(found.call, () => benign.call("word_count", { text: "two words" })),
  ]);
  return found;
}

async function main(seconds: number, names: readonly string[]) {
  const site = serveSmallPieces();
  const world = await startWorld(
    undefined,
    ATTACK_NAMES.map((name) => ({
      owner: EXAMPLE_OWNER,
      name,
      files: { "server.py": attackSource(name, site.url) },
    })),
  );
  const dataDir = await preparedDataDir();
  const berth = await startBerthProcess({
    dataDir,
    environment: {
      ...world.environment,
      EGRESS_ALLOW: `${world.environment.EGRESS_ALLOW},${new URL(site.url).host}`,
      EXECUTION_POLICY: "any",
      INTERPRETER_PROFILE: "full",
      CALL_TIMEOUT_SECONDS: "5",
    },
  });
  try {
    await register(berth, world);
    const alone = await measure(berth, world, seconds);
    const stop = new AbortController();
    const attacks = names.map((name) => attack(berth, world, name, stop.signal));
    await pause(5000);
    const attacked = await measure(berth, world, seconds);
    stop.abort();
    const calls = await Promise.all(attacks);
    report(alone, attacked, names.map((name, index) => `${name} ${calls[index]}`));
  } finally {
    await berth.stop();
    await world.close();
    site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

function report(alone: Latencies, attacked: Latencies, calls: string[]) {
  const rows = (["list", "call"] as const).flatMap((kind) =>
    [0.5, 0.99].map((share) => {
      const [before, during] = [percentile(alone[kind], share), percentile(attacked[kind], share)];
      return {
        what: kind === "list" ? "GET /servers" : "tools/call of another server",
        percentile: share * 100,
        "alone, ms": before.toFixed(1),
        "attacked, ms": during.toFixed(1),
        ratio: (during / before).toFixed(2),
        samples: `${alone[kind].length}, ${attacked[kind].length}`,
      };
    })
  );
  // deno-lint-ignore no-console
  console.table(rows);
  // deno-lint-ignore no-console
  console.log(`Attacks: ${calls.join(", ")}`);
  const failed = rows.filter(({ percentile, ratio }) => percentile === 99 && Number(ratio) > MOST);
  if (failed.length > 0) Deno.exitCode = 1;
}

if (import.meta.main) {
  const [seconds = "30", ...names] = Deno.args;
  await main(Number(seconds), names.length === 0 ? ATTACK_NAMES : names);
}
