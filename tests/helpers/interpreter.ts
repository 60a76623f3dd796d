/**
 * The prepared interpreter and session hosts for tests. All test processes share what setup left
 * in the project's `.data`.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { createSandboxHosts, type SandboxHostsOptions } from "../../src/execution/hosts/hosts.ts";
import type { OpenSession, SandboxHosts } from "../../src/execution/hosts/types.ts";
import { createLogger } from "../../src/log.ts";
import { ensureSetup, type PreparedInterpreter } from "../../src/setup/setup.ts";

/** The interpreter, prepared now if it is not yet. */
export function testInterpreter(): Promise<PreparedInterpreter> {
  return ensureSetup({ dataDir: fileURLToPath(new URL("../../.data", import.meta.url)) });
}

/** A supervisor without warm sessions, which end with `await using`. */
export async function openTestHosts(
  overrides: Partial<SandboxHostsOptions> = {},
): Promise<SandboxHosts & AsyncDisposable> {
  const hosts = createSandboxHosts({
    interpreter: await testInterpreter(),
    memoryMb: 256,
    sessionsPerHost: 4,
    warmSessions: 0,
    maxSessions: 20,
    loadDeadlineMs: 30_000,
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    ...overrides,
  });
  return { ...hosts, [Symbol.asyncDispose]: () => hosts.close() };
}

/** What {@link SandboxHosts.open} takes, for one Python file, with callbacks that do nothing. */
export function sessionInput(source: string, overrides: Partial<OpenSession> = {}): OpenSession {
  return {
    sessionId: crypto.randomUUID(),
    server: "test-server",
    digest: "0".repeat(64),
    files: new Map([["main.py", new TextEncoder().encode(source)]]),
    entrypoint: "main.py",
    profile: "full",
    environment: {},
    onLog: () => {},
    onNotification: () => {},
    onEnd: () => {},
    http: () =>
      Promise.resolve({ kind: "error", error: "refused", message: "No network in tests" }),
    ...overrides,
  };
}
