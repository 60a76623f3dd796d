/**
 * Wiring: from the configuration to the two applications. The only place where features meet.
 *
 * @module
 */
import { now } from "./clock.ts";
import { type Config, metricsUrl, registryUrl, workerUrl } from "./config.ts";
import { createRoomWatch, type RoomWatch } from "./database/room.ts";
import { createApp } from "./http/app.ts";
import { createExecutionApp } from "./http/execution_app.ts";
import type { Handler } from "./http/listen.ts";
import type { RegistryAppServices } from "./http/services.ts";
import type { Logger } from "./log.ts";
import { accountServices } from "./services/account.ts";
import { connectionsServices } from "./services/connections.ts";
import { describeService } from "./services/description.ts";
import { startFigures } from "./services/figures.ts";
import { identityServices } from "./services/identity.ts";
import { invitationsOf, issuerServices, OWN_CLIENTS } from "./services/issuer.ts";
import {
  metricsHandler,
  type MetricsOptions,
  metricsOptions,
  readMetrics,
} from "./services/metrics.ts";
import { createListenerMetrics } from "./services/operations/listeners.ts";
import { operationsServices } from "./services/operations/status.ts";
import { exportFigures } from "./services/operations/telemetry.ts";
import { startUpkeep } from "./services/operations/upkeep.ts";
import { type Parts, type StartOptions, startParts, withPorts } from "./services/parts.ts";
import { paymentsServices } from "./services/payments.ts";
import { accessServices, authorServices, transferServices } from "./services/permissions.ts";
import { codeHostServices } from "./services/code_hosts.ts";
import { keysServices } from "./services/keys.ts";
import { limitServices } from "./services/rate_limits.ts";
import type { RegistrySide } from "./services/registry.ts";
import { endingSignIns } from "./services/tokens.ts";
import { webApplication } from "./services/web.ts";

/** A running node: the handler of each listener, and how to stop it. */
export interface Berth {
  /** Answers requests to the registry listener; null when this node has none. */
  registry: Handler | null;
  /** Answers requests to the execution listener; null when this node has none. */
  execution: Handler | null;
  /** Answers requests to the metrics listener; null where there is none. */
  metrics: Handler | null;
  /** Tells load balancers to send nothing any more, and starts no session; what runs goes on. */
  beginDrain(): void;
  /** Ends what would keep requests open: event streams, waiting scans. */
  beginShutdown(): void;
  /** Ends everything else: sessions, child processes, database. */
  close(): Promise<void>;
}

/** Variables of the embedded issuer, which does not run beside another one. */
const EMBEDDED_ISSUER_ONLY = ["UPSTREAM_PROVIDERS", "SMTP_URL"] as const;
/** Variables of another issuer. */
const OTHER_ISSUER_ONLY = ["SIGN_IN_GROUPS_CLAIM"] as const;

