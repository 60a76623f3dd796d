/**
 * Berth as its operator starts it, in a process of its own.
 *
 * @module
 */

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
  /** Sends SIGTERM; resolves to its exit code. */
  stop(signal?: Deno.Signal): Promise<number>;
}

/** How to start it. */
export interface StartOptions {
  dataDir: string;
  environment: Record<string, string>;
  /** Milliseconds until it must be ready. */
  patienceMs?: number;
}

/** Whether no other test file has `port`; this one has it until it ends, as locks are kept. */
function take(port: number): boolean {
  const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const file = Deno.openSync(`${temporary}/berth-test-port-${port}.lock`, {
    create: true,
    write: true,
  });
  if (file.tryLockSync(true)) return true;
  file.close();
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

async function isReady(url: string | null): Promise<boolean> {
  if (url === null) return true;
  try {
    const response = await fetch(`${url}/readyz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Starts Berth by `deno task start` and waits until its listeners are ready.
 *
 * @throws {Error} With its log when it ends or is not ready in time.
 */
export async function startBerthProcess(options: StartOptions): Promise<BerthProcess> {
  const [registryPort, workerPort] = [freePort(), freePort()];
  const registryUrl = `http://127.0.0.1:${registryPort}`;
  const workerUrl = `http://127.0.0.1:${workerPort}`;
  const begun = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "start"],
    cwd: ROOT,
    clearEnv: true,
    env: {
      ...baseEnvironment(),
      NO_COLOR: "1",
      DATA_DIR: options.dataDir,
      REGISTRY_PORT: String(registryPort),
      WORKER_PORT: String(workerPort),
      ...options.environment,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(chunk) {
        log += chunk;
      },
    }),
  );
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

  const deadline = begun + (options.patienceMs ?? 120_000);
  const role = options.environment.ROLE;
  const listeners = [
    role === "worker" ? null : registryUrl,
    role === "registry" ? null : workerUrl,
  ];
  while (!(await Promise.all(listeners.map(isReady))).every((ready) => ready)) {
    if (ended || performance.now() > deadline) {
      await stop("SIGKILL");
      throw new Error(`Berth did not get ready:\n${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    pid: child.pid,
    registryUrl,
    apiUrl: `${registryUrl}/api/v1`,
    workerUrl,
    readyAfterMs: performance.now() - begun,
    log: () => log,
    stop,
  };
}
