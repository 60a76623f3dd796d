/**
 * Replays recordings of the real SDKs against Berth's runtime, and compares answer by answer.
 *
 * @module
 */
import type { Outcome } from "../../workers/python/pyodide.ts";
import type { Asked, Notified, Target } from "./targets.ts";

/** One request, what the SDK answered, and what went to and fro meanwhile. */
export interface Exchange {
  method: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
  asked?: Asked[];
  notified?: Notified[];
}

/** What `record.py` wrote for one case and SDK. */
export interface Recording {
  recorded: { sdk: "mcp" | "fastmcp" | "mcp2"; python: string; mcp: string; fastmcp?: string };
  exchanges: Exchange[];
}

/** A kind of answer that is meant to differ: patterns of both sides' JSON, and why. */
export interface Deliberate {
  reason: string;
  /** Matches the name of the case; all when absent. */
  case?: string;
  sdk: string;
  berth: string;
}

/** An answer of which the two sides differ, as JSON. */
export interface Difference {
  case: string;
  request: string;
  sdk: string;
  berth: string;
}

/** What came of replays. */
export interface Tally {
  equal: number;
  /** By reason. */
  deliberate: Map<string, number>;
  different: Difference[];
}

const HERE = new URL("./", import.meta.url);
const RECORDED = new URL("recorded/", HERE);
const SDK_MODULES = {
  mcp: "from mcp.server.fastmcp import *\nSDK = 'mcp'\n",
  mcp2: "from mcp.server.mcpserver import *\nFastMCP = MCPServer\nSDK = 'mcp2'\n",
  fastmcp: "from fastmcp import *\nfrom fastmcp.utilities.types import *\nSDK = 'fastmcp'\n",
};
const LISTS = new Set(["tools", "resources", "resourceTemplates", "prompts"]);

/** All recordings: `mcp_2/both_returns` is the case `both/returns` with version 2 of `mcp`. */
export async function recordings(folder = RECORDED): Promise<string[]> {
  const names: string[] = [];
  for await (const { name: version } of Deno.readDir(folder)) {
    for await (const { name } of Deno.readDir(new URL(`${version}/`, folder))) {
      names.push(`${version}/${name.replace(".json.gz", "")}`);
    }
  }
  return names.sort();
}

/** What is meant to differ. */
export async function deliberateDifferences(): Promise<Deliberate[]> {
  return JSON.parse(await Deno.readTextFile(new URL("differences.json", HERE)));
}

/** A recording, and the files of its case with the names of its SDK. */
export async function readCase(
  name: string,
  from = RECORDED,
): Promise<{ recording: Recording; files: Record<string, string> }> {
  const [, folder, file] = /^\w+\/(both|fastmcp|mcp_\d|fastmcp_\d)_(.*)$/.exec(name)!;
  const read = (path: string) => Deno.readTextFile(new URL(path, HERE));
  const { readable } = await Deno.open(new URL(`${name}.json.gz`, from));
  const unpacked = readable.pipeThrough(new DecompressionStream("gzip"));
  const recording = await new Response(unpacked).json() as Recording;
  const source = await read(`cases/${folder}/${file}.py`);
  const { mcp, fastmcp } = recording.recorded;
  return {
    recording,
    files: {
      "server.py": `${source}\nimport batch\nbatch.install(mcp)\n`,
      "batch.py": await read("batch.py"),
      "table.py": await read("cases/table.py"),
      "sdk.py": SDK_MODULES[recording.recorded.sdk],
      // What is declared decides which version there is.
      "requirements.txt": fastmcp === undefined ? `mcp==${mcp}` : `fastmcp==${fastmcp}`,
    },
  };
}

