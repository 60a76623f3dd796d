/**
 * Wiring of connections: sign-ins at other services.
 *
 * @module
 */
import { bound } from "../bound.ts";
import type { Config } from "../config.ts";
import { beginConnection } from "../connections/begin.ts";
import type { ConnectionsDeps, OperatorClient } from "../connections/deps.ts";
import { clientDocument } from "../connections/document.ts";
import { tellEndings } from "../connections/endings.ts";
import { finishConnection } from "../connections/finish.ts";
import { createFindMetadata } from "../connections/metadata.ts";
import { removeClient, showClient, storeClient } from "../connections/owner_clients.ts";
import { currentToken, freshen } from "../connections/renew.ts";
import { createAskService } from "../connections/request.ts";
import { showConnectable } from "../connections/terms.ts";
import { ownAddresses, resolveName } from "../egress/machine.ts";
import type { OwnEndpoint } from "../egress/own.ts";
import type { EgressPolicy } from "../egress/policy.ts";
import type { CurrentValue } from "../egress/types.ts";
import type { ConnectionsServices } from "../http/services.ts";
import type { KeysDeps } from "../keys/deps.ts";
import { serviceId } from "../keys/services.ts";
import { type KeptValue, keptValues } from "../keys/session_values.ts";
import { createAttempts } from "../limits/attempts.ts";
import type { Logger } from "../log.ts";

interface ConnectionsOptions {
  config: Config;
  keys: KeysDeps;
  log: Logger;
  publicUrl: string;
  egressPolicy: EgressPolicy;
  /** Where Berth and its database listen: no service is there. */
  endpoints: OwnEndpoint[];
}

function operatorClients({ CONNECTION_CLIENTS }: Config): OperatorClient[] {
  return CONNECTION_CLIENTS.map((one) => ({
    service: serviceId(one),
    clientId: one.client_id,
    clientSecret: one.client_secret ?? null,
    hosts: one.hosts,
    scopes: one.scopes ?? null,
  }));
}

/** What connections need on any node. */
export function connectionsDeps(
  { config, keys, log, publicUrl, egressPolicy, endpoints }: ConnectionsOptions,
): ConnectionsDeps {
  const ask = createAskService({
    policy: egressPolicy,
    own: ownAddresses(endpoints),
    resolve: resolveName,
  });
  return {
    ...keys,
    log,
    ask,
    metadata: createFindMetadata(ask),
    attempts: createAttempts(keys.sql),
    operatorClients: operatorClients(config),
    publicUrl,
    readPolicy: config.READ_POLICY,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/** The use cases, as listeners and pages call them. */
export function connectionsServices(deps: ConnectionsDeps): ConnectionsServices {
  return bound(deps, {
    show: showConnectable,
    begin: beginConnection,
    finish: finishConnection,
    client: showClient,
    storeClient,
    removeClient,
    document: clientDocument,
  });
}

/** What is kept for a session that begins, with tokens that are good for a while. */
export async function valuesForSession(
  deps: ConnectionsDeps,
  server: string,
  userId: string,
): Promise<KeptValue[]> {
  await freshen(deps, server, userId);
  return await keptValues(deps, server, userId);
}

/** The token that a session sends now. */
export async function valueNow(
  deps: ConnectionsDeps,
  server: string,
  userId: string,
  name: string,
): Promise<CurrentValue> {
  const current = await currentToken(deps, { server, subject: userId, name });
  if (current.kind === "token") return { kind: "value", value: current.token };
  const why = current.kind === "gone"
    ? `${name} is not connected any more. Connect it again: ` +
      `${deps.publicUrl}/servers/${server}/keys/${name}/connect`
    : `The token of ${name} has run out, and its service could not be reached for a new one`;
  return { kind: "none", why };
}

const TELL_EVERY_MS = 10_000;

/** Starts to tell services of connections that have ended; returns what stops it. */
export function startEndings(deps: ConnectionsDeps): () => Promise<void> {
  let round = Promise.resolve();
  let isRunning = false;
  async function tell() {
    if (isRunning) return;
    isRunning = true;
    try {
      await tellEndings(deps);
    } catch (error) {
      deps.log.warn("connections.endings_failed", { error });
    } finally {
      isRunning = false;
    }
  }
  const timer = setInterval(() => round = tell(), TELL_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await round;
  };
}
