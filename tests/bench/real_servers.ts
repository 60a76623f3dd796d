// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Starts public servers in the sandbox, profile `full`, and compares the tools they list with those
 * of a table:
 * `deno run -A tests/bench/real_servers.ts FOLDER TABLE [--only TEXT] [--call] [--json FILE]`.
 *
 * FOLDER holds a checkout `owner/name` of each repository. TABLE is tab-separated with the columns
 * `repository`, `project_folder`, `entrypoint`, `needs` and `tools`. Servers that name environment
 * variables are started again with placeholders when they fail for want of one. With `--call` one
 * tool of each is called, the one that wants the fewest arguments. Nothing leaves the sandbox.
 *
 * @module
 */
import type { PlainSession } from "../helpers/plain_json.ts";
import { openTestHosts, sessionInput } from "../helpers/interpreter.ts";
import { compareTools, type Outcome, placeholders, readRows, type Row } from "./published/table.ts";

interface Found {
  repository: string;
  entrypoint: string;
  needs: string;
  outcome: Outcome;
  withEnvironment: boolean;
  ms: number;
  missing: string[];
  extra: string[];
  message: string;
  traceback: string;
  /** What came of the call, or empty. */
  called: string;
}

interface Listed {
  name: string;
  inputSchema: { required?: string[]; properties?: Record<string, Property> };
  annotations?: { readOnlyHint?: boolean };
}

interface Property {
  type?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Property[];
}

const MAX_FILE_BYTES = 8 << 20;
const DEADLINE_MS = 120_000;
const SKIPPED = new Set([".git", "node_modules", ".venv", "venv", "__pycache__"]);
const [folder, table, ...options] = Deno.args;
if (folder === undefined || table === undefined) {
  console.error("Usage: real_servers.ts FOLDER TABLE [--only TEXT] [--call] [--json FILE]");
  Deno.exit(2);
}

function option(name: string): string | null {
  const at = options.indexOf(name);
  return at < 0 ? null : options[at + 1] ?? null;
}

async function readFiles(root: string, prefix = ""): Promise<[string, Uint8Array][]> {
  const found: [string, Uint8Array][] = [];
  for await (const entry of Deno.readDir(`${root}/${prefix}`)) {
    const path = prefix + entry.name;
    if (entry.isDirectory && !SKIPPED.has(entry.name)) {
      found.push(...await readFiles(root, `${path}/`));
    } else if (entry.isFile && (await Deno.stat(`${root}/${path}`)).size <= MAX_FILE_BYTES) {
      found.push([path, await Deno.readFile(`${root}/${path}`)]);
    }
  }
  return found;
}

async function listTools(session: PlainSession): Promise<Listed[]> {
  const tools: Listed[] = [];
  let cursor: string | undefined;
  do {
    const outcome = await session.request("tools/list", cursor === undefined ? {} : { cursor }, {
      deadlineMs: DEADLINE_MS,
      requestId: 1,
    });
    if (outcome.kind !== "result") throw new Error(outcome.message);
    const page = outcome.result as { tools: Listed[]; nextCursor?: string };
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** A value that a parameter may take. */
function sample(property: Property | undefined): unknown {
  if (property?.enum !== undefined) return property.enum[0];
  const plain: Record<string, unknown> = {
    integer: 1,
    number: 1,
    boolean: false,
    array: [],
    object: {},
    null: null,
  };
  const type = property?.type ?? property?.anyOf?.[0]?.type ?? "string";
  return type in plain ? plain[type] : "test";
}

/** Calls the tool that wants the fewest arguments; says what came of it. */
async function callOne(session: PlainSession, tools: Listed[]): Promise<string> {
  const wanted = (tool: Listed) => tool.inputSchema.required?.length ?? 0;
  const rank = (tool: Listed) => wanted(tool) - (tool.annotations?.readOnlyHint ? 0.5 : 0);
  const [tool] = tools.toSorted((a, b) => rank(a) - rank(b));
  if (tool === undefined) return "no tool";
  const args = (tool.inputSchema.required ?? []).map((name) => [
    name,
    sample(tool.inputSchema.properties?.[name]),
  ]);
  const outcome = await session.request("tools/call", {
    name: tool.name,
    arguments: Object.fromEntries(args),
  }, { deadlineMs: DEADLINE_MS, requestId: 2 });
  if (outcome.kind !== "result") return `${tool.name}: error ${outcome.message}`;
  const { content, isError } = outcome.result as {
    content: { type: string; text?: string }[];
    isError?: boolean;
  };
  const text = content.map((block) => block.text ?? block.type).join(" ");
  return `${tool.name}: ${isError ? "failed" : "answered"} ${text.replaceAll(/\s+/g, " ")}`;
}

async function start(row: Row, environment: Record<string, string>): Promise<Found> {
  const below = row.folder === "" ? "" : `/${row.folder}`;
  const files = new Map(await readFiles(`${folder}/${row.repository}${below}`));
  const begun = performance.now();
  const found: Found = {
    repository: row.repository,
    entrypoint: row.entrypoint,
    needs: row.needs,
    outcome: "failed",
    withEnvironment: Object.keys(environment).length > 0,
    ms: 0,
    missing: [],
    extra: [],
    message: "",
    traceback: "",
    called: "",
  };
  // One host a server, as strangers' code may take its host down.
  await using hosts = await openTestHosts({ loadDeadlineMs: DEADLINE_MS });
  try {
    const session = await hosts.open(sessionInput("", {
      files,
      entrypoint: row.entrypoint,
      environment,
    }));
    const { load } = session;
    if (load.kind === "loaded") {
      const listed = await listTools(session);
      Object.assign(found, compareTools(row, listed.map((tool) => tool.name)));
      if (options.includes("--call")) found.called = await callOne(session, listed);
    } else if (load.kind === "raised") {
      found.message = load.message;
      found.traceback = load.traceback;
    } else found.message = "refused by the profile";
  } catch (error) {
    found.message = String(error);
  }
  found.ms = Math.round(performance.now() - begun);
  const names = placeholders(files);
  const again = found.outcome !== "all" && !found.withEnvironment && Object.keys(names).length > 0;
  if (!again) return found;
  const second = await start(row, names);
  const order = ["failed", "none", "others", "all"];
  return order.indexOf(second.outcome) > order.indexOf(found.outcome) ? second : found;
}

const only = option("--only");
const all: Found[] = [];
for (const row of await readRows(table)) {
  if (only !== null && !`${row.repository} ${row.entrypoint}`.includes(only)) continue;
  const found = await start(row, {});
  all.push(found);
  const what = found.message || [
    found.missing.length > 0 ? `missing ${found.missing.join()}` : "",
    found.extra.length > 0 ? `beyond the table ${found.extra.join()}` : "",
  ].filter((text) => text !== "").join("; ");
  const note = found.withEnvironment ? " (placeholders)" : "";
  console.log(
    `${found.outcome}\t${found.needs}\t${row.repository} ${row.entrypoint}${note}\t${found.ms} ms\t` +
      what.slice(0, 300) + (found.called === "" ? "" : `\t${found.called.slice(0, 200)}`),
  );
}
const count = (outcome: Found["outcome"]) => all.filter((x) => x.outcome === outcome).length;
console.log(
  `${all.length} servers: ${all.length - count("failed")} start, ${
    count("all")
  } list the table's ` +
    `tools, ${count("others")} others, ${count("none")} none, ${count("failed")} do not start`,
);
const json = option("--json");
if (json !== null) await Deno.writeTextFile(json, JSON.stringify(all, null, 2));
