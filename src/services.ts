/**
 * Wiring: from the configuration to the two applications. The only place where features meet.
 *
 * @module
 */
import { now } from "./clock.ts";
import { resolve } from "node:path";
import { type Config, metricsUrl, registryUrl, workerUrl } from "./config.ts";
import { type Database, openDatabase } from "./database/open.ts";
import { authenticate } from "./identity/caller.ts";
import { createApp } from "./http/app.ts";
import { createExecutionApp } from "./http/execution_app.ts";
import { resourceOf } from "./http/routes/protected_resource.ts";
import type { Handler } from "./http/listen.ts";
import type { Logger } from "./log.ts";
import { startAudit } from "./services/audit.ts";
import { describeService } from "./services/description.ts";
import {
  egressPolicyOf,
  type ExecutionSide,
  startExecution,
  startHosts,
} from "./services/execution.ts";
import { alsoFor, identityDeps, identityServices } from "./services/identity.ts";
import { issuerServices, startEmbeddedIssuer } from "./services/issuer.ts";
import { limitServices, startLimitCleaning } from "./services/rate_limits.ts";
import { authorServices, transferServices } from "./services/permissions.ts";
import { createListenerMetrics, metricsHandler } from "./services/metrics.ts";
import { executionPayment, paymentsDeps, paymentsServices } from "./services/payments.ts";
import { startRegistry } from "./services/registry.ts";
import { startTokens } from "./services/tokens.ts";
import { startWebCleaning, webApplication } from "./services/web.ts";

/** What `main.ts` adds to the configuration. */
export interface StartOptions {
  log: Logger;
  /** Ports that the listeners have, also where the system chose them. */
  registryPort: number;
  executionPort: number;
  /** Absent where there is none. */
  metricsPort?: number;
  /** Writes a line on the operator's terminal, past the log: it may hold a secret. */
  announce: (line: string) => void;
}

/** A started Berth. */
export interface Berth {
  /** Answers requests to the registry listener; null when this node has none. */
  registry: Handler | null;
  /** Answers requests to the execution listener; null when this node has none. */
  execution: Handler | null;
  /** Answers requests to the metrics listener; null where there is none. */
  metrics: Handler | null;
  /** Ends what would keep requests open: event streams, waiting scans. */
  beginShutdown(): void;
  /** Ends everything else: sessions, child processes, database. */
  close(): Promise<void>;
}

/** Variables of the embedded issuer, which does not run beside another one. */
const EMBEDDED_ISSUER_ONLY = ["UPSTREAM_PROVIDERS", "SMTP_URL"] as const;

function announce(config: Config, addresses: Config, log: Logger): void {
  const unused = (config.OIDC_ISSUER === undefined ? [] : EMBEDDED_ISSUER_ONLY)
    .filter((name) => config[name] !== undefined);
  if (unused.length > 0) {
    log.warn("config.without_effect", { variables: unused.join(", ") });
  }
  log.info("berth.ready", {
    ...(config.ROLE === "worker" ? {} : { registry: registryUrl(addresses) }),
    ...(config.ROLE === "registry" ? {} : { execution: `${workerUrl(addresses)}/mcp` }),
    ...(config.METRICS_PORT === undefined ? {} : { metrics: `${metricsUrl(addresses)}/metrics` }),
  });
}

/** Closes what was started so far, last first, whatever fails on the way. */
async function closeAll(parts: (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const close of parts.toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error("shutdown.part_failed", { error });
    }
  }
}

function checksOf(database: Database, execution: ExecutionSide | null) {
  return {
    database: async () => {
      await database.sql`select 1`;
    },
    ...(execution === null ? {} : { sessions: execution.check }),
  };
}

/**
 * Starts everything that `config.ROLE` asks for.
 *
 * @throws {Error} When a part cannot start; what had started is closed again.
 */
