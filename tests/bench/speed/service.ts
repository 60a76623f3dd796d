/**
 * A Berth that measurements start, and what its operator sees of it.
 *
 * @module
 */
import { freePort } from "../../helpers/berth_process.ts";
import { startServing } from "../../helpers/everything.ts";
import { descendants } from "../../helpers/processes.ts";
import { proportionalMb } from "./sdk.ts";
import { pause } from "./table.ts";

/** A running Berth with servers that are registered. */
export interface Service extends AsyncDisposable {
  pid: number;
  urlOf(name: string): string;
  /** Registers a server that was left for later. */
  register(name: string): Promise<void>;
  /** What it has logged. */
  log(): string;
  /** A gauge of its metrics, such as `berth_warm_sessions`. */
  gauge(name: string): Promise<number>;
  /** Resolves when no session runs and as many wait as `warm` and `spare` say. */
  rest(warm: number, spare?: number): Promise<void>;
  /** Megabytes of all its processes, shared pages counted once. */
  memoryMb(): Promise<number>;
}

/** How long a node may take to come to rest. */
const REST_MS = 120_000;

/** Starts a Berth with `servers`, sources by name or files by path; those for `later` are not registered yet. */
export async function startService(
  servers: Record<string, string | Record<string, string>>,
  environment: Record<string, string> = {},
  later: readonly string[] = [],
): Promise<Service> {
  const metrics = freePort();
  const serving = await startServing(
    Object.fromEntries(
      Object.entries(servers).map(([name, given]) => [
        name,
        typeof given === "string" ? { "server.py": given } : given,
      ]),
    ),
    { METRICS_PORT: String(metrics), ...environment },
    later,
  );
  async function gauge(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? NaN);
  }
  return {
    pid: serving.berth.pid,
    urlOf: (name) => serving.mcpOf(name),
    register: (name) => serving.register(name),
    log: () => serving.berth.log(),
    gauge,
    async rest(warm, spare = 0) {
      const until = performance.now() + REST_MS;
      while (performance.now() < until) {
        const [sessions, waiting, spares] = [
          await gauge("berth_sessions"),
          await gauge("berth_warm_sessions"),
          await gauge("berth_spare_sessions"),
        ];
        if (sessions === 0 && waiting >= warm && spares >= spare) return;
        await pause(50);
      }
      throw new Error("Berth did not come to rest");
    },
    async memoryMb() {
      const pids = [serving.berth.pid, ...await descendants(serving.berth.pid)];
      const each = await Promise.all(pids.map(proportionalMb));
      return each.reduce((sum, one) => sum + one, 0);
    },
    [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
  };
}
