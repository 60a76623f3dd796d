/**
 * How long the registration of a server takes, its scan included, beside the programs of the stages
 * one after the other: `BENCH_STAGE_TOOLS` names the folder of bandit, detect-secrets and pip-audit.
 * Its packages come from an index on loopback, as large as most: for each server they are stored
 * already, but for the first one, which is not counted.
 *
 * @module
 */
import { startAdvisoryService } from "../../helpers/advisory_service.ts";
import { startBerthProcess } from "../../helpers/berth_process.ts";
import { registryClient } from "../../helpers/clients.ts";
import { startCodeHost } from "../../helpers/code_host.ts";
import { preparedDataDir } from "../../helpers/data_dir.ts";
import { startIndex } from "../../helpers/package_index.ts";
import { startTokenIssuer } from "../../helpers/token_issuer.ts";
import { packageFiles } from "./packages.ts";
import { type Bar, median, pause, type Row, type Scale, timed } from "./table.ts";
import { stageCommands, twentyFiles, twentyFilesFolder } from "./twenty_files.ts";

const MAX_MS = 1500;
const TIMES = 3;
/** Until the analysis process for the first scan is prepared, and for each of the next ones. */
const WARM_MS = 10_000;
const PREPARED_MS = 5000;

const TOOLS = Deno.env.get("BENCH_STAGE_TOOLS");

function bodyOf(name: string) {
  return {
    name,
    version: "1.0.0",
    description: "Forecasts",
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { url: "https://github.com/examples/weather" },
  };
}

/** Milliseconds of each registration. */
async function registrations({ rounds }: Scale): Promise<number[]> {
  await using started = new AsyncDisposableStack();
  const dataDir = await preparedDataDir();
  started.defer(() => Deno.remove(dataDir, { recursive: true }));
  const issuer = await startTokenIssuer({ behindMs: 30_000 });
  started.defer(() => issuer.close());
  const advisories = await startAdvisoryService([]);
  started.defer(() => advisories.close());
  const index = await startIndex([
    { name: "requests", version: "2.31.0", files: packageFiles("requests") },
    { name: "pyyaml", version: "6.0", files: packageFiles("yaml") },
  ]);
  started.defer(() => index[Symbol.asyncDispose]());
  const codeHost = await startCodeHost([
    { owner: "examples", name: "weather", files: twentyFiles() },
  ]);
  started.defer(() => codeHost.close());
  const berth = await startBerthProcess({
    dataDir,
    environment: {
      GITHUB_API_URL: codeHost.url,
      OSV_API_URL: advisories.url,
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      INTERPRETER_PROFILE: "full",
      PACKAGE_INDEX_URL: index.url,
    },
  });
  started.defer(async () => void await berth.stop());
  await pause(WARM_MS);
  const registry = registryClient(berth.apiUrl, (claims) => issuer.mint(claims));
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await pause(PREPARED_MS);
    const ms = await timed(async () => {
      const body = bodyOf(`weather-${round}`);
      const answer = await registry("POST", "/servers", { user: "ada", body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    });
    if (round > 0) times.push(ms);
  }
  return times;
}

/** Milliseconds that the programs take one after the other, each time. */
async function programs(bin: string, { rounds }: Scale): Promise<number[]> {
  await using started = new AsyncDisposableStack();
  const folder = await twentyFilesFolder();
  started.defer(() => Deno.remove(folder, { recursive: true }));
  const advisories = await startAdvisoryService([]);
  started.defer(() => advisories.close());
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(
      await timed(async () => {
        for (const [program, args] of stageCommands(["requirements.txt"], advisories.url)) {
          const command = new Deno.Command(`${bin}/${program}`, {
            args,
            cwd: folder,
            stdout: "null",
            stderr: "null",
          });
          // Findings are code 1.
          if ((await command.output()).code > 1) throw new Error(`${program} failed`);
        }
      }),
    );
  }
  return times;
}

export const registrationBar: Bar = {
  name: "registration",
  async measure(scale): Promise<Row[]> {
    const own = median(await registrations(scale));
    const other = TOOLS === undefined ? null : median(await programs(TOOLS, scale));
    return [{
      what: "registration of a 20-file server, build included",
      berth: `${own.toFixed(0)} ms`,
      peer: other === null ? "BENCH_STAGE_TOOLS is not set" : `${other.toFixed(0)} ms`,
      ratio: other === null ? "" : `${(other / own).toFixed(1)} times faster`,
      bar: `${MAX_MS} ms, ${TIMES} times faster`,
      isReached: own < MAX_MS && (other === null ? null : other / own >= TIMES),
    }];
  },
};