function announce(config: Config, addresses: Config, log: Logger): void {
  const unused = (config.OIDC_ISSUER === undefined ? OTHER_ISSUER_ONLY : EMBEDDED_ISSUER_ONLY)
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

/** Whether the node is about to end, and what it heard of the database's room, for readiness. */
interface Draining {
  begun: boolean;
  readonly room: RoomWatch;
}

function checksOf({ database, execution }: Parts, draining: Draining) {
  return {
    node: () =>
      draining.begun ? Promise.reject(new Error("The node is about to end")) : Promise.resolve(),
    database: async () => {
      await database.sql`select 1`;
    },
    // Nearly everything writes, if only the count of requests.
    storage: async () => {
      const [row] = await database.sql<[{ isOff: boolean }]>`
        select current_setting('transaction_read_only')::boolean as "isOff"`;
      if (row.isOff || draining.room.isFull()) {
        throw new Error("The database takes no writes: its disk is full, or it is a standby");
      }
    },
    ...(execution === null ? {} : { sessions: execution.check }),
  };
}

/** What both listeners have of the node. */
function sharedOf(config: Config, { log }: StartOptions, parts: Parts, draining: Draining) {
  return {
    log,
    now,
    newId: () => crypto.randomUUID(),
    bindHost: config.HOST,
    trustedProxies: config.TRUSTED_PROXIES,
    checks: checksOf(parts, draining),
    room: draining.room,
  };
}

/** The use cases that the registry listener calls; its pages as well. */
function registryServices(
  addresses: Config,
  parts: Parts,
  registry: RegistrySide,
  draining: Draining,
): Omit<RegistryAppServices, keyof ReturnType<typeof sharedOf>> {
  const { database, audit, tokens, identity, payments, keys, connections, issuer } = parts;
  const publicUrl = registryUrl(addresses);
  const permissions = {
    sql: database.sql,
    now,
    policy: {
      authorPolicy: addresses.AUTHOR_POLICY,
      payments: addresses.PAYMENTS_WEBHOOK_SECRET !== undefined,
      capabilities: addresses.CAPABILITY_POLICY,
    },
  };
  return {
    publicUrl,
    identity: identityServices(identity),
    limits: limitServices(addresses, identity),
    registry: registry.useCases,
    tokens: tokens.useCases(issuer?.minter ?? null),
    audit: audit.useCases(registry.access),
    operations: operationsServices({
      config: addresses,
      parts,
      checks: checksOf(parts, draining),
      draining,
    }),
    issuer: issuer && issuerServices(issuer),
    inviteUser: invitationsOf(issuer),
    transfers: transferServices(permissions),
    access: accessServices(permissions),
    readPolicy: addresses.READ_POLICY,
    authors: authorServices(permissions),
    payments: paymentsServices(payments),
    keys: keysServices(keys),
    codeHosts: codeHostServices(addresses, keys),
    connections: connectionsServices(connections),
    account: accountServices({
      ...permissions,
      ring: keys.ring,
      denied: tokens.denied,
      endSignIns: endingSignIns(issuer !== null),
      ownClients: issuer === null ? null : OWN_CLIENTS,
      endSessions: registry.endSessions,
    }),
    description: describeService(addresses, publicUrl),
  };
}

/** The listeners over the parts that have started. */
function listenersOf(
  config: Config,
  options: StartOptions,
  parts: Parts,
  { metrics, closing, draining }: {
    metrics: MetricsOptions;
    closing: AbortSignal;
    draining: Draining;
  },
): Pick<Berth, "registry" | "execution" | "metrics"> {
  const { database, identity, execution, registry, issuer } = parts;
  const addresses = withPorts(config, options);
  const { log } = options;
  const shared = sharedOf(config, options, parts, draining);
  const app = registry && {
    ...shared,
    ...registryServices(addresses, parts, registry, draining),
    metrics: metrics.listeners.registry,
    closing,
  };
  // Pages that run servers do so in this process, where it can.
  let executionHandler: Handler | null = null;
  const registryApp = app && createApp({
    ...app,
    web: webApplication({
      config: addresses,
      sql: database.sql,
      log,
      identity,
      issuer,
      app,
      registry: registry!,
      execution: () => executionHandler,
      operations: execution,
      health: parts.health,
      objects: parts.objects,
    }),
  });
  const executionApp = execution && createExecutionApp({
    ...shared,
    metrics: metrics.listeners.execution,
    publicUrl: workerUrl(addresses),
    transport: execution.transport,
    gate: execution.gate,
    issuer: identity.provider?.rules.issuer ?? null,
  });
  executionHandler = executionApp && ((request, info) => executionApp.fetch(request, info));
  return {
    registry: registryApp && ((request, info) => registryApp.fetch(request, info)),
    execution: executionHandler,
    metrics: metricsHandler(metrics),
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
  const draining = { begun: false, room: createRoomWatch() };
  const opened: (() => Promise<void>)[] = [];
  try {
    const parts = await startParts(config, options, opened);
    const listeners = createListenerMetrics();
    const metrics = metricsOptions(withPorts(config, options), parts, { log, listeners });
    await exportFigures(() => readMetrics(metrics));
    const handlers = listenersOf(config, options, parts, {
      metrics,
      closing: closing.signal,
      draining,
    });
    const figures = startFigures({
      config: withPorts(config, options),
      sql: parts.database.sql,
      log,
      listeners,
      scans: parts.registry?.metrics ?? null,
      execution: parts.execution,
    });
    opened.push(() => figures.close(), startUpkeep(withPorts(config, options), parts, log));
    announce(config, withPorts(config, options), log);
    return {
      ...handlers,
      beginDrain() {
        draining.begun = true;
        parts.execution?.beginDrain();
      },
      beginShutdown() {
        parts.execution?.beginShutdown();
        closing.abort();
      },
      close: () => closeAll(opened, log),
    };
  } catch (error) {
    await closeAll(opened, log);
    throw error;
  }
}
