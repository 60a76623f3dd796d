/**
 * The registry listener's application over the real use cases, real token checks and an embedded
 * database; only the code host and the scan are stand-ins.
 *
 * @module
 */
import { parseConfig } from "../../src/config.ts";
import { now } from "../../src/clock.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { exportCalls } from "../../src/audit/calls/export.ts";
import { STATUS_EXAMPLE } from "../../src/http/openapi/examples_operations.ts";
import { listAudit, listServerAudit } from "../../src/audit/list.ts";
import { Refusals } from "../../src/audit/refusals.ts";
import { createApp } from "../../src/http/app.ts";
import type { HttpEnv } from "../../src/http/environment.ts";
import { SERVICE_EXAMPLE } from "../../src/http/service_description.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import { authorizeToken, createToken, listToken } from "../../src/identity/api_tokens/create.ts";
import { startDenyList } from "../../src/identity/api_tokens/deny_list.ts";
import type { TokensDeps } from "../../src/identity/api_tokens/deps.ts";
import { listTokens } from "../../src/identity/api_tokens/list.ts";
import { revokeAllTokens, revokeToken } from "../../src/identity/api_tokens/revoke.ts";
import { startUses } from "../../src/identity/api_tokens/uses.ts";
import { authenticate, type IdentityDeps } from "../../src/identity/caller.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { createVerifiedTokens } from "../../src/identity/verified_tokens.ts";
import { renameUser } from "../../src/identity/rename.ts";
import { findChangeable } from "../../src/registry/ownership/access.ts";
import type { RegistryDeps } from "../../src/registry/deps.ts";
import { standardWebhooks } from "../../src/payments/standard_webhooks.ts";
import { limitServices } from "../../src/services/rate_limits.ts";
import {
  accessServices,
  authorServices,
  transferServices,
} from "../../src/services/permissions.ts";
import { createKeyRing } from "../../src/keys/key_ring.ts";
import { createFindMetadata } from "../../src/connections/metadata.ts";
import { NoAnswer } from "../../src/connections/request.ts";
import { createAttempts } from "../../src/limits/attempts.ts";
import { connectionsServices } from "../../src/services/connections.ts";
import { accountServices } from "../../src/services/account.ts";
import { codeHostServices } from "../../src/services/code_hosts.ts";
import { keysServices } from "../../src/services/keys.ts";
import { paymentsServices } from "../../src/services/payments.ts";
import { useCasesOf } from "../../src/services/use_cases.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";
import { type TestRegistry, testRegistry } from "../helpers/registry.ts";
import { testMinter } from "../helpers/test_minter.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";

/** Signs the payment provider's notifications. */
export const WEBHOOK_SECRET = new Uint8Array(32).fill(7);

