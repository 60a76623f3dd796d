/**
 * The execution side with one server of one file, whatever name is asked for.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";
import { systemClock } from "../../src/execution/clock.ts";
import {
  createExecution,
  type Execution,
  type ExecutionDeps,
} from "../../src/execution/execution.ts";
import { failureEnvelope } from "../../src/http/envelopes.ts";
import type { Logger } from "../../src/log.ts";
import { SERVER } from "../execution/harness.ts";

type Settings = ExecutionDeps["settings"];

/** What differs from a node that has the full profile and nothing of its own. */
export interface OneFileOptions
  extends Partial<Omit<ExecutionDeps, "settings" | "sql" | "hosts" | "log">> {
  sql: Sql;
  hosts: ExecutionDeps["hosts"];
  log: Logger;
  settings?: Partial<Settings>;
}

const SETTINGS: Settings = {
  authentication: "optional",
  profile: "full",
  toolsPolicy: "scanned",
  idleSeconds: 1800,
  callTimeoutSeconds: 600,
  maxSessions: 10,
  sessionsPerClient: 10,
  callsPerMinute: 6000,
};

/** Runs `server.py` with these bytes; what `options` has takes the place of what is usual. */
export async function oneFileExecution(
  bytes: Uint8Array<ArrayBuffer>,
  { settings, ...options }: OneFileOptions,
): Promise<Execution> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const archiveSha256 = new Uint8Array(digest).toHex();
  return createExecution({
    keysPage: (server) => `http://registry.test/servers/${server}/keys`,
    egress: { open: () => () => Promise.reject(new Error("no network here")) },
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    findRunnable: (name) => Promise.resolve({ ...SERVER, name, archiveSha256 }),
    loadArchive: () => Promise.resolve(bytes),
    readArchive: () => Promise.resolve(new Map([["server.py", bytes]])),
    policy: "unless-failed",
    authenticate: () => Promise.reject(new Error("unused")),
    failureOf: failureEnvelope,
    ...options,
    settings: { ...SETTINGS, ...settings },
  });
}
