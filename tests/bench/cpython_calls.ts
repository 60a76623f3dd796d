// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Compares public servers on Berth with the same servers on CPython, with the real SDK and packages:
 * what they list, and 100 calls of each, made from the schemas of its tools.
 *
 *     deno run -A tests/bench/cpython_calls.ts FOLDER TABLE [--only TEXT] [--json FILE]
 *       [--python COMMAND] [--calls NUMBER]
 *
 * FOLDER and TABLE are those of `published_servers.ts`. For each server a virtual environment is made
 * with the packages, in their versions, that Berth has resolved for it; `pip` finds them by its own
 * configuration. Servers get no network on either side. What differs and is meant to is listed in
 * `cpython/differences.json` and in that of the differential suite, with the reason.
 *
 * @module
 */
import { startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { filesOfFolder } from "../helpers/code_host.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { startWorld } from "../helpers/world.ts";
import { deliberateDifferences } from "../execution/differential/replay.ts";
import { type Call, callsOf, type Listed } from "./cpython/arguments.ts";
import { type Answered, compare, type Compared } from "./cpython/compare.ts";
import { installed } from "./cpython/install.ts";
import { type Send, startOnCpython } from "./cpython/process.ts";
import { publish, type Registry } from "./published/publish.ts";
import { placeholders, readRows, type Row } from "./published/table.ts";

const [folder, table, ...options] = Deno.args;
if (folder === undefined || table === undefined) {
  console.error("Usage: cpython_calls.ts FOLDER TABLE [--only TEXT] [--json FILE] …");
  Deno.exit(2);
}

function option(name: string): string | null {
  const at = options.indexOf(name);
  return at < 0 ? null : options[at + 1] ?? null;
}

const PROTOCOL = "2025-11-25";
const LISTS = ["tools", "resources", "resources/templates", "prompts"];
const count = Number(option("--calls") ?? 100);
const only = option("--only");
const json = option("--json");
const cpython = option("--python") ?? "python3";

/** What came of one server. */
interface Result extends Partial<Compared> {
  server: string;
  /** Why it was not compared. */
  failed?: string;
}

/** Opens a session, lists everything and calls tools; without `calls`, those made from the list. */
async function ask(
  server: string,
  send: Send,
  environment: Record<string, string>,
  calls?: Call[],
): Promise<{ answered: Answered[]; calls: Call[] }> {
  const meta = Object.keys(environment).length === 0
    ? {}
    : { _meta: { "berth/environment": environment } };
  const client = { name: "bench", version: "1" };
  const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: client, ...meta };
  const opened = await send("initialize", params);
  if (opened?.result === undefined) throw new Error(JSON.stringify(opened?.error ?? "no answer"));
  await send("notifications/initialized", {});
  const answered: Answered[] = [];
  const add = async (method: string, params: object) => {
    const answer = await send(method, params);
    answered.push({ request: `${method} ${JSON.stringify(params)}`, answer });
    return answer;
  };
  const listed: Record<string, Listed[]> = {};
  for (const name of LISTS) {
    if (opened.result.capabilities[name.split("/")[0]!] === undefined) continue;
    const answer = await add(`${name}/list`, {});
    listed[name] = answer?.result?.[name === "resources/templates" ? "resourceTemplates" : name];
  }
  const made = calls ?? callsOf(server, listed["tools"] ?? [], count);
  for (const call of made) await add("tools/call", call);
  for (const { uri } of (listed["resources"] ?? []) as unknown as { uri: string }[]) {
    await add("resources/read", { uri });
  }
  return { answered, calls: made };
}

/** Runs the server on CPython in a fresh copy of its project. */
async function onCpython(
  row: Row,
  python: string,
  environment: Record<string, string>,
  calls?: Call[],
): Promise<{ answered: Answered[]; calls: Call[]; root: string }> {
  const root = await Deno.makeTempDir({ prefix: "cpython-" });
  const from = `${folder}/${row.repository}/${row.folder}`;
  await new Deno.Command("cp", { args: ["-r", `${from}/.`, root] }).output();
  const running = startOnCpython(python, root, row.entrypoint, environment);
  try {
    return { ...await ask(row.repository, running.send, environment, calls), root };
  } catch (error) {
    throw new Error(`on CPython: ${error} ${running.said().slice(-600)}`);
  } finally {
    await running.stop();
    await Deno.remove(root, { recursive: true });
  }
}

