import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { now } from "./src/clock.ts";
import { type Config, ConfigError, parseConfig, registryUrl, workerUrl } from "./src/config.ts";
import { DatabaseError, isDatabaseUnavailable } from "./src/database/errors.ts";
import { isLostWrite } from "./src/database/pool.ts";
import { rpcBrokenBody } from "./src/http/execution_app.ts";
import { listen, type Listener, type ListenOptions } from "./src/http/listen.ts";
import { trustedProxies } from "./src/http/plumbing/client_address.ts";
import { createLineWriter, createLogger, type Logger } from "./src/log.ts";
import { startingHandler } from "./src/http/starting_app.ts";
import { SetupError } from "./src/setup/files.ts";
import { watchRest } from "./src/rest.ts";
import { type Berth, startBerth } from "./src/services.ts";
import { traceFields } from "./src/tracing.ts";

const EXIT_FAILURE = 1;
const EXIT_CONFIGURATION = 2;
/** From the first signal until everything has ended. */
const SHUTDOWN_MS = 15_000;
/** How much of it running requests get. */
const DRAIN_MS = 6_000;
const REPEATED_SIGNAL_MS = 1_000;

const encoder = new TextEncoder();

const lines = createLineWriter((text) => {
  try {
    Deno.stderr.writeSync(encoder.encode(text));
  } catch (error) {
    // Whoever read it is gone, which is no reason to fail.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
});
const writeLine = lines.write;
// Whichever way the process ends.
for (const event of ["unload", "error", "unhandledrejection"]) {
  addEventListener(event, lines.flush);
}

/** Ends the process when `error` is about the configuration. */
function exitIfMisconfigured(error: unknown): void {
  if (!(error instanceof ConfigError)) return;
  writeLine(error.message);
  writeLine("See .env.example for all variables");
  Deno.exit(EXIT_CONFIGURATION);
}

function readConfig(): Config {
  try {
    return parseConfig(Deno.env.toObject());
  } catch (error) {
    exitIfMisconfigured(error);
    throw error;
  }
}

/**
 * Has a connection that the driver loses while it looks around for itself not end the process: it
 * tells nobody else, and whoever waits for the connection hears of it.
 */
function outliveLostConnections(log: Logger): void {
  addEventListener("unhandledrejection", (event) => {
    if (!isDatabaseUnavailable(event.reason)) return;
    event.preventDefault();
    log.warn("database.connection_lost", { error: event.reason });
  });
  addEventListener("error", (event) => {
    if (!isLostWrite(event.error)) return;
    event.preventDefault();
    log.warn("database.connection_lost", { error: event.error });
  });
}

/** A listener that cannot be opened; the message says what to change. */
class ListenError extends Error {}

/** What the log is told of `error`: where the message says what to do, a stack adds nothing to it. */
function failureForLog(error: unknown): Record<string, unknown> {
  const isExplained = error instanceof DatabaseError || error instanceof SetupError ||
    error instanceof ListenError;
  return isExplained ? { reason: error.message } : { error };
}

interface Listeners {
  registry: Listener | null;
  execution: Listener | null;
  metrics: Listener | null;
}

async function openListeners(config: Config, log: Logger): Promise<Listeners> {
  const proxies = trustedProxies(config.TRUSTED_PROXIES);
  async function open(
    name: string,
    port: number,
    options: Pick<ListenOptions, "brokenBody"> & { hostname?: string } = {},
  ): Promise<Listener> {
    const { hostname = config.HOST } = options;
    try {
      return await listen({
        ...options,
        hostname,
        port,
        isProxy: proxies.includes,
        onError(error) {
          log.error("http.escaped", { error });
          return Response.json({ status: "error", detail: "Internal server error" }, {
            status: 500,
            headers: { "Access-Control-Allow-Origin": "*" },
          });
        },
      });
    } catch (error) {
      if (error instanceof Deno.errors.AddrInUse) {
        throw new ListenError(`${name} (${port}) is in use by another process. Set another port`);
      }
      throw new ListenError(`Cannot listen on ${hostname}:${port}. Check the address and ${name}`, {
        cause: error,
      });
    }
  }
  return {
    registry: config.ROLE === "worker" ? null : await open("REGISTRY_PORT", config.REGISTRY_PORT),
    execution: config.ROLE === "registry"
      ? null
      : await open("WORKER_PORT", config.WORKER_PORT, { brokenBody: rpcBrokenBody }),
    metrics: config.METRICS_PORT === undefined
      ? null
      : await open("METRICS_PORT", config.METRICS_PORT, {
        hostname: config.METRICS_HOST ?? "127.0.0.1",
      }),
  };
}

/** Answers what comes while Berth starts. */
function serveMeanwhile({ registry, execution }: Listeners, config: Config, log: Logger): void {
  const shared = {
    log,
    now,
    newId: () => crypto.randomUUID(),
    bindHost: config.HOST,
    trustedProxies: config.TRUSTED_PROXIES,
  };
  registry?.serve(startingHandler("registry", { ...shared, publicUrl: registryUrl(config) }));
  execution?.serve(startingHandler("execution", { ...shared, publicUrl: workerUrl(config) }));
}

/** Waits for `work`, at most `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  const finished = await Promise.race([work.then(() => true), promise]);
  clearTimeout(timer);
  return finished;
}

async function shutDown(listeners: Listeners, berth: Berth, log: Logger): Promise<void> {
  const open = Object.values(listeners).filter((one) => one !== null);
  const drained = Promise.all(open.map((listener) => listener.drain(DRAIN_MS)));
  berth.beginShutdown();
  if (!(await drained).every((isWhole) => isWhole)) {
    log.warn("shutdown.cut_requests", { waited_ms: DRAIN_MS });
  }
  await berth.close();
}

/**
 * Resolves at the first signal that asks the process to end. A further one ends it at once, but for
 * a moment: a terminal and a task runner both pass on the same key press.
 */
function terminationSignal(log: Logger): Promise<Deno.Signal> {
  const { promise, resolve } = Promise.withResolvers<Deno.Signal>();
  let first: number | null = null;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      if (first !== null) {
        if (performance.now() - first > REPEATED_SIGNAL_MS) Deno.exit(EXIT_FAILURE);
        return;
      }
      first = performance.now();
      log.info("shutdown.begun", { signal });
      resolve(signal);
    });
  }
  return promise;
}

