/**
 * How long a newcomer waits: from `deno task start` to both listeners ready, on an empty data
 * folder (only the wheels are there, downloads are not measured) and again on the filled one; and
 * from the first `initialize` to its answer.
 *
 *   deno run -A tests/bench/start.ts [rounds]
 *
 * @module
 */
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { emptyDataDir } from "../helpers/data_dir.ts";
import { startWorld, TEXT_TOOLS, type World } from "../helpers/world.ts";

const ROUNDS = Number(Deno.args[0] ?? 3);

async function register(berth: BerthProcess, world: World): Promise<void> {
  const answer = await registryClient(berth.apiUrl, world.issuer.mint)("POST", "/servers", {
    user: "ada",
    body: TEXT_TOOLS,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

async function firstAnswerMs(berth: BerthProcess): Promise<number> {
  const begun = performance.now();
  const target = { server: "text-tools", session: crypto.randomUUID() };
  const answer = await sendMessage(berth.workerUrl, target, {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {} },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return performance.now() - begun;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

const world = await startWorld();
const figures = { first: [] as number[], second: [] as number[], initialize: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  const dataDir = await emptyDataDir();
  const options = { dataDir, environment: world.environment };
  const first = await startBerthProcess(options);
  figures.first.push(first.readyAfterMs);
  await register(first, world);
  await first.stop();
  const second = await startBerthProcess(options);
  figures.second.push(second.readyAfterMs);
  figures.initialize.push(await firstAnswerMs(second));
  await second.stop();
  await Deno.remove(dataDir, { recursive: true });
}
await world.close();

const [first, second, initialize] = [
  median(figures.first),
  median(figures.second),
  median(figures.initialize),
];
// deno-lint-ignore no-console
console.table({
  "first start to ready": {
    ms: Math.round(first),
    "of a second start": (first / second).toFixed(2),
  },
  "second start to ready": { ms: Math.round(second), "of a second start": "1.00" },
  "first initialize, warm session": {
    ms: Math.round(initialize),
    "of a second start": (initialize / second).toFixed(2),
  },
});
