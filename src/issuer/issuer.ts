/**
 * The embedded issuer: an OpenID provider with accounts of its own, for registries without another
 * identity provider.
 *
 * @module
 */
import type { TokenMinter } from "../identity/api_tokens/minter.ts";
import type { ClaimRules } from "../identity/claims.ts";
import type { FindKey } from "../identity/key_set.ts";
import { offerAdministration } from "./accounts/first_admin.ts";
import type { Invitation } from "./accounts/invitation_schema.ts";
import { createInvitation, offerFirstAccount } from "./accounts/invitations.ts";
import { sweep } from "./adapter.ts";
import { viaNode } from "./node_handlers.ts";
import type { IssuerDeps } from "./deps.ts";
import { networkOf, type RuleName, takeAttempt } from "./guard.ts";
import type { CurrentProvider } from "./library.ts";
import type { OpenIdProvider } from "./library.ts";
import { createMinter } from "./mint.ts";
import { accountRoutes } from "./pages/account_routes.ts";
import { adminRoutes } from "./pages/admin_routes.ts";
import { invitationRoutes } from "./pages/invitation_routes.ts";
import { interactionRoutes } from "./pages/interaction_routes.ts";
import { tooMany } from "./pages/messages.ts";
import { API_SCOPE, createProvider } from "./provider.ts";
import type { IssuerRequest } from "./request.ts";
import { type IssuerRoute, matchPath } from "./route.ts";

const ROUND_MS = 60_000;
const SWEEP_EVERY = 10;
/** How long the end waits for mail that is under way: a mail server may be silent for longer. */
const END_MS = 4_000;

/** The embedded OpenID provider, ready to answer. */
export interface Issuer {
  /** Answers a request below the issuer's path. */
  handle(request: IssuerRequest): Promise<Response>;
  /**
   * Makes a link that makes an account for `email`; `actor` is the administrator who wants it.
   *
   * @throws {AppError} Where the address has an account.
   */
  invite(actor: string, email: string, context: { requestId: string }): Promise<Invitation>;
  /** Finds the key of a token of this issuer, without a request to itself. */
  findKey: FindKey;
  /** What this issuer's tokens are checked against. */
  rules: ClaimRules;
  /** Makes access tokens for users who are signed in already. */
  minter: TokenMinter;
  /** Ends the background work, after what is under way. */
  close(): Promise<void>;
}

/** Routes of the OpenID provider that somebody could guess at or fill the database with. */
const LIMITED: Readonly<Record<string, RuleName>> = {
  "GET /auth": "begin",
  "POST /auth": "begin",
  "POST /device/auth": "begin",
  "POST /reg": "begin",
  "POST /token": "token",
  "POST /device": "deviceCode",
};

function limited(deps: IssuerDeps, request: IssuerRequest, wait: number): Response {
  if (request.headers.get("accept")?.includes("text/html")) return tooMany(deps.address, wait);
  return Response.json(
    {
      error: "temporarily_unavailable",
      error_description: `Too many requests. Try again in ${wait} s`,
    },
    { status: 429, headers: { "Retry-After": String(wait) } },
  );
}

/** A client that names no scope means the only one there is. */
function withScope(request: IssuerRequest): IssuerRequest {
  if (request.path !== "/auth" || request.method !== "GET" || request.query.has("scope")) {
    return request;
  }
  const query = new URLSearchParams(request.query);
  query.set("scope", API_SCOPE);
  return { ...request, query };
}

function styleRoute(): IssuerRoute {
  return {
    method: "GET",
    path: "/style.css",
    async handle() {
      const css = (await import("./pages/style.css", { with: { type: "text" } })).default;
      return new Response(css, {
        headers: {
          "Content-Type": "text/css; charset=utf-8",
          "Cache-Control": "public, max-age=3600",
        },
      });
    },
  };
}

/** Starts the issuer: makes its keys where there are none, and keeps house once a minute. */
export async function startIssuer(deps: IssuerDeps): Promise<Issuer> {
  let made: { version: string; provider: OpenIdProvider } | undefined;
  const current: CurrentProvider = async () => {
    const ring = await deps.keys.current();
    if (made?.version !== ring.version) {
      made = { version: ring.version, provider: createProvider(deps, ring) };
    }
    return made!.provider;
  };
  const routes = [
    ...deps.extensions.routes?.(deps, current) ?? [],
    styleRoute(),
    ...interactionRoutes(deps, current),
    ...accountRoutes(deps),
    ...adminRoutes(deps),
    ...invitationRoutes(deps),
  ];

  async function handle(request: IssuerRequest): Promise<Response> {
    for (const route of routes) {
      if (route.method !== request.method) continue;
      const parameters = matchPath(route.path, request.path);
      if (parameters !== null) return await route.handle(request, parameters);
    }
    const rule = LIMITED[`${request.method} ${request.path}`];
    if (rule !== undefined) {
      const wait = await takeAttempt(deps, [[rule, networkOf(request.client)]]);
      if (wait !== null) return limited(deps, request, wait);
    }
    const provider = await current();
    return await viaNode(withScope(request), deps.address, provider.callback());
  }

  let rounds = 0;
  async function keepHouse() {
    await deps.keys.refresh();
    if (rounds++ % SWEEP_EVERY !== 0) return;
    await sweep(deps.sql, deps.now());
    await deps.extensions.sweep?.(deps.now());
  }
  await current();
  await offerAdministration(deps);
  await offerFirstAccount(deps);
  const timer = setInterval(
    () => deps.background.run("issuer.housekeeping_failed", keepHouse),
    ROUND_MS,
  );

  return {
    handle,
    invite: (actor, email, context) => createInvitation(deps, actor, email, context),
    findKey: deps.keys.findKey,
    rules: {
      issuer: deps.address.issuer,
      audiences: [deps.audience],
      providerClaim: deps.providerClaim,
    },
    minter: createMinter(deps),
    async close() {
      clearInterval(timer);
      await deps.background.idle(END_MS);
      deps.mailer?.close();
    },
  };
}
