/**
 * Nodes on loopback that share a database and forward to each other; only their sandbox is in memory.
 *
 * @module
 */
import { now } from "../../../src/clock.ts";
import type { Sql } from "../../../src/database/client.ts";
import { AppError } from "../../../src/errors.ts";
import { systemClock } from "../../../src/execution/clock.ts";
import { createExecution, type Execution } from "../../../src/execution/execution.ts";
import type { Membership } from "../../../src/execution/nodes/membership.ts";
import { createNode } from "../../../src/execution/nodes/node.ts";
import { nodeStore } from "../../../src/execution/nodes/store.ts";
import { failureEnvelope } from "../../../src/http/envelopes.ts";
import { createExecutionApp } from "../../../src/http/execution_app.ts";
import { listen } from "../../../src/http/listen.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { type FakeHosts, fakeHosts, type FakeServer } from "../fake_hosts.ts";
import { SERVER } from "../harness.ts";

/** A running node. */
export interface TestNode {
  url: string;
  hosts: FakeHosts;
  execution: Execution;
  membership: Membership;
  lines: Record<string, unknown>[];
  /** Sends a request for a session of `weather`; with a token that of a user. */
  send(session: string, body: unknown, user?: string): Promise<Response>;
  /** Any other request to `/mcp`. */
  request(init: RequestInit & { headers: Record<string, string> }): Promise<Response>;
  /** Has it answer nobody, and renew nothing, as if it were dead. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Clients of this process keep connections open, and some never ask for anything on them. */
const STOP_MS = 2000;
const ARCHIVE = new TextEncoder().encode("archive");

async function authenticate(authorization: string) {
  const match = /^Bearer user-(\w+)$/.exec(authorization);
  if (match === null) throw new AppError("invalid_token", "The token is not valid");
  return await Promise.resolve({ userId: match[1]! });
}

/** Starts a node on `sql`. */
export async function startTestNode(
  sql: Sql,
  { server = {}, leaseMs = 10_000 }: { server?: FakeServer; leaseMs?: number } = {},
): Promise<TestNode> {
  const digest = await crypto.subtle.digest("SHA-256", ARCHIVE);
  const archiveSha256 = new Uint8Array(digest).toHex();
  const { log, lines } = recordingLogger();
  const newId = () => crypto.randomUUID();
  const listener = await listen({
    hostname: "127.0.0.1",
    port: 0,
    onError: () => new Response("escaped", { status: 500 }),
  });
  const url = `http://127.0.0.1:${listener.port}`;
  let isDead = false;
  const store = nodeStore(sql);
  const { membership, forward, gate } = await createNode({
    connect: () => ({
      ...store,
      raiseBeat: (id) => isDead ? new Promise(() => {}) : store.raiseBeat(id),
      leave: (id) => isDead ? Promise.resolve() : store.leave(id),
      close: () => Promise.resolve(),
    }),
    clock: systemClock,
    wall: Date.now,
    log,
    newId,
    url,
    leaseMs,
    onLapse: () => execution.endLapsed(),
    fetch,
  });
  const hosts = fakeHosts(server);
  const execution = createExecution({
    keysPage: (name) => `http://registry.test/servers/${name}/keys`,
    sql,
    hosts,
    ownership: membership,
    forward,
    egress: { open: () => () => Promise.reject(new Error("no network here")) },
    clock: systemClock,
    log,
    newId,
    findRunnable: (name) =>
      Promise.resolve(name === "weather" ? { ...SERVER, archiveSha256 } : null),
    loadArchive: () => Promise.resolve(ARCHIVE),
    readArchive: () => Promise.resolve(new Map()),
    policy: "unless-failed",
    authenticate,
    failureOf: failureEnvelope,
    settings: {
      authentication: "optional",
      profile: "restricted",
      toolsPolicy: "scanned",
      idleSeconds: 1800,
      callTimeoutSeconds: 60,
      maxSessions: 200,
      sessionsPerClient: 200,
      callsPerMinute: 60_000,
    },
  });
  await membership.start();
  const app = createExecutionApp({
    log,
    now,
    newId,
    bindHost: "127.0.0.1",
    publicUrl: url,
    trustedProxies: [],
    checks: {},
    transport: execution.transport,
    gate,
    issuer: null,
  });
  listener.serve((request, info) => app.fetch(request, info));
  const request: TestNode["request"] = (init) => fetch(`${url}/mcp?name=weather`, init);
  async function stop() {
    execution.beginShutdown();
    await listener.drain(STOP_MS);
  }
  return {
    url,
    hosts,
    execution,
    membership,
    lines,
    request,
    send: (session, body, user) =>
      request({
        method: "POST",
        headers: {
          "content-type": "application/json",
          "mcp-session-id": session,
          ...(user === undefined ? {} : { authorization: `Bearer user-${user}` }),
        },
        body: JSON.stringify(body),
      }),
    async kill() {
      isDead = true;
      await stop();
    },
    async close() {
      await stop();
      await execution.close();
      await membership.close();
    },
  };
}

/** Runs `body` with two nodes, which end with it. */
export async function withNodes(
  [first, second]: readonly [Sql, Sql],
  options: Parameters<typeof startTestNode>[1],
  body: (a: TestNode, b: TestNode) => Promise<void>,
): Promise<void> {
  const nodes = [await startTestNode(first, options), await startTestNode(second, options)];
  try {
    await body(nodes[0]!, nodes[1]!);
  } finally {
    for (const node of nodes) await node.close();
  }
}
