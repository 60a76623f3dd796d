/**
 * The prepared interpreter and session hosts for tests. All test processes share what setup left
 * in the project's `.data`.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { createSessionHosts } from "../../src/execution/hosts/hosts.ts";
import type { SessionHostsOptions } from "../../src/execution/hosts/options.ts";
import { raiseHostWalls } from "../../src/execution/hosts/walls.ts";
import type { Walls } from "../../src/sandbox/walls.ts";
import type { SessionHosts, SpareHosts } from "../../src/execution/hosts/types.ts";
import type { CallOptions, EndReason } from "../../src/execution/interpreters/types.ts";
import { createLogger } from "../../src/log.ts";
import { ensureSetup, type PreparedInterpreter } from "../../src/setup/setup.ts";
import { PATIENCE_MS } from "./patience.ts";
import { inputOf, type PlainInput, type PlainSession, plainSession } from "./plain_json.ts";

/** The interpreter, prepared now if it is not yet. */
export function testInterpreter(): Promise<PreparedInterpreter> {
  return ensureSetup({ dataDir: fileURLToPath(new URL("../../.data", import.meta.url)) });
}

let walls: Promise<Walls> | undefined;

/** The system's walls as Berth raises them, but for the priority: tests wait for their hosts. */
export async function testWalls(): Promise<Walls> {
  const { folder } = await testInterpreter();
  walls ??= raiseHostWalls({ interpreter: folder, sessionsPerHost: 4, memoryMb: 256, niceness: 0 });
  return await walls;
}

/** Hosts whose sessions take and give values. */
export interface TestHosts extends Omit<SessionHosts, "open">, AsyncDisposable {
  open(input: PlainInput): Promise<PlainSession>;
}

/** A supervisor without warm sessions, which end with `await using`. */
export async function openHosts(
  overrides: Partial<SessionHostsOptions> = {},
): Promise<SessionHosts & SpareHosts & AsyncDisposable> {
  const hosts = createSessionHosts({
    interpreter: await testInterpreter(),
    withPackages: true,
    memoryMb: 256,
    sessionsPerHost: 4,
    warmSessions: 0,
    maxSessions: 20,
    bootTimeoutMs: PATIENCE_MS,
    loadDeadlineMs: PATIENCE_MS,
    // What can be interrupted, or ends by itself, must not be killed because the machine is busy.
    interruptGraceMs: PATIENCE_MS,
    closeGraceMs: PATIENCE_MS,
    walls: await testWalls(),
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    ...overrides,
  });
  return Object.assign(hosts, { [Symbol.asyncDispose]: () => hosts.close() });
}

/** As {@link openHosts}, with sessions that take and give values. */
export async function openTestHosts(
  overrides: Partial<SessionHostsOptions> = {},
): Promise<TestHosts> {
  const hosts = await openHosts(overrides);
  return {
    open: async (input) => plainSession(await hosts.open(inputOf(input))),
    keep: (session) => hosts.keep(session),
    stats: () => hosts.stats(),
    onKill: (listener) => hosts.onKill(listener),
    close: () => hosts.close(),
    [Symbol.asyncDispose]: () => hosts.close(),
  };
}

/** What {@link TestHosts.open} takes, for one Python file, with callbacks that do nothing. */
export function sessionInput(source: string, overrides: Partial<PlainInput> = {}): PlainInput {
  return {
    server: "test-server",
    client: "user test",
    files: new Map([["main.py", new TextEncoder().encode(source)]]),
    entrypoint: "main.py",
    profile: "full",
    environment: {},
    onLog: () => {},
    onNotification: () => {},
    onCloseStream: () => {},
    ask: () => Promise.resolve({ kind: "error", code: -32601, message: "No client in tests" }),
    onEnd: () => {},
    http: () =>
      Promise.resolve({ kind: "error", error: "refused", message: "No network in tests" }),
    ...overrides,
  };
}

/** An entrypoint that serves the tools defined in `body`; each is a function under `@tool`. */
export function server(body: string): string {
  return `from mcp.server.fastmcp import FastMCP
mcp = FastMCP("test")
tool = mcp.tool()
${body}
if __name__ == "__main__":
    mcp.run()
`;
}

/** Calls a tool; gives the text of its first content, or what went wrong in square brackets. */
export async function callTool(
  session: Pick<PlainSession, "request">,
  name: string,
  args: Record<string, unknown> = {},
  options: Partial<CallOptions> = {},
): Promise<string> {
  const outcome = await session.request("tools/call", { name, arguments: args }, {
    deadlineMs: PATIENCE_MS,
    requestId: 1,
    ...options,
  });
  if (outcome.kind === "ended") return `[ended: ${outcome.reason}] ${outcome.message}`;
  if (outcome.kind === "error") return `[error ${outcome.code}] ${outcome.message}`;
  const { content } = outcome.result as { content: { text: string }[] };
  return content[0]?.text ?? "";
}

/** A promise and the `onEnd` that resolves it. */
export function watchEnd(): { ended: Promise<EndReason>; onEnd: (reason: EndReason) => void } {
  const { promise, resolve } = Promise.withResolvers<EndReason>();
  return { ended: promise, onEnd: resolve };
}

/** Processor time that a process has used, in seconds; null when it is gone. */
export async function processorSeconds(pid: number): Promise<number | null> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return null;
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

/** Waits until `condition` holds; throws when it does not come to that within `ms`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = PATIENCE_MS,
): Promise<void> {
  const start = performance.now();
  while (!await condition()) {
    if (performance.now() - start > ms) throw new Error("It did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