/** A running application. */
export interface RealApp {
  app: OpenAPIHono<HttpEnv>;
  /** What the application was made of. */
  services: RegistryAppServices;
  identity: IdentityDeps;
  issuer: TokenIssuer;
  registry: TestRegistry;
  /** What was logged. */
  lines: Record<string, unknown>[];
  /** Writes what is written behind requests. */
  flush(): Promise<void>;
  /** Sends a request as `subject` (null: without a token), with `body` as JSON. */
  send(
    method: string,
    path: string,
    options?: { as?: string | null; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  close(): Promise<void>;
}

/** Starts an application; `root` is its administrator. */
export async function openRealApp(
  overrides: Partial<RegistryDeps> = {},
  rules = { RATE_LIMIT_PUBLIC: 1_000_000, RATE_LIMIT_AUTHENTICATED: 1_000_000 },
  open = openTestDatabase,
): Promise<RealApp> {
  const issuer = await startTokenIssuer();
  const database = await open();
  const registry = testRegistry(database, overrides);
  const { log, lines } = recordingLogger();
  const denied = await startDenyList({ sql: database.sql, log, now, alone: true });
  const uses = startUses({ sql: database.sql, log, now });
  const refusals = new Refusals({ sql: database.sql, log, now });
  const tokens: TokensDeps = {
    sql: database.sql,
    now,
    newId: () => crypto.randomUUID(),
    minter: testMinter(issuer),
    provider: null,
    denied,
    endSignIns: async () => {},
  };
  const identity: IdentityDeps = {
    sql: database.sql,
    now,
    issued: { isRevoked: denied.isRevoked, noteUse: uses.note },
    admins: { subjects: ["root"], claim: null },
    provider: {
      findKey: createKeySet({ issuer: issuer.url, fetch, log }),
      verified: createVerifiedTokens(),
      rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
    },
  };
  const permissions = { ...registry, now };
  const keys = {
    sql: database.sql,
    now: registry.now,
    ring: await createKeyRing({ keys: [new Uint8Array(32).fill(7)], lost: [] }),
  };
  const nobody = () => Promise.reject(new NoAnswer("Nobody is asked here"));
  const services: RegistryAppServices = {
    log,
    now,
    newId: () => crypto.randomUUID(),
    bindHost: "127.0.0.1",
    publicUrl: "http://127.0.0.1:8000",
    trustedProxies: [],
    identity: {
      authenticate: (authorization) => authenticate(identity, authorization),
      changeUsername: (caller, username, context) =>
        renameUser(identity, caller, username, context),
    },
    limits: limitServices(rules, identity),
    registry: useCasesOf(registry, () => Promise.resolve()),
    tokens: {
      authorizeCreate: (caller) => authorizeToken(tokens, caller),
      create: (caller, input, context) => createToken(tokens, caller, input, context),
      register: (caller, input, context) => listToken(tokens, caller, input, context),
      list: (caller) => listTokens(tokens, caller),
      revoke: (caller, id, context) => revokeToken(tokens, caller, id, context),
      revokeAll: (caller, context) => revokeAllTokens(tokens, caller, context),
    },
    audit: {
      list: (query) => listAudit(registry, query),
      async listOfServer(caller, name, query) {
        const { created_at: createdAt } = await findChangeable(registry, caller, name);
        return await listServerAudit(registry, { name, createdAt }, query);
      },
      refused: refusals.note,
    },
    operations: {
      status: () => Promise.resolve(STATUS_EXAMPLE),
      calls: (query) => exportCalls(registry, query),
    },
    issuer: null,
    inviteUser: (_actor, email) =>
      Promise.resolve({
        email,
        url: "http://127.0.0.1:8000/oidc/invitation?token=4nVx0pGq",
        expires_at: "2026-05-08T12:00:00.000Z",
      }),
    transfers: transferServices(permissions),
    access: accessServices(permissions),
    readPolicy: "public",
    authors: authorServices(permissions),
    payments: paymentsServices({
      sql: database.sql,
      log,
      now: registry.now,
      provider: standardWebhooks({ secrets: [WEBHOOK_SECRET], now: registry.now }),
    }),
    keys: keysServices(keys),
    codeHosts: codeHostServices(
      parseConfig({ CODE_HOSTS_ALLOW: "github.com,gitlab.com,codeberg.org" }),
      keys,
    ),
    connections: connectionsServices({
      ...keys,
      log,
      ask: nobody,
      metadata: createFindMetadata(nobody),
      attempts: createAttempts(database.sql),
      operatorClients: [],
      publicUrl: "http://127.0.0.1:8000",
      sleep: () => Promise.resolve(),
    }),
    account: accountServices({
      ...permissions,
      sql: database.sql,
      ring: null,
      denied,
      ownClients: null,
      endSignIns: async () => {},
      endSessions: async () => {},
    }),
    description: SERVICE_EXAMPLE,
    checks: { database: async () => void await database.sql`select 1` },
  };
  const app = createApp(services);
  return {
    app,
    services,
    identity,
    issuer,
    registry,
    lines,
    async flush() {
      await Promise.all([uses.flush(), refusals.flush()]);
    },
    async send(method, path, { as = null, body, headers = {} } = {}) {
      const token = as === null ? null : await issuer.mint({ sub: as });
      return await app.request(path, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    async close() {
      await registry.jobs.close();
      await uses.close();
      await refusals.close();
      await denied.close();
      await database.close();
      await issuer.close();
    },
  };
}
