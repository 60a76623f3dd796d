/**
 * How long a session takes to start: plainly, from the snapshot in a new host, from the snapshot in
 * a running host, and from a warm session, without and with the real pydantic. All in one run, as ratios, because machines differ:
 * `deno run -A tests/bench/session_start.ts [rounds]`.
 *
 * @module
 */
import { createHost } from "../../src/execution/hosts/host.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";
import { startHost } from "../../src/execution/hosts/process.ts";
import {
  callTool,
  openTestHosts,
  server,
  sessionInput,
  testInterpreter,
} from "../helpers/interpreter.ts";

const ROUNDS = Number(Deno.args[0] ?? 7);
const LIMITS = { memoryMb: 256, heapMb: 256, dataMb: null, walls: NO_WALLS };
const SOURCE = server(`
@tool
def quick() -> str:
    return "quick"
`);

const interpreter = await testInterpreter();

async function timed(body: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await body();
  return performance.now() - start;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Pyodide from its own files, and the imports that the snapshot saves. */
async function plain(): Promise<number> {
  const index = JSON.parse(await Deno.readTextFile(`${interpreter.folder}/index.json`));
  const files: { path: string; bytes: Uint8Array }[] = [];
  for (const { path, name } of index.files) {
    files.push({ path, bytes: await Deno.readFile(`${interpreter.folder}/${name}`) });
  }
  const folder = await Deno.makeTempDir();
  for (const name of Object.keys(index.digests)) {
    if (name.includes("py")) {
      await Deno.copyFile(`${interpreter.folder}/${name}`, `${folder}/${name}`);
    }
  }
  await Deno.writeTextFile(
    `${folder}/index.json`,
    JSON.stringify({ ...index, files: [], images: {} }),
  );
  const body = new Uint8Array(
    await new Blob(files.map((file) => file.bytes as BlobPart)).arrayBuffer(),
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ms = await timed(async () => {
    const host = startHost({
      ...LIMITS,
      interpreter: folder,
      cache: interpreter.cache,
      limits: { head: 1 << 20, body: 1 << 30 },
    }, (message) => message.type === "prepared" ? resolve() : reject(new Error(message.type)));
    host.send({
      type: "prepare",
      slot: 1,
      task: "snapshot",
      modules: [],
      own: null,
      stays: false,
      files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })),
    }, [body]);
    await promise;
    void host.kill();
  });
  await Deno.remove(folder, { recursive: true });
  return ms;
}

const WITH_PYDANTIC = SOURCE.replace(
  "def quick() -> str:",
  `def shaped(point: Point) -> Point:
    return point
@tool
def quick() -> str:`,
).replace("mcp = ", "from pydantic import BaseModel\nclass Point(BaseModel):\n    x: int\nmcp = ");
const WARM: Record<string, { source: string; imports?: string[] }> = {
  "warm": { source: SOURCE },
  "warm, pydantic without image": { source: WITH_PYDANTIC },
  "warm, pydantic": { source: WITH_PYDANTIC, imports: ["mcp", "pydantic"] },
};
const times: Record<string, number[]> = { plain: [], "new host": [], "running host": [] };
for (const name of Object.keys(WARM)) times[name] = [];

for (let round = 0; round < ROUNDS; round++) {
  times["plain"]!.push(await plain());

  const host = createHost(
    { ...LIMITS, interpreter: interpreter.folder, cache: interpreter.cache, bootTimeoutMs: 60_000 },
    () => {},
  );
  times["new host"]!.push(await timed(() => host.boot()));
  times["running host"]!.push(await timed(() => host.boot()));
  await host.kill("closed", "");

  for (const [name, { source, ...known }] of Object.entries(WARM)) {
    const hosts = await openTestHosts({ warmSessions: 1 });
    while (hosts.stats().warm === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    times[name]!.push(
      await timed(async () => {
        // Up to the answer of a first call: entrypoint and tool included.
        const session = await hosts.open(sessionInput(source, known));
        await callTool(session, "quick");
      }),
    );
    await hosts.close();
  }
}

const base = median(times["plain"]!);
for (const [name, values] of Object.entries(times)) {
  const ms = median(values);
  const least = Math.min(...values);
  const line = `${name.padEnd(28)} median ${ms.toFixed(0).padStart(6)} ms   best ${
    least.toFixed(0).padStart(6)
  } ms   ${(ms / base).toFixed(3)} of plain`;
  // deno-lint-ignore no-console -- A script whose output is its result.
  console.log(line);
}
