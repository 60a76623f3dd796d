// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Publishes public servers at a Berth of its own, profile `full`, default policies, and compares
 * what their sessions list with a table:
 *
 *     deno run -A tests/bench/published_servers.ts FOLDER TABLE [--only TEXT] [--json FILE] [--any]
 *       [--again FILE]
 *
 * FOLDER holds a checkout `owner/name` of each repository, which a code host on loopback serves.
 * TABLE is tab-separated with the columns `repository`, `project_folder`, `entrypoint`, `needs` and
 * `tools`. PACKAGE_INDEX_URL, PYODIDE_PACKAGES_URL and OSV_DATABASE are Berth's. Servers that do not
 * start without variables are started again with placeholders. With `--any`, servers whose scan
 * failed are started as well, and do not count as running. `--again` measures those only that do
 * not run by the JSON of an earlier measurement, or are not in it.
 *
 * @module
 */
import { startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient } from "../helpers/clients.ts";
import { filesOfFolder, type SourceFiles } from "../helpers/code_host.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { startWorld, type World } from "../helpers/world.ts";
import { publish, type Published } from "./published/publish.ts";
import { placeholders, readRows, type Row } from "./published/table.ts";

const [folder, table, ...options] = Deno.args;
if (folder === undefined || table === undefined) {
  console.error("Usage: published_servers.ts FOLDER TABLE [--only TEXT] [--json FILE] [--any]");
  Deno.exit(2);
}

function option(name: string): string | null {
  const at = options.indexOf(name);
  return at < 0 ? null : options[at + 1] ?? null;
}

const PASSED_ON = ["PACKAGE_INDEX_URL", "PYODIDE_PACKAGES_URL", "OSV_DATABASE"];

function startBerth(world: World, dataDir: string) {
  const passed = PASSED_ON.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return startBerthProcess({
    dataDir,
    environment: {
      ...world.environment,
      INTERPRETER_PROFILE: "full",
      SESSIONS_PER_CLIENT: "200",
      CALL_TIMEOUT_SECONDS: "120",
      ...options.includes("--any") ? { EXECUTION_POLICY: "any" } : {},
      ...Object.fromEntries(passed),
    },
  });
}

/** The files of a row's repository, and those of its project alone. */
async function filesOf(row: Row): Promise<{ all: SourceFiles; own: [string, Uint8Array][] }> {
  const all = await filesOfFolder(`${folder}/${row.repository}`, [".git"]);
  const below = row.folder === "" ? "" : `${row.folder}/`;
  const own = Object.entries(all).filter(([path]) => path.startsWith(below));
  return { all, own: own as [string, Uint8Array][] };
}

function line(found: Published): string {
  const { repository, entrypoint, status, runs, outcome, withEnvironment } = found;
  const notes = [
    ...found.blocking.slice(0, 4),
    ...found.missingPackages,
    found.message || found.problem,
    found.outcome === "others" && found.missing.length > 0 ? `lacks ${found.missing.join()}` : "",
    found.outcome === "others" && found.extra.length > 0 ? `beyond it ${found.extra.join()}` : "",
  ].filter((text) => text !== "").map((text) => text.replaceAll(/\s+/g, " ").slice(0, 300));
  const head = [status, runs, outcome + (withEnvironment ? " (placeholders)" : "")].join(" | ");
  return [`${repository} ${entrypoint} | ${head} | ${found.ms} ms`, ...notes].join("\n    ");
}

const isRunning = ({ status, outcome }: Published) => status !== "failed" && outcome === "all";

const world = await startWorld();
const dataDir = await preparedDataDir();
const berth = await startBerth(world, dataDir);
const registry = { berth, call: registryClient(berth.apiUrl, world.issuer.mint) };
const only = option("--only");
const again = option("--again");
const before: Published[] = again === null ? [] : JSON.parse(await Deno.readTextFile(again));
const ran = new Set(before.filter(isRunning).map((one) => `${one.repository} ${one.entrypoint}`));
const json = option("--json");
const all: Published[] = [];
let number = 0;
for (const row of await readRows(table)) {
  number++;
  if (only !== null && !`${row.repository} ${row.entrypoint}`.includes(only)) continue;
  if (ran.has(`${row.repository} ${row.entrypoint}`)) continue;
  const [owner = "", name = ""] = row.repository.split("/");
  const files = await filesOf(row);
  await world.codeHost.add({ owner, name, files: files.all });
  const found = await publish(registry, row, {
    name: `server-${number}`,
    environment: placeholders(files.own),
  });
  world.codeHost.remove(row.repository);
  all.push(found);
  console.log(line(found));
  if (json !== null) await Deno.writeTextFile(json, JSON.stringify(all, null, 2));
}
await berth.stop();
await world.close();
await Deno.remove(dataDir, { recursive: true });
const passed = all.filter(({ status }) => status !== "failed" && status !== "refused");
const listing = all.filter(({ outcome }) => outcome === "all");
console.log(
  `${all.length} servers: ${passed.length} pass, ${listing.length} list the table's tools, ` +
    `${all.filter(isRunning).length} both`,
);
