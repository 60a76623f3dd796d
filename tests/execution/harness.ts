/**
 * The execution side over in-memory pieces: hosts, session rows, clock and registry of a test.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import type { AdmissionDeps } from "../../src/execution/admission/admission.ts";
import { archiveCache } from "../../src/execution/sessions/archive_cache.ts";
import { callLimit } from "../../src/execution/admission/clients.ts";
import type { Clock } from "../../src/execution/clock.ts";
import { bodyRoom } from "../../src/execution/transport/content.ts";
import { createMetrics, type ExecutionMetrics } from "../../src/execution/metrics.ts";
import type { EgressBroker, EgressChannel } from "../../src/egress/broker.ts";
import type { SessionHosts, SpareHosts } from "../../src/execution/hosts/types.ts";
import type { ServerCodeDeps } from "../../src/execution/sessions/server_code.ts";
import { createSpares, type Spares } from "../../src/execution/spares/spares.ts";
import type { SessionRow, SessionStore } from "../../src/execution/sessions/store.ts";
import type { Depot } from "../../src/execution/parked/depot.ts";
import { createParkedRoom } from "../../src/execution/parked/room.ts";
import type { SessionsDeps, ToolCall } from "../../src/execution/sessions/types.ts";
import { Sessions } from "../../src/execution/sessions/sessions.ts";
import { eventRoom } from "../../src/execution/streams/streams.ts";
import { createTransport } from "../../src/execution/transport/transport.ts";
import type { RefusedExecution, TransportDeps } from "../../src/execution/transport/types.ts";
import type { ExecutionPolicy, RunnableServer, ToolsPolicy } from "../../src/execution/types.ts";
import { recordingLogger } from "../helpers/log.ts";
import { type FakeHosts, fakeHosts, type FakeServer } from "./fake_hosts.ts";

/** What is stored of a server of one file that imports pydantic. */
export const storedScript: ServerCodeDeps["stored"] = () =>
  Promise.resolve({
    scanned: {
      files: ["server.py"],
      texts: [],
      computed: true,
      imports: ["mcp", "pydantic"],
    },
    packages: undefined,
  });

/** A clock that stands still until told. */
export interface HeldClock extends Clock {
  advance(ms: number): Promise<void>;
  pending(): number;
}

const START = Date.UTC(2026, 0, 1);

export function heldClock(): HeldClock {
  // As the machine's: ages are counted from some moment of its own.
  let time = 1000;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => time,
    date: () => new Date(START + time),
    after(ms, run) {
      const timer = { at: time + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const end = time + ms;
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((timer) => timer !== due);
        time = due.at;
        due.run();
        await settle();
      }
      time = end;
      await settle();
    },
    pending: () => timers.length,
  };
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

export interface MemoryStore extends SessionStore {
  rows: Map<string, SessionRow & { reason: string | null }>;
}

export function memoryStore(): MemoryStore {
  const rows: MemoryStore["rows"] = new Map();
  return {
    rows,
    find(id) {
      const row = rows.get(id);
      if (row === undefined) return Promise.resolve(null);
      return Promise.resolve({ instance: row.instance, isRecent: true, owner: null });
    },
    acquire: () => Promise.reject(new Error("Nodes do not share sessions here")),
    begin(row) {
      rows.set(row.id, { ...row, reason: null });
      return Promise.resolve();
    },
    forget(row) {
      if (rows.get(row.id)?.instance === row.instance) rows.delete(row.id);
      return Promise.resolve();
    },
    end(row, reason) {
      const found = rows.get(row.id);
      if (found?.instance === row.instance) found.reason = reason;
      return Promise.resolve();
    },
    touch: () => Promise.resolve(),
    prune: () => Promise.resolve(),
  };
}

export const SERVER: RunnableServer = {
  name: "weather",
  lang: "python",
  entrypoint: "server.py",
  folder: "",
  archiveSha256: "",
  scanStatus: "passed",
  scannedTools: null,
  variables: [],
  neededToStart: [],
  runs: [],
  pricing: { currency: "USD", amount: 0 },
  version: "1.0.0",
  revision: 1,
};

