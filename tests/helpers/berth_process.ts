/**
 * Berth as its operator starts it, in a process of its own.
 *
 * @module
 */
import { isReady } from "./demo_ready.ts";
import { z } from "zod";
import { PATIENCE_MS } from "./patience.ts";

/** Project root. */
export const ROOT = new URL("../../", import.meta.url);

/** A running Berth. */
export interface BerthProcess {
  /** The command's process; Berth's own are its descendants. */
  pid: number;
  registryUrl: string;
  /** `registryUrl` with the version path. */
  apiUrl: string;
  workerUrl: string;
  /** Milliseconds from the start of the command until both listeners were ready. */
  readyAfterMs: number;
  /** What it has written to standard error. */
  log(): string;
  /** Nobody reads that any more. */
  closeLog(): Promise<void>;
  /** Sends SIGTERM; resolves to its exit code. */
  stop(signal?: Deno.Signal): Promise<number>;
}

/** How to start it. */
export interface StartOptions {
  dataDir: string;
  /** Folder of the version to start; by default this one. */
  root?: string;
  /** What the command begins with, where it is to run elsewhere. */
  within?: string[];
  environment: Record<string, string>;
}

/** Whether no other test file has `port`; this one has it until it ends, as locks are kept. */
function take(port: number): boolean {
  const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const path = `${temporary}/berth-test-port-${port}.lock`;
  try {
    const file = Deno.openSync(path, { create: true, write: true });
    if (file.tryLockSync(true)) return true;
    file.close();
  } catch (error) {
    // Another user's.
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
  }
  return false;
}

/**
 * A port that was free a moment ago, that no other test file is given, and that the system gives to
 * nobody who does not ask for it: those begin at 32768. Else another test could have it before its
 * user does.
 */
export function freePort(): number {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    if (!take(port)) continue;
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Variables of this process that a child needs, without any that configures Berth. */
function baseEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "DENO_DIR", "TMPDIR", "LANG", "XDG_CACHE_HOME"];
  return Object.fromEntries(
    kept.map((name) => [name, Deno.env.get(name)]).filter((entry) => entry[1] !== undefined),
  );
}

/** Addresses of the listeners, as {@link startBerthProcess} reads them from the log. */
const ReadyLine = z.object({
  event: z.literal("berth.ready"),
  registry: z.string().optional(),
  execution: z.string().optional(),
});

/** The line that says where Berth listens; undefined while it is not in `log`. */
function readyLine(log: string): z.infer<typeof ReadyLine> | undefined {
  const line = log.split("\n").slice(0, -1).find((one) => one.includes('"berth.ready"'));
  return line === undefined ? undefined : ReadyLine.parse(JSON.parse(line));
}

/**
 * Starts Berth by `deno task start` and waits until its listeners are ready. The system chooses
 * their ports, so that nobody else can have them; the log, of level `info`, says which.
 *
 * @throws {Error} With its log when it ends or is not ready in time.
 */
export async function startBerthProcess(options: StartOptions): Promise<BerthProcess> {
  // Ports of the role that it does not have, at which nobody listens.
  const unused = { registry: freePort(), execution: freePort() };
  const begun = performance.now();
  const command = [...options.within ?? [], Deno.execPath(), "task", "start"];
  const child = new Deno.Command(command[0]!, {
    args: command.slice(1),
    cwd: options.root ?? ROOT,
    clearEnv: true,
    env: {
      ...baseEnvironment(),
      NO_COLOR: "1",
      DATA_DIR: options.dataDir,
      REGISTRY_PORT: "0",
      WORKER_PORT: "0",
      // Only where a test is about them: they are made while it does something else.
      IMAGES_MB: "0",
      // Sessions start slowly on a busy machine.
      CALL_TIMEOUT_SECONDS: "600",
      ...options.environment,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const closing = new AbortController();
  const decoder = new TextDecoder();
  const written = new WritableStream<Uint8Array>({
    write(chunk) {
      log += decoder.decode(chunk, { stream: true });
    },
  });
  const reading = child.stderr.pipeTo(written, { signal: closing.signal }).catch((error) => {
    if (!closing.signal.aborted) throw error;
  });
  let ended = false;
  const status = child.status.then((result) => {
    ended = true;
    return result;
  });

  async function stop(signal: Deno.Signal = "SIGTERM") {
    if (!ended) child.kill(signal);
    const { code } = await status;
    await reading;
    return code;
  }

  const deadline = begun + PATIENCE_MS;
  /** The listeners' addresses once all of them are ready. */
  async function ready() {
    const line = readyLine(log);
    if (line === undefined) return null;
    const [registry, execution] = [line.registry, line.execution?.replace(/\/mcp$/, "")];
    const listeners = [registry, execution].filter((url) => url !== undefined);
    if (!(await Promise.all(listeners.map(isReady))).every((one) => one)) return null;
    return { registry, execution };
  }
  let found = await ready();
  for (; found === null; found = await ready()) {
    if (ended || performance.now() > deadline) {
      await stop("SIGKILL");
      throw new Error(`Berth did not get ready:\n${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const registryUrl = found.registry ?? `http://127.0.0.1:${unused.registry}`;
  const workerUrl = found.execution ?? `http://127.0.0.1:${unused.execution}`;
  return {
    pid: child.pid,
    registryUrl,
    apiUrl: `${registryUrl}/api/v1`,
    workerUrl,
    readyAfterMs: performance.now() - begun,
    log: () => log,
    async closeLog() {
      closing.abort();
      await reading;
    },
    stop,
  };
}