/** Replays one recording. @throws {Error} When the case does not load. */
export async function replay(
  target: Target,
  name: string,
  deliberate: Deliberate[],
  tally: Tally,
  from = RECORDED,
): Promise<void> {
  const { recording, files } = await readCase(name, from);
  const loaded = await target.load(files) as { kind: string };
  if (loaded.kind !== "loaded") throw new Error(`${name}: ${JSON.stringify(loaded)}`);
  const exchanges = recording.exchanges.filter(({ method }) => method !== "initialize");
  for (const part of inBatches(exchanges)) {
    const answers = part.length === 1
      ? [await single(target, part[0]!)]
      : await together(target, part);
    for (const [index, answer] of answers.entries()) {
      const { method, params, ...expected } = part[index]!;
      const request = `${method} ${JSON.stringify(params ?? {})}`;
      for (const [item, sdk, berth] of pieces(expected, answer)) {
        count({ case: name, request: request + item, sdk, berth }, deliberate, tally);
      }
    }
  }
}

/** Runs of exchanges in which the client is not asked; each of the others by itself. */
function* inBatches(exchanges: Exchange[]): Generator<Exchange[]> {
  let batch: Exchange[] = [];
  for (const exchange of exchanges) {
    if (exchange.asked === undefined) batch.push(exchange);
    if (exchange.asked !== undefined || batch.length === 500) {
      if (batch.length > 0) yield batch;
      batch = [];
    }
    if (exchange.asked !== undefined) yield [exchange];
  }
  if (batch.length > 0) yield batch;
}

type Answer = Omit<Exchange, "method" | "params">;

async function single(target: Target, exchange: Exchange): Promise<Answer> {
  const asked = target.reply((exchange.asked ?? []).map(([, , reply]) => reply));
  target.notified();
  const outcome = await target.request(exchange.method, exchange.params ?? {});
  const answer = answerOf(outcome, target.notified());
  return asked.length > 0 ? { ...answer, asked } : answer;
}

async function together(target: Target, exchanges: Exchange[]): Promise<Answer[]> {
  const requests = exchanges.map(({ method, params }) => [method, params ?? {}]);
  const outcome = await target.request("berth/batch", { requests });
  if (outcome.kind === "error") throw new Error(outcome.message);
  const answers = JSON.parse(outcome.result.text) as [Outcome, Notified[]][];
  return answers.map(([single, notified]) => answerOf(single, notified));
}

function answerOf(outcome: Outcome, notified: Notified[]): Answer {
  const { kind: _, ...failure } = outcome;
  const answer: Answer = outcome.kind === "result"
    ? { result: outcome.result }
    : { error: failure as NonNullable<Exchange["error"]> };
  return notified.length > 0 ? { ...answer, notified } : answer;
}

function count(found: Difference, deliberate: Deliberate[], tally: Tally): void {
  if (found.sdk === found.berth) {
    tally.equal++;
    return;
  }
  const known = deliberate.find((rule) =>
    new RegExp(rule.case ?? "").test(found.case) && new RegExp(rule.sdk, "s").test(found.sdk) &&
    new RegExp(rule.berth, "s").test(found.berth)
  );
  if (known === undefined) tally.different.push(found);
  else tally.deliberate.set(known.reason, (tally.deliberate.get(known.reason) ?? 0) + 1);
}

/** The pieces of two answers that are compared: of a list each item by itself. */
function pieces(sdk: Answer, berth: Answer): [string, string, string][] {
  const theirs = itemsOf(sdk.result);
  const ours = itemsOf(berth.result);
  if (theirs === null || ours === null) return [["", canonical(sdk), canonical(berth)]];
  return [...new Set([...theirs.keys(), ...ours.keys()])].map((name) => [
    ` ${name}`,
    canonical(theirs.get(name) ?? null),
    canonical(ours.get(name) ?? null),
  ]);
}

/** The items of a listed kind, by name. */
function itemsOf(result: unknown): Map<string, unknown> | null {
  const lists = Object.entries(result ?? {})
    .filter(([key, value]) => LISTS.has(key) && Array.isArray(value));
  if (lists.length !== 1) return null;
  const items = lists[0]![1] as Record<string, unknown>[];
  return new Map(items.map((item) => [`${item.name}`, item]));
}

/** JSON text with sorted keys: equal texts are equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1));
  });
}