export interface Options {
  server?: FakeServer;
  servers?: Record<string, Partial<RunnableServer>>;
  findRunnable?: (name: string) => Promise<RunnableServer | null>;
  policy?: ExecutionPolicy;
  toolsPolicy?: ToolsPolicy;
  keepsValues?: boolean;
  keptValues?: SessionsDeps["keptValues"];
  keptOrigins?: SessionsDeps["keptOrigins"];
  currentValue?: SessionsDeps["currentValue"];
  /** Real hosts, in place of those in memory. */
  sandbox?: SessionHosts & SpareHosts;
  /** What answers requests of servers. */
  http?: EgressChannel;
  /** Told what the broker is given of each session. */
  onEgress?: (...given: Parameters<EgressBroker["open"]>) => void;
  /** Text of `server.py` for them. */
  source?: string;
  checkPayment?: AdmissionDeps["checkPayment"];
  authentication?: TransportDeps["authentication"];
  maxSessions?: number;
  sessionsPerClient?: number;
  callsPerMinute?: number;
  /** Most spare sessions. */
  spareSessions?: number;
  /** Is given the harness before anything begins. */
  onHarness?: (harness: Harness) => void;
  /** Bytes of the machine's memory that are free, of 100. */
  freeMemory?: () => number;
  idleSeconds?: number;
  /** Sessions are parked; default: never. */
  parkAfterSeconds?: number;
  parkedBytes?: number;
  /** Where sessions go that leave. */
  depot?: Depot;
  store?: MemoryStore;
  /** Bytes of events that the node keeps. */
  eventBytes?: number;
  pageSize?: number;
  /** Bytes of unanswered requests. */
  room?: number;
}

export interface Harness {
  clock: HeldClock;
  hosts: FakeHosts;
  spares: Spares | null;
  store: MemoryStore;
  sessions: Sessions;
  metrics: ExecutionMetrics;
  lines: Record<string, unknown>[];
  /** What was refused by policy. */
  refusals: RefusedExecution[];
  refusedTools: { server: string; tool: string }[];
  /** Calls of tools that have ended, in order. */
  toolCalls: ToolCall[];
  unpacked: () => number;
  send(request: Request, clientAddress?: string): Promise<Response>;
}

const ARCHIVE = new TextEncoder().encode("archive");

export async function harness(options: Options = {}): Promise<Harness> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", ARCHIVE)).toHex();
  const clock = heldClock();
  const hosts = fakeHosts(options.server);
  const store = options.store ?? memoryStore();
  const metrics = createMetrics();
  const { log, lines } = recordingLogger();
  const servers = options.servers ?? { weather: {} };
  let unpacked = 0;
  const newId = () => crypto.randomUUID();
  const refusedTools: Harness["refusedTools"] = [];
  const toolCalls: ToolCall[] = [];
  const admission: AdmissionDeps = {
    findRunnable: options.findRunnable ?? ((name) =>
      Promise.resolve(
        Object.hasOwn(servers, name)
          ? { ...SERVER, archiveSha256: digest, name, ...servers[name] }
          : null,
      )),
    policy: options.policy ?? "unless-failed",
    ...(options.checkPayment ? { checkPayment: options.checkPayment } : {}),
  };
  const code: ServerCodeDeps = {
    files: archiveCache({
      loadArchive: (sha256) => Promise.resolve(sha256 === digest ? ARCHIVE : null),
      readArchive() {
        unpacked += 1;
        return Promise.resolve(
          new Map([["server.py", new TextEncoder().encode(options.source ?? "#")]]),
        );
      },
    }),
    stored: () => Promise.resolve({ scanned: null, packages: undefined }),
    profile: options.sandbox === undefined ? "restricted" : "full",
  };
  const spares = options.spareSessions === undefined ? null : createSpares({
    ...admission,
    hosts: options.sandbox ?? hosts,
    code,
    most: options.spareSessions,
    clock,
    log,
    metrics: metrics.spares,
    memory: () => ({ available: options.freeMemory?.() ?? 50, total: 100 }),
  });
  const sessions = new Sessions({
    admission,
    launch: {
      ...code,
      hosts: options.sandbox ?? hosts,
      egress: {
        open(server, given) {
          options.onEgress?.(server, given);
          return options.http ?? (() => Promise.reject(new Error("no network here")));
        },
      },
      ...(spares === null ? {} : { spares }),
      parking: options.parkAfterSeconds === undefined ? undefined : {
        clock,
        log,
        metrics,
        afterMs: options.parkAfterSeconds * 1000,
        room: createParkedRoom(options.parkedBytes ?? 64 * 1024 * 1024),
      },
    },
    store,
    depot: options.depot,
    clock,
    log,
    metrics,
    newId,
    keysPage: (server) => `http://registry.test/servers/${server}/keys`,
    ...(options.keepsValues === undefined ? {} : { keepsValues: options.keepsValues }),
    ...(options.keptValues === undefined ? {} : { keptValues: options.keptValues }),
    ...(options.keptOrigins === undefined ? {} : { keptOrigins: options.keptOrigins }),
    ...(options.currentValue === undefined ? {} : { currentValue: options.currentValue }),
    toolsPolicy: options.toolsPolicy ?? "scanned",
    onToolRefused: (refusal) => refusedTools.push(refusal),
    onToolCall: (call) => toolCalls.push(call),
    callTimeoutMs: 60_000,
    idleMs: (options.idleSeconds ?? 1800) * 1000,
    maxSessions: options.maxSessions ?? 200,
    sessionsPerClient: options.sessionsPerClient ?? 50,
    eventRoom: eventRoom(options.eventBytes ?? 64 * 1024 * 1024),
    ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
  });
  const refusals: RefusedExecution[] = [];
  const transport = createTransport({
    sessions,
    clock,
    onRefused: (refusal) => refusals.push(refusal),
    calls: callLimit(options.callsPerMinute ?? 600, clock.now),
    room: bodyRoom(options.room ?? 64 * 1024 * 1024),
    authenticate(authorization) {
      const match = /^Bearer user-(\w+)$/.exec(authorization);
      if (match) return Promise.resolve({ userId: match[1]! });
      return Promise.reject(
        new AppError("invalid_token", "The token is not valid", { details: { reason: "test" } }),
      );
    },
    authentication: options.authentication ?? "optional",
    failureOf: (error, requestId) => ({
      status: error.status,
      body: error.status === 401 || error.status === 403
        ? { success: false, error: { code: error.code, details: error.details } }
        : { status: "error", detail: error.message, request_id: requestId },
      headers: error.headers,
    }),
    newId,
    log,
  });
  const made: Harness = {
    clock,
    hosts,
    spares,
    store,
    sessions,
    metrics,
    lines,
    refusals,
    refusedTools,
    toolCalls,
    unpacked: () => unpacked,
    send: (request, clientAddress = "192.0.2.1") =>
      transport.handle(request, { clientAddress, requestId: "request-1" }),
  };
  options.onHarness?.(made);
  return made;
}

