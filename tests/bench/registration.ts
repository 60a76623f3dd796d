/**
 * How long a registration takes with its build and without: a server of 20 files, scanned again and
 * again by two nodes in turns, one of which builds, each with its warm hosts ready. Prints medians and their
 * ratio.
 *
 *     deno run -A tests/bench/registration.ts [ROUNDS]
 *
 * @module
 */
import { type BerthProcess, freePort, startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { until } from "../helpers/interpreter.ts";
import { startWorld } from "../helpers/world.ts";

const ROUNDS = Number(Deno.args[0] ?? 10);
const MODULES = 19;

function filesOf(): Record<string, string> {
  const files: Record<string, string> = {
    "server.py": `from mcp.server.fastmcp import FastMCP
${Array.from({ length: MODULES }, (_, at) => `import part_${at}`).join("\n")}
mcp = FastMCP("parts")
${
      Array.from({ length: MODULES }, (_, at) => `mcp.tool(name="tool_${at}")(part_${at}.work)`)
        .join("\n")
    }
mcp.run()
`,
  };
  for (let at = 0; at < MODULES; at++) {
    files[`part_${at}.py`] = `"""Part ${at}."""\n\n\ndef work(text: str) -> str:\n` +
      `    """Return part ${at} of a text."""\n    return text[${at}:]\n`;
  }
  return files;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function areWarm(metrics: string): Promise<boolean> {
  const text = await (await fetch(metrics)).text();
  return /^berth_warm_sessions(?:\{[^}]*\})? 2$/m.test(text);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

const world = await startWorld(undefined, [{ owner: "bench", name: "parts", files: filesOf() }]);
const nodes: {
  policy: string;
  berth: BerthProcess;
  metrics: string;
  times: number[];
  builds: number[];
}[] = [];
for (const policy of ["off", "try"]) {
  const port = String(freePort());
  const berth = await startBerthProcess({
    dataDir: await preparedDataDir(),
    environment: {
      ...world.environment,
      BUILD_POLICY: policy,
      INTERPRETER_PROFILE: "full",
      METRICS_PORT: port,
    },
  });
  const metrics = `http://127.0.0.1:${port}/metrics`;
  nodes.push({ policy, berth, metrics, times: [], builds: [] });
}
// Each prepares an analysis process some seconds after its start.
await new Promise((resolve) => setTimeout(resolve, 10_000));
for (let round = 0; round <= ROUNDS; round++) {
  for (const { berth, times, builds } of nodes) {
    const call = registryClient(berth.apiUrl, world.issuer.mint);
    const body = {
      name: `parts-${round}`,
      version: "1.0.0",
      description: "Parts",
      lang: "python",
      license: "MIT",
      entrypoint: "server.py",
      repository: { url: "https://github.com/bench/parts" },
    };
    for (const each of nodes) await until(() => areWarm(each.metrics));
    const begun = performance.now();
    const { status, body: answer } = await call("POST", "/servers", { user: "ada", body });
    const took = performance.now() - begun;
    if (status !== 201) throw new Error(JSON.stringify(answer));
    const { build } = answer.server.security_report.compatibility;
    // The first warms up.
    if (round > 0) {
      times.push(took);
      if (build?.runs === "yes") builds.push(build.duration_ms);
    }
  }
}
for (const { policy, times, builds } of nodes) {
  const alone = builds.length === 0 ? "" : `, of which the build ${median(builds).toFixed(0)} ms`;
  print(`BUILD_POLICY=${policy}: ${median(times).toFixed(0)} ms${alone} (${times.length})`);
}
print(`ratio ${(median(nodes[1]!.times) / median(nodes[0]!.times)).toFixed(2)}`);
for (const { berth } of nodes) await berth.stop();
await world.close();
