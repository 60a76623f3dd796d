/**
 * Wiring of the web application.
 *
 * @module
 */
import { sentOnce } from "../bytes.ts";
import { now } from "../clock.ts";
import { type Config, needsToken, workerUrl } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { Handler } from "../http/listen.ts";
import type { RegistryAppServices, WebApplication } from "../http/services.ts";
import { authenticate, type IdentityDeps } from "../identity/caller.ts";
import { endSessionOf } from "../issuer/adapter.ts";
import { WEB_CLIENT } from "../issuer/first_party.ts";
import type { Issuer } from "../issuer/issuer.ts";
import { createAttempts } from "../limits/attempts.ts";
import type { Logger } from "../log.ts";
import type { ArchiveObjects } from "../repository/objects.ts";
import type { RegistrySide } from "./registry.ts";
import type { Operations, SignInSetup, WebServices } from "../web/services.ts";
import { cookieScope } from "../web/session/cookies.ts";
import { removeExpired } from "../web/session/store.ts";
import { type Send, SignInProvider } from "../web/sign_in/provider.ts";
import type { FinishDeps } from "../web/sign_in/finish.ts";
import { createWeb } from "../web/web.ts";
import { EMBEDDED_AUDIENCE } from "./issuer.ts";
import { alsoFor } from "./identity.ts";

const CLEAN_MS = 600_000;

/** Limits and policies that administrators are shown. */
export const LIMITS = [
  "RATE_LIMIT_PUBLIC",
  "RATE_LIMIT_AUTHENTICATED",
  "SCANS_PER_HOUR",
  "MAX_SESSIONS",
  "SESSIONS_PER_CLIENT",
  "CALLS_PER_MINUTE",
  "SESSION_IDLE_SECONDS",
  "CALL_TIMEOUT_SECONDS",
  "SESSION_MEMORY_MB",
  "SESSIONS_PER_HOST",
  "WARM_SESSIONS",
  "SPARE_SESSIONS",
  "EXECUTION_POLICY",
  "EXECUTION_AUTH",
  "SCAN_POLICY",
  "BUILD_POLICY",
  "TOOLS_POLICY",
  "CAPABILITY_POLICY",
  "AUTHOR_POLICY",
  "READ_POLICY",
  "INTERPRETER_PROFILE",
] as const satisfies readonly (keyof Config)[];

function limitText(value: string | number | undefined): string {
  return value === undefined ? "by the machine's memory" : String(value);
}

export interface WebOptions {
  config: Config;
  sql: Sql;
  log: Logger;
  identity: IdentityDeps;
  /** Null with an external identity provider. */
  issuer: Issuer | null;
  app: Omit<RegistryAppServices, "web">;
  registry: Pick<RegistrySide, "inspect" | "readmes" | "cards">;
  /** This node's execution listener; null where it has none. */
  execution: () => Handler | null;
  operations: Operations | null;
  health: WebServices["health"];
  objects: ArchiveObjects | null;
}

/** Requests to the embedded issuer, without a connection to oneself. */
function inProcess(issuer: Issuer, address: string, log: Logger): Send {
  return async (url, init, client) => {
    const { pathname, searchParams } = new URL(url);
    const body = new TextEncoder().encode(typeof init.body === "string" ? init.body : "");
    return await issuer.handle({
      method: init.method ?? "GET",
      path: pathname.slice(new URL(address).pathname.length),
      query: searchParams,
      headers: new Headers(init.headers),
      body,
      client,
      requestId: crypto.randomUUID(),
      log,
    });
  };
}

function setupOf(config: Config): SignInSetup {
  if (config.OIDC_ISSUER === undefined) return { kind: "embedded" };
  return config.OIDC_CLIENT_ID === undefined
    ? { kind: "no_client", issuer: config.OIDC_ISSUER }
    : { kind: "external" };
}

function finishDeps(options: WebOptions): FinishDeps | null {
  const { config, sql, log, identity, issuer } = options;
  if (identity.provider === null || setupOf(config).kind === "no_client") return null;
  const { findKey, rules } = identity.provider;
  const clientId = issuer === null ? config.OIDC_CLIENT_ID! : WEB_CLIENT;
  // The identity tokens of this application's sign-ins are for this application.
  const own = alsoFor(identity, clientId);
  return {
    sql,
    now,
    log,
    findKey,
    ...(identity.groups === undefined ? {} : { groups: identity.groups }),
    authenticate: (bearer) => authenticate(identity, `Bearer ${bearer}`),
    authenticateIdentity: (bearer) => authenticate(own, `Bearer ${bearer}`),
    provider: new SignInProvider({
      kind: issuer === null ? "external" : "embedded",
      issuer: rules.issuer,
      clientId,
      clientSecret: config.OIDC_ISSUER === undefined ? null : config.OIDC_CLIENT_SECRET ?? null,
      audience: issuer === null ? config.OIDC_AUDIENCE?.[0] ?? null : EMBEDDED_AUDIENCE,
      send: issuer === null
        ? (url, init) => fetch(url, init)
        : inProcess(issuer, rules.issuer, log),
    }),
  };
}

/** How pages reach the execution endpoint: in this process, or at its public address. */
function executor({ execution }: WebOptions): WebServices["execute"] {
  return async (request, client) => {
    const handler = execution();
    if (handler === null) {
      const headers = new Headers(request.headers);
      // Believed only by those who trust this node as a proxy.
      if (client !== null) headers.set("x-forwarded-for", client);
      const body = request.body && sentOnce(await request.bytes());
      const { url, method, signal } = request;
      return await fetch(url, { method, headers, body, signal });
    }
    const remoteAddr = { transport: "tcp", hostname: client ?? "127.0.0.1", port: 0 } as const;
    return await handler(request, { remoteAddr });
  };
}

/** The pages, with their dependencies bound. */
export function webApplication(options: WebOptions): WebApplication {
  const { config, sql, issuer, app } = options;
  const finish = finishDeps(options);
  return createWeb({
    app,
    sql,
    objects: options.objects,
    sessions: finish,
    cookies: cookieScope(app.publicUrl),
    setup: setupOf(config),
    workerUrl: workerUrl(config),
    operations: options.operations,
    health: options.health,
    limits: LIMITS.map((name) => [name, limitText(config[name])]),
    needsToken: needsToken(config),
    rules: {
      policy: config.EXECUTION_POLICY,
      profile: config.INTERPRETER_PROFILE,
      capabilities: config.CAPABILITY_POLICY,
    },
    execute: executor(options),
    attempts: createAttempts(sql),
    inspect: options.registry.inspect,
    readmes: options.registry.readmes,
    cards: options.registry.cards,
    async endIssuerSession(refreshToken) {
      if (issuer !== null) await endSessionOf(sql, refreshToken);
    },
  }, finish);
}

/** Starts to remove sessions that have expired, now and then; returns what stops it. */
export function startWebCleaning(sql: Sql, log: Logger): () => Promise<void> {
  let round = Promise.resolve();
  async function clean() {
    try {
      await removeExpired(sql, now());
    } catch (error) {
      log.warn("web.clean_failed", { error });
    }
  }
  const timer = setInterval(() => round = round.then(clean), CLEAN_MS);
  return async () => {
    clearInterval(timer);
    await round;
  };
}
