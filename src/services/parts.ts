/**
 * The parts of a node: database, hosts, registry, issuer and what they share.
 *
 * @module
 */
import { resolve } from "node:path";
import { now } from "../clock.ts";
import { type Config, registryUrl, workerUrl } from "../config.ts";
import { type Database, openDatabase } from "../database/open.ts";
import { createHealth, type Health } from "../figures/health.ts";
import { resourceOf } from "../http/routes/protected_resource.ts";
import { authenticate, type IdentityDeps } from "../identity/caller.ts";
import type { Issuer } from "../issuer/issuer.ts";
import type { Logger } from "../log.ts";
import type { ConnectionsDeps } from "../connections/deps.ts";
import type { KeysDeps } from "../keys/deps.ts";
import { keptOrigins } from "../keys/session_values.ts";
import type { ArchiveObjects } from "../repository/objects.ts";
import type { PaymentsDeps } from "../payments/deps.ts";
import { type AuditSide, startAudit } from "./audit.ts";
import { type CallNotes, startCallNotes } from "./operations/calls.ts";
import { builderOf, startBuilds } from "./builds.ts";
import { connectionsDeps, startEndings, valueNow, valuesForSession } from "./connections.ts";
import { egressPolicyOf, type ExecutionSide, startExecution, startHosts } from "./execution.ts";
import { alsoFor, identityDeps } from "./identity.ts";
import { startEmbeddedIssuer } from "./issuer.ts";
import { startKeys } from "./keys.ts";
import { objectsOf } from "./operations/objects.ts";
import { packageCompiler, packageGiver } from "./packages/packages.ts";
import { depotOf } from "./parked.ts";
import { executionPayment, paymentsDeps } from "./payments.ts";
import { startLimitCleaning } from "./rate_limits.ts";
import { type RegistrySide, startRegistry } from "./registry.ts";
import { startTokens, type TokensSide } from "./tokens.ts";
import { startWebCleaning } from "./web.ts";

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

/** What a node is made of, as its role asks for. */
export interface Parts {
  database: Database;
  health: Health;
  audit: AuditSide;
  tokens: TokensSide;
  identity: IdentityDeps;
  payments: PaymentsDeps;
  keys: KeysDeps;
  connections: ConnectionsDeps;
  calls: CallNotes;
  /** Where archives are that are not in the database; null where they all are. */
  objects: ArchiveObjects | null;
  execution: ExecutionSide | null;
  registry: RegistrySide | null;
  issuer: Issuer | null;
}

/** The configuration with the ports that the listeners have got. */
export function withPorts(config: Config, options: StartOptions): Config {
  return {
    ...config,
    REGISTRY_PORT: options.registryPort,
    WORKER_PORT: options.executionPort,
    ...(options.metricsPort === undefined ? {} : { METRICS_PORT: options.metricsPort }),
  };
}

function healthOf({ ROLE }: Config): Health {
  const health = createHealth(now);
  if (ROLE === "registry") {
    health.note("session_walls", { state: "off", detail: "This node runs no servers" });
  }
  return health;
}

/** Starts the parts in the order in which they need each other; `opened` takes what closes them. */
export async function startParts(
  config: Config,
  options: StartOptions,
  opened: (() => Promise<void>)[],
): Promise<Parts> {
  const { log } = options;
  const addresses = withPorts(config, options);
  const publicUrl = registryUrl(addresses);
  const endpoints = ownEndpoints(config, options);
  const egressPolicy = egressPolicyOf(config);
  const health = healthOf(config);
  // Both take about a second, on different processors.
  const starting = config.ROLE === "registry" ? null : startHosts(config, { log, health });
  const started = starting?.catch(() => null); // They may fail while nobody waits for them yet.
  opened.push(async () => (await started)?.close());
  const database = await openDatabase({
    url: config.DATABASE_URL,
    dataDir: resolve(config.DATA_DIR),
    log,
  });
  opened.push(() => database.close());
  const { sql } = database;
  opened.push(startLimitCleaning(sql, log), startWebCleaning(sql, log));
  const hosts = await starting;
  const audit = startAudit({ sql, log });
  opened.push(() => audit.close());
  const tokens = await startTokens({ config, database, log });
  opened.push(() => tokens.close());
  const identity = identityDeps({ config, sql, log, publicUrl, issued: tokens.issued });
  const executionIdentity = alsoFor(identity, resourceOf(workerUrl(addresses)));
  const payments = paymentsDeps(config, sql, log);
  const keys = await startKeys({ config, sql, log });
  const connections = connectionsDeps({ config, keys, log, publicUrl, egressPolicy, endpoints });
  const calls = startCallNotes({ config: addresses, sql, log });
  opened.push(startEndings(connections), () => calls.close());
  const objects = objectsOf(config);
  const execution = hosts && await startExecution({
    config: addresses,
    objects,
    hosts,
    depot: await depotOf(config, { sql, runtime: hosts.runtime, log }),
    givePackages: packageGiver(config, { sql, log, hosts }),
    egressPolicy,
    sql,
    log,
    noteRefusal: audit.note,
    noteCall: calls.note,
    authenticate: (authorization) => authenticate(executionIdentity, authorization),
    checkPayment: executionPayment(payments),
    keptValues: (server, userId) => valuesForSession(connections, server, userId),
    currentValue: (server, userId, name) => valueNow(connections, server, userId, name),
    keptOrigins: (server, userId) => keptOrigins(keys, server, userId),
    keepsValues: keys.ring !== null,
    endpoints,
  });
  if (execution !== null) opened.push(() => execution.close());
  const build = builderOf(config, hosts, { sql, log });
  if (build && hosts) opened.push(await startBuilds({ sql, log, objects, build }));
  const common = { config, log, publicUrl, endpoints, health };
  const registry = config.ROLE === "worker" ? null : await startRegistry({
    ...common,
    keys,
    database,
    build,
    compilePackages: build && hosts && packageCompiler({ sql, hosts }),
    objects,
    endSessions: execution?.endServerSessions ?? (async () => {}),
  });
  if (registry !== null) opened.push(() => registry.close());
  const issuer = config.ROLE === "worker" ? null : await startEmbeddedIssuer({
    ...common,
    sql,
    workerUrl: workerUrl(addresses),
    announce: options.announce,
    noteRefusal: audit.note,
  });
  if (issuer !== null) opened.push(() => issuer.close());
  const shared = { database, health, audit, tokens, identity, payments, keys, connections };
  return { ...shared, calls, objects, execution, registry, issuer };
}