async function onBerth(
  registry: Registry,
  row: Row,
  name: string,
  environment: Record<string, string>,
  calls: Call[],
): Promise<Answered[]> {
  const target = { server: name, session: crypto.randomUUID() };
  let id = 0;
  const send: Send = async (method, params) => {
    const numbered = method.startsWith("notifications/") ? {} : { id: ++id };
    const { body } = await sendMessage(registry.berth.workerUrl, target, {
      ...numbered,
      method,
      params,
    });
    return body;
  };
  const { answered } = await ask(row.repository, send, environment, calls);
  return answered;
}

async function measure(registry: Registry, row: Row, name: string): Promise<Result> {
  const server = `${row.repository} ${row.entrypoint}`;
  const files = await filesOfFolder(`${folder}/${row.repository}`, [".git"]);
  const [owner = "", repository = ""] = row.repository.split("/");
  await world.codeHost.add({ owner, name: repository, files });
  const below = row.folder === "" ? "" : `${row.folder}/`;
  const own = Object.entries(files).filter(([path]) => path.startsWith(below));
  const variables = placeholders(own as [string, Uint8Array][]);
  const published = await publish(registry, row, { name, environment: variables });
  world.codeHost.remove(row.repository);
  if (published.outcome === "failed" || published.outcome === "none") {
    return { server, failed: `on Berth: ${published.message.slice(0, 300)}` };
  }
  const environment = published.withEnvironment ? variables : {};
  try {
    const python = await installed(cpython, published.packages, `${folder}/.venvs`);
    const first = await onCpython(row, python, environment);
    const second = await onCpython(row, python, environment, first.calls);
    const berth = await onBerth(registry, row, name, environment, first.calls);
    const runs = { first: first.answered, second: second.answered, berth };
    return { server, ...compare({ ...runs, root: [first.root, second.root] }, known) };
  } catch (error) {
    return { server, failed: String(error).slice(0, 1000) };
  }
}

function line({ server, failed, equal, equalInKind, explained, different }: Result): string {
  if (failed !== undefined) return `${server}: not compared: ${failed}`;
  const meant = Object.values(explained!).reduce((sum, each) => sum + each, 0);
  const shown = different!.slice(0, 5).map((each) =>
    `\n  ${each.request.slice(0, 300)}\n    cpython ${each.cpython.slice(0, 600)}\n    berth   ${
      each.berth.slice(0, 600)
    }`
  );
  return `${server}: ${equal} equal, ${equalInKind} in kind, ${meant} meant, ${
    different!.length
  } different${shown.join("")}`;
}

const own = JSON.parse(
  await Deno.readTextFile(new URL("cpython/differences.json", import.meta.url)),
);
const known = [...await deliberateDifferences(), ...own];
const world = await startWorld();
const dataDir = await preparedDataDir();
const passed = ["PACKAGE_INDEX_URL", "PYODIDE_PACKAGES_URL", "OSV_DATABASE"].flatMap((name) => {
  const value = Deno.env.get(name);
  return value === undefined ? [] : [[name, value]];
});
const berth = await startBerthProcess({
  dataDir,
  environment: {
    ...world.environment,
    INTERPRETER_PROFILE: "full",
    EXECUTION_POLICY: "any",
    SESSIONS_PER_CLIENT: "200",
    ...Object.fromEntries(passed),
  },
});
const registry = { berth, call: registryClient(berth.apiUrl, world.issuer.mint) };
const results: Result[] = [];
for (const [number, row] of (await readRows(table)).entries()) {
  if (only !== null && !`${row.repository} ${row.entrypoint}`.includes(only)) continue;
  const result = await measure(registry, row, `server-${number}`);
  results.push(result);
  console.log(line(result));
  if (json !== null) await Deno.writeTextFile(json, JSON.stringify(results, null, 2));
}
await berth.stop();
await world.close();
await Deno.remove(dataDir, { recursive: true });
const compared = results.filter(({ failed }) => failed === undefined);
const sum = (of: (result: Result) => number) => compared.reduce((all, each) => all + of(each), 0);
console.log(
  `${results.length} servers, ${compared.length} compared: ${sum((one) => one.equal!)} equal, ` +
    `${sum((one) => one.equalInKind!)} in kind, ` +
    `${sum((one) => Object.values(one.explained!).reduce((all, each) => all + each, 0))} meant, ` +
    `${sum((one) => one.different!.length)} different`,
);