/**
 * Gives memory back while nothing is to be done. Deno does that at a signal, where a variable was set
 * before its start, as `deno task start` and the files in `deploy/` do.
 */
function rest(): void {
  if (Deno.build.os !== "linux" || !Deno.env.has("DENO_USR2_MEMORY_TRIM")) return;
  // Should Deno not know the signal, it must not end the process.
  Deno.addSignalListener("SIGUSR2", () => {});
  watchRest({
    processorMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    trim: () => Deno.kill(Deno.pid, "SIGUSR2"),
  });
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger({
    level: config.LOG_LEVEL,
    format: config.LOG_FORMAT ?? (Deno.stderr.isTerminal() ? "text" : "json"),
    write: writeLine,
    context: traceFields,
  });
  outliveLostConnections(log);
  const signalled = terminationSignal(log);
  let listeners: Listeners;
  let berth: Berth;
  try {
    listeners = await openListeners(config, log);
    serveMeanwhile(listeners, config, log);
    berth = await startBerth(config, {
      log,
      registryPort: listeners.registry?.port ?? config.REGISTRY_PORT,
      executionPort: listeners.execution?.port ?? config.WORKER_PORT,
      ...(listeners.metrics === null ? {} : { metricsPort: listeners.metrics.port }),
      announce: writeLine,
    });
  } catch (error) {
    exitIfMisconfigured(error);
    log.error("start.failed", failureForLog(error));
    Deno.exit(EXIT_FAILURE);
  }
  rest();
  if (berth.registry) listeners.registry?.serve(berth.registry);
  if (berth.execution) listeners.execution?.serve(berth.execution);
  if (berth.metrics) listeners.metrics?.serve(berth.metrics);
  const signal = await signalled;
  // Nobody at a terminal waits for a load balancer.
  if (signal === "SIGTERM" && config.DRAIN_SECONDS > 0) {
    berth.beginDrain();
    await delay(config.DRAIN_SECONDS * 1000);
  }
  if (!await atMost(SHUTDOWN_MS, shutDown(listeners, berth, log))) {
    log.error("shutdown.incomplete", { seconds: SHUTDOWN_MS / 1000 });
    Deno.exit(EXIT_FAILURE);
  }
  log.info("shutdown.done");
  Deno.exit(0);
}

await main();
