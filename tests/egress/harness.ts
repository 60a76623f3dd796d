/**
 * A broker for tests: names resolve through a table, loopback is allowed where a test says so.
 *
 * @module
 */
import {
  createEgressBroker,
  type EgressBroker,
  type EgressChannel,
} from "../../src/egress/broker.ts";
import type { OwnEndpoint } from "../../src/egress/own.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import type { RefusedRequest } from "../../src/egress/record.ts";
import type { EgressOutcome, EgressRequest } from "../../src/egress/types.ts";
import { createLogger } from "../../src/log.ts";

export interface BrokerOptions {
  allow?: string[];
  hosts?: string[];
  /** Name → addresses; a function is asked on every resolution. */
  names?: Record<string, string[] | (() => string[])>;
  own?: OwnEndpoint[];
  interfaces?: string[];
  ca?: string[];
  now?: () => number;
  totalTimeoutMs?: number;
  heldMaxBytes?: number;
  resolve?: (name: string) => Promise<string[]>;
}

export interface TestBroker {
  broker: EgressBroker;
  channel: EgressChannel;
  open: () => EgressChannel;
  lookups: string[];
  lines: string[];
  /** Requests that were refused. */
  refused: RefusedRequest[];
  /** Secrets that were sent elsewhere: name and target. */
  elsewhere: [name: string, target: string][];
}

export function testBroker(options: BrokerOptions = {}): TestBroker {
  const lookups: string[] = [];
  const lines: string[] = [];
  const refused: RefusedRequest[] = [];
  const elsewhere: [string, string][] = [];
  function resolve(name: string): Promise<string[]> {
    if (options.resolve) return options.resolve(name);
    lookups.push(name);
    const entry = options.names?.[name] ?? [];
    return Promise.resolve(typeof entry === "function" ? entry() : entry);
  }
  const broker = createEgressBroker({
    policy: parseEgressPolicy(options.allow ?? [], options.hosts ?? ["*"]),
    own: { endpoints: options.own ?? [], interfaces: options.interfaces ?? [], resolve },
    resolve,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    now: options.now ?? (() => performance.now()),
    ...(options.totalTimeoutMs === undefined ? {} : { totalTimeoutMs: options.totalTimeoutMs }),
    ...(options.heldMaxBytes === undefined ? {} : { heldMaxBytes: options.heldMaxBytes }),
    onAttempt: ({ name, target, way }) => {
      if (way === "elsewhere" || way === "unprotected") elsewhere.push([name, target]);
    },
    onRefused: (request) => refused.push(request),
    log: createLogger({ level: "debug", format: "json", write: (line) => lines.push(line) }),
  });
  return {
    broker,
    channel: broker.open("weather"),
    open: () => broker.open("weather"),
    lookups,
    lines,
    refused,
    elsewhere,
  };
}

export function get(url: string, change: Partial<EgressRequest> = {}): EgressRequest {
  return {
    method: "GET",
    url,
    headers: [],
    body: null,
    connectTimeoutMs: 30_000,
    readTimeoutMs: 30_000,
    verify: true,
    ...change,
  };
}

export const never = new AbortController().signal;

export function errorOf(outcome: EgressOutcome): string {
  return outcome.kind === "error" ? outcome.error : `response ${outcome.status}`;
}

/** A raw TCP server: `answer` gets the request's text once its head is complete. */
export async function withTcpServer(
  answer: (conn: Deno.Conn, head: string) => Promise<void>,
  body: (port: number, heads: string[]) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const heads: string[] = [];
  const open = new Set<Promise<void>>();
  const accepting = (async () => {
    for await (const conn of listener) {
      const served = serve(conn).catch(() => {}).finally(() => {
        try {
          conn.close();
        } catch { /* closed by the answer */ }
        open.delete(served);
      });
      open.add(served);
    }
  })();
  async function serve(conn: Deno.Conn) {
    let text = "";
    const buffer = new Uint8Array(65536);
    while (!text.includes("\r\n\r\n")) {
      const count = await conn.read(buffer);
      if (count === null) return;
      text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
    }
    heads.push(text);
    await answer(conn, text);
  }
  try {
    await body((listener.addr as Deno.NetAddr).port, heads);
  } finally {
    listener.close();
    await accepting;
    await Promise.all(open);
  }
}

export async function write(conn: Deno.Conn, text: string | Uint8Array): Promise<void> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.byteLength;) at += await conn.write(bytes.subarray(at));
}
