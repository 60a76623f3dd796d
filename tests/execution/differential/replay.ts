/**
 * Replays recordings of the real SDKs against Berth's runtime, and compares answer by answer.
 *
 * @module
 */
import { type Emitted, Interpreter, type Outcome } from "../../workers/python/pyodide.ts";

/** One request, what the SDK answered, and what went to and fro meanwhile. */
export interface Exchange {
  method: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
  /** Requests to the client: method, parameters, its reply. */
  asked?: [string, unknown, Record<string, unknown>][];
  /** Notifications: method, parameters. */
  notified?: [string, unknown][];
}

/** What `record.py` wrote for one case and SDK. */
export interface Recording {
  recorded: { sdk: "mcp" | "fastmcp"; python: string; mcp: string; fastmcp: string };
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

/** An exchange whose two sides differ. */
export interface Difference {
  case: string;
  request: string;
  sdk: string;
  berth: string;
}

/** What came of a replay. */
export interface Tally {
  equal: number;
  /** By reason. */
  deliberate: Map<string, number>;
  different: Difference[];
}

const HERE = new URL("./", import.meta.url);
const SDK_MODULES = {
  mcp: "from mcp.server.fastmcp import *\nSDK = 'mcp'\n",
  fastmcp: "from fastmcp import *\nfrom fastmcp.utilities.types import *\nSDK = 'fastmcp'\n",
};

/** Names of all recordings. */
export async function recordings(): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(new URL("recorded/", HERE))) names.push(entry.name);
  return names.sort();
}

/** A recording and the source of its case. */
export async function readRecording(
  name: string,
): Promise<{ recording: Recording; source: string; table: string }> {
  const [, folder, file] = /^(mcp|fastmcp|both)_(.*)_(?:mcp|fastmcp)\.json\.gz$/.exec(name)!;
  const read = (path: string) => Deno.readTextFile(new URL(path, HERE));
  return {
    recording: await unpacked(new URL(`recorded/${name}`, HERE)),
    source: await read(`cases/${folder}/${file}.py`),
    table: await read("cases/table.py"),
  };
}

async function unpacked(file: URL): Promise<Recording> {
  const { readable } = await Deno.open(file);
  return await new Response(readable.pipeThrough(new DecompressionStream("gzip"))).json();
}

/** Something that a case can be loaded into. */
export interface Target {
  load(files: Record<string, string>): Promise<unknown>;
  request(method: string, params: unknown): Promise<Outcome>;
  /** Sets what the client replies from now on; gives what it was asked since. */
  replies(replies: Record<string, unknown>[]): [string, unknown, Record<string, unknown>][];
  /** Notifications since the last call. */
  notifications(): [string, unknown][];
}

/** An interpreter as a target. */
export function targetOf(python: Interpreter): Target {
  return {
    async load(files) {
      const info = await python.load(files);
      await python.client({
        roots: { listChanged: true },
        sampling: { tools: {} },
        elicitation: { form: {}, url: {} },
      });
      return info;
    },
    request: (method, params) => python.request(method, params),
    replies(replies) {
      const asked: [string, unknown, Record<string, unknown>][] = [];
      python.ask = ({ method, params }) => {
        const reply = replies[asked.length] ?? {};
        asked.push([method, params, reply]);
        return Promise.resolve(
          ("code" in reply
            ? { kind: "error", ...reply }
            : { kind: "result", result: reply }) as Outcome,
        );
      };
      return asked;
    },
    notifications() {
      const sent = python.events.filter((event: Emitted) => event.type === "notification");
      python.events.length = 0;
      return sent.map(({ method, params }) => [method!, params]);
    },
  };
}

/** Replays one recording. */
export async function replay(
  target: Target,
  name: string,
  deliberate: Deliberate[],
  tally: Tally,
): Promise<void> {
  const { recording, source, table } = await readRecording(name);
  const { sdk } = recording.recorded;
  const loaded = await target.load({
    "server.py": source,
    "table.py": table,
    "sdk.py": SDK_MODULES[sdk],
  }) as { kind: string; info?: { capabilities: unknown } };
  if (loaded.kind !== "loaded") throw new Error(`${name}: ${JSON.stringify(loaded)}`);
  for (const exchange of recording.exchanges) {
    if (exchange.method === "initialize") continue;
    const asked = target.replies((exchange.asked ?? []).map(([, , reply]) => reply));
    target.notifications();
    const outcome = await target.request(exchange.method, exchange.params ?? {});
    const { kind: _, ...failure } = outcome;
    const berth: Partial<Exchange> = outcome.kind === "result"
      ? { result: outcome.result }
      : { error: failure as Exchange["error"] & object };
    if (asked.length > 0) berth.asked = asked;
    const notified = target.notifications();
    if (notified.length > 0) berth.notified = notified;
    const { method, params, ...expected } = exchange;
    const request = `${method} ${JSON.stringify(params ?? {})}`;
    for (const [part, theirs, ours] of parts(expected, berth)) {
      count({ case: name, request: request + part, sdk: theirs, berth: ours }, deliberate, tally);
    }
  }
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

/** The pieces of two answers that are compared: each item of a list by itself. */
function parts(sdk: Partial<Exchange>, berth: Partial<Exchange>): [string, string, string][] {
  const theirs = listOf(sdk.result), ours = listOf(berth.result);
  if (theirs === null || ours === null) return [["", canonical(sdk), canonical(berth)]];
  const names = new Set([...theirs.keys(), ...ours.keys()]);
  return [...names].map((name) => [
    ` ${name}`,
    canonical(theirs.get(name) ?? null),
    canonical(ours.get(name) ?? null),
  ]);
}

/** The items of a list of tools, resources, templates or prompts by name and place. */
function listOf(result: unknown): Map<string, unknown> | null {
  const lists = Object.entries(result ?? {})
    .filter(([key, value]) => LISTS.has(key) && Array.isArray(value));
  if (lists.length !== 1) return null;
  const items = lists[0]![1] as Record<string, unknown>[];
  return new Map(items.map((item, index) => [`${item.name ?? index}`, item]));
}

const LISTS = new Set(["tools", "resources", "resourceTemplates", "prompts"]);

/** JSON text with sorted keys: equal texts are equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1));
  });
}
