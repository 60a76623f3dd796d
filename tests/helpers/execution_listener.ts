/**
 * The execution listener on loopback, with real token checks over an embedded database; only the
 * sandbox is an in-memory one. It has the server `weather` with the tool `echo`.
 *
 * @module
 */
import { now } from "../../src/clock.ts";
import { createExecution } from "../../src/execution/execution.ts";
import { systemClock } from "../../src/execution/clock.ts";
import type { RunnableServer } from "../../src/execution/types.ts";
import { failureEnvelope } from "../../src/http/envelopes.ts";
import { createExecutionApp } from "../../src/http/execution_app.ts";
import { listen } from "../../src/http/listen.ts";
import { resourceOf } from "../../src/http/routes/protected_resource.ts";
import { authenticate, type IdentityDeps } from "../../src/identity/caller.ts";
import { createKeySet, type FindKey } from "../../src/identity/key_set.ts";
import { alsoFor } from "../../src/services/identity.ts";
import { fakeHosts, type FakeServer } from "../execution/fake_hosts.ts";
import { SERVER } from "../execution/harness.ts";
import { openTestDatabase } from "./database.ts";
import { silentLogger } from "./log.ts";

/** A running listener. */
export interface ExecutionListener {
  /** Without a trailing slash. */
  url: string;
  /** Address of the server `weather`. */
  mcp: URL;
  /** Lets so much time pass for the issuer's key set, which is not asked for all the time. */
  advanceKeySet(ms: number): void;
  close(): Promise<void>;
}

/** What the listener believes. */
export interface ExecutionListenerOptions {
  issuer: string;
  audiences: string[];
  providerClaim?: string;
  authentication?: "optional" | "required";
  /** How the issuer's keys are found; by its documents by default. */
  findKey?: FindKey;
  /** What `weather` answers, in place of the tool `echo`. */
  answer?: FakeServer["answer"];
}

const ARCHIVE = new TextEncoder().encode("archive");

/** Starts it on a free port. */
export async function startExecutionListener(
  options: ExecutionListenerOptions,
): Promise<ExecutionListener> {
  const database = await openTestDatabase();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", ARCHIVE)).toHex();
  const server: RunnableServer = { ...SERVER, archiveSha256: digest };
  const listener = await listen({
    hostname: "127.0.0.1",
    port: 0,
    onError: () => new Response("escaped", { status: 500 }),
  });
  const url = `http://127.0.0.1:${listener.port}`;
  let ahead = 0;
  const newId = () => crypto.randomUUID();
  const log = silentLogger();
  const identity: IdentityDeps = {
    sql: database.sql,
    now,
    admins: { subjects: [], claim: null },
    issued: { isRevoked: () => false, noteUse() {} },
    provider: {
      findKey: options.findKey ?? createKeySet({
        issuer: options.issuer,
        fetch,
        now: () => performance.now() + ahead,
        log,
      }),
      rules: {
        issuer: options.issuer,
        audiences: options.audiences,
        providerClaim: options.providerClaim ?? "firebase",
      },
    },
  };
  const checked = alsoFor(identity, resourceOf(url));
  const execution = createExecution({
    keysPage: (server) => `http://registry.test/servers/${server}/keys`,
    sql: database.sql,
    hosts: fakeHosts({
      answer: options.answer ?? ((method, params) => {
        if (method === "tools/list") {
          const inputSchema = { type: "object", properties: {} };
          return { kind: "result", result: { tools: [{ name: "echo", inputSchema }] } };
        }
        const text = JSON.stringify((params as { arguments: unknown }).arguments);
        return { kind: "result", result: { content: [{ type: "text", text }] } };
      }),
    }),
    egress: { open: () => () => Promise.reject(new Error("no network here")) },
    clock: systemClock,
    log,
    newId,
    findRunnable: (name) => Promise.resolve(name === "weather" ? server : null),
    loadArchive: () => Promise.resolve(ARCHIVE),
    readArchive: () => Promise.resolve(new Map()),
    policy: "unless-failed",
    authenticate: (authorization) => authenticate(checked, authorization),
    failureOf: failureEnvelope,
    settings: {
      authentication: options.authentication ?? "required",
      profile: "restricted",
      toolsPolicy: "scanned",
      idleSeconds: 1800,
      callTimeoutSeconds: 60,
      maxSessions: 10,
      sessionsPerClient: 5,
      callsPerMinute: 600,
      parkAfterSeconds: 0,
      parkedMb: 1,
    },
  });
  const app = createExecutionApp({
    log,
    now,
    newId,
    bindHost: "127.0.0.1",
    publicUrl: url,
    trustedProxies: [],
    checks: {},
    transport: execution.transport,
    issuer: options.issuer,
  });
  listener.serve((request) => app.fetch(request));
  return {
    url,
    mcp: new URL(`${url}/mcp?name=weather`),
    advanceKeySet(ms) {
      ahead += ms;
    },
    async close() {
      await listener.drain();
      await execution.close();
      await database.close();
    },
  };
}