export interface PostOptions {
  name?: string | null;
  session?: string | null;
  headers?: Record<string, string>;
  token?: string;
}

/** A request as the specification's own clients send it. */
export function post(body: unknown, options: PostOptions = {}): Request {
  const headers = new Headers({ "content-type": "application/json" });
  if (options.session !== null) headers.set("mcp-session-id", options.session ?? "s1");
  if (options.token !== undefined) headers.set("authorization", `Bearer user-${options.token}`);
  for (const [key, value] of Object.entries(options.headers ?? {})) {
    if (value === "") headers.delete(key);
    else headers.set(key, value);
  }
  const query = options.name === null ? "" : `?name=${options.name ?? "weather"}`;
  return new Request(`http://localhost/mcp${query}`, {
    method: "POST",
    headers,
    body: typeof body === "string" || body instanceof Uint8Array
      ? body as BodyInit
      : JSON.stringify(body),
  });
}

export function rpc(method: string, params?: unknown, id: unknown = 1): Record<string, unknown> {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
}

export const INITIALIZE = rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {} });

// deno-lint-ignore no-explicit-any
export type Body = any;

export async function json(response: Response, status: number): Promise<Body> {
  const text = await response.text();
  assertEquals(response.status, status, text);
  return JSON.parse(text);
}

export function remove(session: string, options: PostOptions = {}): Request {
  const { url, headers } = post({}, { ...options, session });
  headers.delete("content-type");
  return new Request(url, { method: "DELETE", headers });
}

/** A GET for the session's own stream, or for the rest of another. */
export function get(session: string | null, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/mcp?name=weather", {
    headers: {
      accept: "text/event-stream",
      ...(session === null ? {} : { "mcp-session-id": session }),
      ...headers,
    },
  });
}

/** One event of a stream. */
export interface StreamEvent {
  id?: string;
  retry?: number;
  /** The message in it; absent from an empty event. */
  message?: Body;
}

/** Reads the events of a stream, comments left out. */
export function eventsOf(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  function parse(block: string): StreamEvent | null {
    const event: StreamEvent = {};
    for (const line of block.split("\n")) {
      const [, field, value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? [];
      if (field === "id") event.id = value;
      if (field === "retry") event.retry = Number(value);
      if (field === "data" && value !== "") event.message = JSON.parse(value);
    }
    return Object.keys(event).length === 0 ? null : event;
  }
  return {
    /** The next event; null at the end. */
    async next(): Promise<StreamEvent | null> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const event = parse(text.slice(0, end));
          text = text.slice(end + 2);
          if (event !== null) return event;
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    async rest(): Promise<StreamEvent[]> {
      const events: StreamEvent[] = [];
      for (let event = await this.next(); event !== null; event = await this.next()) {
        events.push(event);
      }
      return events;
    },
    /** The client goes away. */
    leave: () => reader.cancel(),
  };
}