export async function startBerth(config: Config, options: StartOptions): Promise<Berth> {
  const { log } = options;
  const closing = new AbortController();
  const opened: (() => Promise<void>)[] = [];
  const addresses = {
    ...config,
    REGISTRY_PORT: options.registryPort,
    WORKER_PORT: options.executionPort,
    ...(options.metricsPort === undefined ? {} : { METRICS_PORT: options.metricsPort }),
  };
  const egressPolicy = egressPolicyOf(config);
  try {
    // Both take about a second, on different processors.
    const starting = config.ROLE === "registry" ? null : startHosts(config, log);
    opened.push(async () => (await starting?.catch(() => null))?.close());
    const database = await openDatabase({
      url: config.DATABASE_URL,
      dataDir: resolve(config.DATA_DIR),
      log,
    });
    opened.push(() => database.close());
    opened.push(startLimitCleaning(database.sql, log));
    opened.push(startWebCleaning(database.sql, log));
    const hosts = await starting;
    const { sql } = database;
    const audit = startAudit({ sql, log });
    opened.push(() => audit.close());
    const tokens = await startTokens({ config, database, log });
    opened.push(() => tokens.close());
    const publicUrl = registryUrl(addresses);
    const identity = identityDeps({ config, sql, log, publicUrl, issued: tokens.issued });
    const executionIdentity = alsoFor(identity, resourceOf(workerUrl(addresses)));
    const payments = paymentsDeps(config, sql, log);
    const execution = hosts && await startExecution({
      config,
      hosts,
      egressPolicy,
      sql,
      log,
      noteRefusal: audit.note,
      authenticate: (authorization) => authenticate(executionIdentity, authorization),
      checkPayment: executionPayment(payments),
      endpoints: ownEndpoints(config, options),
    });
    if (execution !== null) opened.push(() => execution.close());
    const registry = config.ROLE === "worker" ? null : await startRegistry({
      config,
      database,
      log,
      publicUrl,
      endSessions: execution?.endServerSessions ?? (async () => {}),
    });
    if (registry !== null) opened.push(() => registry.close());
    const issuer = config.ROLE === "worker" ? null : await startEmbeddedIssuer({
      config,
      sql,
      log,
      publicUrl,
      workerUrl: workerUrl(addresses),
      endpoints: ownEndpoints(config, options),
      announce: options.announce,
      noteRefusal: audit.note,
    });
    if (issuer !== null) opened.push(() => issuer.close());

    const shared = {
      log,
      now,
      newId: () => crypto.randomUUID(),
      bindHost: config.HOST,
      trustedProxies: config.TRUSTED_PROXIES,
      checks: checksOf(database, execution),
    };
    const permissions = {
      sql: database.sql,
      now: shared.now,
      policy: {
        authorPolicy: config.AUTHOR_POLICY,
        payments: config.PAYMENTS_WEBHOOK_SECRET !== undefined,
      },
    };
    const listeners = createListenerMetrics();
    const appServices = registry && {
      ...shared,
      metrics: listeners.registry,
      publicUrl,
      identity: identityServices(identity),
      limits: limitServices(config, identity),
      registry: registry.useCases,
      tokens: tokens.useCases(issuer?.minter ?? null),
      audit: audit.useCases(registry.access),
      issuer: issuer && issuerServices(issuer),
      transfers: transferServices(permissions),
      authors: authorServices(permissions),
      payments: paymentsServices(payments),
      description: describeService(addresses, publicUrl),
      closing: closing.signal,
    };
    // Pages that run servers do so in this process, where it can.
    let executionHandler: Handler | null = null;
    const registryApp = appServices && createApp({
      ...appServices,
      web: webApplication({
        config: addresses,
        sql,
        log,
        identity,
        issuer,
        app: appServices,
        registry: registry!,
        execution: () => executionHandler,
        operations: execution,
      }),
    });
    const executionApp = execution && createExecutionApp({
      ...shared,
      metrics: listeners.execution,
      publicUrl: workerUrl(addresses),
      transport: execution.transport,
      issuer: identity.provider?.rules.issuer ?? null,
    });
    executionHandler = executionApp && ((request, info) => executionApp.fetch(request, info));
    announce(config, addresses, log);
    return {
      registry: registryApp && ((request, info) => registryApp.fetch(request, info)),
      execution: executionHandler,
      metrics: metricsHandler({
        config: addresses,
        log,
        listeners,
        scans: registry?.metrics ?? null,
        execution,
      }),
      beginShutdown() {
        execution?.beginShutdown();
        closing.abort();
      },
      close: () => closeAll(opened, log),
    };
  } catch (error) {
    await closeAll(opened, log);
    throw error;
  }
}

/** Where Berth and its database listen: sandboxed code never reaches them. */
function ownEndpoints(
  config: Config,
  { registryPort, executionPort, metricsPort = config.METRICS_PORT }: StartOptions,
) {
  const endpoints = [
    { host: config.HOST, port: registryPort },
    { host: config.HOST, port: executionPort },
  ];
  if (metricsPort !== undefined) {
    endpoints.push({ host: config.METRICS_HOST ?? "127.0.0.1", port: metricsPort });
  }
  if (config.DATABASE_URL !== undefined) {
    const { hostname, port } = new URL(config.DATABASE_URL);
    endpoints.push({ host: hostname || "localhost", port: Number(port || 5432) });
  }
  return endpoints;
}
