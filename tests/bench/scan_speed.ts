// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * A whole scan beside bandit, detect-secrets and pip-audit, one after the other on the same folder:
 * `deno run -A tests/bench/scan_speed.ts [FOLDER ENTRYPOINT] [--with BIN] [--osv FILE]`.
 *
 * Without `FOLDER` a server of 20 files is made up. `BIN` is the folder of the three programs, `FILE`
 * has the advisories that all of them ask for. Of each are printed wall and processor seconds, those
 * of what it starts included, and the most that one of its processes had resident. Looking costs
 * processor time too, the same for each. `berth scan` is the installed command, each time started
 * anew; what its analysis process used is not in its processor seconds where that has a namespace of
 * its own. On a busy machine only processor seconds compare.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { commandLine } from "../../src/cli/command_line.ts";
import { createLogger } from "../../src/log.ts";
import { type Analysis, createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { raiseAnalysisWalls } from "../../src/scan/analysis/walls.ts";
import { OsvService } from "../../src/scan/advisories/osv_service.ts";
import { runScan } from "../../src/scan/pipeline.ts";
import type { SecurityReport } from "../../src/scan/schema.ts";
import { readAdvisories, startAdvisoryService } from "../helpers/advisory_service.ts";
import { scanInput } from "../scan/input.ts";
import { filesBelow } from "./folders.ts";
import { stageCommands, twentyFilesFolder } from "./speed/twenty_files.ts";
import { type Measured, measured } from "./usage_tree.ts";

const { values, positionals } = parseArgs({
  options: { with: { type: "string" }, osv: { type: "string" } },
  allowPositionals: true,
});

/** So often `berth scan` is started: the first finds less in the system's caches. */
const ROUNDS = 3;

const shown: Record<string, string>[] = [];

function show(what: string, { wall, processor, peak }: Measured<unknown>): void {
  shown.push({
    what,
    "wall s": wall.toFixed(2),
    "processor s": processor.toFixed(2),
    "peak MiB": (peak / 2 ** 20).toFixed(0),
  });
}

const [folder = await twentyFilesFolder(), entrypoint = "server.py"] = positionals;
const files = filesBelow(folder);
const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
console.log(`${files.size} files, ${(bytes / 1e6).toFixed(1)} MB`);
const records = values.osv === undefined ? [] : await readAdvisories(values.osv);
const advisories = startAdvisoryService(records);
const log = createLogger({ level: "error", format: "text", write: (line) => console.error(line) });
const input = {
  ...await scanInput({}, { entrypoint }),
  repository: { ...(await scanInput({})).repository, files },
};

/**
 * Measures a scan. Its process ends after that: of what is killed in a namespace of its own, nobody
 * hears what it has used.
 */
async function scan(given: Analysis): Promise<Measured<SecurityReport>> {
  const now = () => new Date();
  const service = new OsvService({ url: advisories.url, fetch });
  const { run, close } = given.begin();
  const analysis = { engines: given.engines, begin: () => ({ run, close: async () => {} }) };
  const deps = { analysis, advisories: service, now, log, qualityUrl: () => "" };
  try {
    return await measured(() => runScan(deps, input));
  } finally {
    await close();
  }
}

/** Processor seconds of the three programs together. */
async function others(bin: string): Promise<number> {
  const requirements = [...files.keys()].filter((path) => /(^|\/)requirements.*\.txt$/.test(path));
  let sum = 0;
  for (const [program, args] of stageCommands(requirements, advisories.url)) {
    const run = await measured(async () => {
      const command = new Deno.Command(`${bin}/${program}`, {
        args,
        cwd: folder,
        stdout: "null",
        stderr: "piped",
      });
      const { code, stderr } = await command.output();
      // Findings are code 1 of bandit and pip-audit.
      if (code > 1) console.error(new TextDecoder().decode(stderr).slice(-1000));
    });
    show(program, run);
    sum += run.processor;
  }
  return sum;
}

/** Scans with the command that `deno task install` writes into `bin`. */
async function scanByCommand(bin: string): Promise<void> {
  const { code, stderr } = await new Deno.Command(`${bin}/berth`, {
    args: ["scan", folder, "--entrypoint", entrypoint, "--lang", "python"],
    env: { OSV_API_URL: advisories.url },
    stdout: "null",
    stderr: "piped",
  }).output();
  // 6 is a scan that did not pass.
  if (code !== 0 && code !== 6) console.error(new TextDecoder().decode(stderr));
}

const bin = await Deno.makeTempDir();
const berth = commandLine();
await new Deno.Command(berth.program, {
  args: [...berth.args, "--quiet", "self-install"],
  env: { BERTH_INSTALL_DIR: bin },
}).output();
for (let round = 0; round < ROUNDS; round++) {
  show("berth scan", await measured(() => scanByCommand(bin)));
}
// As the service has it: behind walls, with caches of their own that are filled beforehand.
const denoDir = await Deno.makeTempDir();
await Deno.chmod(denoDir, 0o755);
const walls = await raiseAnalysisWalls({ denoDir, niceness: 0 });
for (const { wall, why } of walls.missing) console.error(`not raised: ${wall}: ${why}`);
const settings = { log, processes: 1, denoDir, walls };
const filling = createAnalysis(settings);
await filling.warm();
await filling.close();

const prepared = createAnalysis(settings);
show("preparing a process", await measured(() => prepared.warm()));
show("scan, first, in a prepared process", await scan(prepared));
await prepared.close();
const analysis = createAnalysis(settings);
const cold = await scan(analysis);
show("scan, first", cold);
await analysis.warm();
const warm = await scan(analysis);
show("scan, again", warm);
await analysis.close();
const sum = values.with === undefined ? null : await others(values.with);
await advisories.close();
console.table(shown);
const { quality_analysis: one, tool_discovery: two, dependency_audit: three, ...rest } =
  warm.result;
const sections = { one, two, three, four: rest.secrets_detection, five: rest.python_audit! };
for (const [stage, { duration_ms, error }] of Object.entries(sections)) {
  console.log(`stage ${stage}: ${Math.round(duration_ms)} ms ${error?.message ?? ""}`);
}
if (sum !== null) {
  console.log(`a first scan takes ${(cold.processor / sum).toFixed(2)} of their processor time`);
}
