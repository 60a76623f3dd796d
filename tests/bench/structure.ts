/**
 * Figures of the tree's shape: `deno run -A tests/bench/structure.ts`. `--list` names what is
 * counted.
 *
 * - Circles: sets of files (or features) of `src` and `workers` that import each other, types too.
 * - Files of one host message: how many files name a message between main process and interpreter;
 *   the median of the messages whose names mean nothing else. Three is the least: the table of
 *   messages, who sends it, who handles it.
 * - Hops of a walk: how often a request crosses from one file to another, by the table below.
 *   Coming back to a file because it has more to do there is a hop; returning a value is none.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { circles, grouped, importGraph, sources, textOf } from "../lint/imports.ts";
import { featureOf } from "../lint/layers.ts";
import { files, longFunctions, longModules, MOST, wideFolders } from "../lint/sizes.ts";

const FOLDERS = ["src", "workers"];

/** The path of a request through the files, each step as "file function". */
const WALKS: Record<string, readonly string[]> = {
  create: [
    "src/http/routes/servers_write.ts createServer",
    "src/registry/ownership/access.ts authorizeCreate",
    "src/names/namespaces.ts checkAuthor",
    "src/http/routes/servers_write.ts createServer",
    "src/registry/servers/create.ts startCreate",
    "src/registry/scanning/scans.ts beginScan",
    "src/registry/scanning/scan_job.ts runScanJob",
    "src/registry/servers/create.ts startCreate",
    "src/repository/fetch.ts fetchRepository",
    "src/registry/scanning/scan_repository.ts scanRepository",
    "src/scan/pipeline.ts runScan",
    "src/registry/scanning/scan_repository.ts acceptReport",
    "src/registry/servers/create.ts store",
    "src/names/namespaces.ts takeAuthor",
    "src/registry/servers/store.ts insertServer",
    "src/registry/scanning/scan_reports.ts keepScan",
  ],
  "tools/call": [
    "src/http/routes/mcp.ts mcpEndpoint",
    "src/execution/transport/transport.ts createTransport",
    "src/execution/transport/post.ts post",
    "src/execution/sessions/sessions.ts use",
    "src/execution/transport/post.ts deliver",
    "src/execution/sessions/session.ts answer",
    "src/execution/interpreters/interpreter.ts SlotInterpreter",
    "src/execution/interpreters/calls.ts CallQueue",
    "src/execution/hosts/host.ts RunningHost",
    "src/execution/hosts/process.ts startHost",
    "src/sandbox/process.ts startProcess",
    "workers/session/host.ts obey",
    "workers/session/interpreters.ts createInterpreters",
    "workers/session/interpreter.ts startInterpreter",
    "workers/session/turns.ts createTurns",
    "workers/session/interpreter/main.ts handlers",
    "workers/python/berth_interpreter/__init__.py",
  ],
};

const MESSAGES = ["booted", "opened", "waiting", "ask_done", "http_done"];

const listed = Deno.args.includes("--list");

function report(name: string, value: number, items: string[] = []): void {
  console.log(`${String(value).padStart(7)}  ${name}`);
  if (listed) { for (const item of items) console.log(`           ${item}`); }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** The files that name a message: as a text, or as the key of its entry or handler. */
function filesOfMessage(message: string): string[] {
  const named = new RegExp(`"${message}"|^ +(?:async )?${message}(?::|\\()`, "m");
  return ["workers/session", "workers/wire", "src/execution", "src/sandbox", "src/setup"]
    .flatMap((folder) => [...sources(folder)]).filter((path) => named.test(textOf(path)));
}

/** How many hops a walk has; fails where the table and the files have parted. */
function hops(walk: readonly string[]): number {
  for (const step of walk) {
    const [path, name = ""] = step.split(" ");
    if (!textOf(path!).includes(name)) throw new Error(`${path} has no ${name}`);
  }
  return walk.length - 1;
}

const graph = importGraph(FOLDERS);
const show = (found: string[][]) => found.map((circle) => `${circle.length}: ${circle.join(" ")}`);
const inFiles = circles(graph);
const inFeatures = circles(grouped(graph, featureOf));
report("circles of files", inFiles.length, show(inFiles));
report("files in circles", inFiles.flat().length);
report("circles of features", inFeatures.length, show(inFeatures));

const paths = FOLDERS.flatMap((folder) => [...files(folder)]);
for (
  const [name, found] of [
    [`folders over ${MOST.files} files`, wideFolders(paths)],
    [`modules over ${MOST.lines} lines`, longModules(paths)],
    [`functions over ${MOST.functionLines} lines`, longFunctions(paths)],
  ] as const
) report(name, found.length, found);
const naming = MESSAGES.map((message) => [message, ...filesOfMessage(message)]);
report(
  "files of one host message",
  median(naming.map((each) => each.length - 1)),
  naming.map((each) => each.join(" ")),
);
for (const [name, walk] of Object.entries(WALKS)) {
  report(`hops of ${name}`, hops(walk), [...walk]);
}

const source = paths.filter((path) => /\.(tsx?|py|js|css|sql)$/.test(path));
report("lines of source", source.reduce((sum, p) => sum + textOf(p).split("\n").length - 1, 0));
report("files of source", source.length);
