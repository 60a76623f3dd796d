/**
 * An OpenID provider of another maker, as a process of its own: oidc-provider with accounts that
 * need no password. `openid_provider.ts` starts it.
 *
 * Prints its issuer when it listens. Under `/control` it takes `POST rotate` (a new key; the earlier
 * ones stay unless `?drop`), `GET requests` (how often each path was asked for),
 * `POST account?name=` (who signs in from now on) and `POST groups?name=…` (whose groups these are).
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  errors,
  Provider,
} from "oidc-provider";

/** How the provider behaves. */
export interface OpenIdProviderSettings {
  /** Of tokens that were asked for without a resource. */
  audience: string | string[];
  /** Whether a token for a resource has it as audience; else {@link audience}. */
  resourceAsAudience: boolean;
  /** Name of the claim object with `sign_in_provider`. */
  providerClaim: string;
  /** Clients that are known beforehand. */
  clients: {
    client_id: string;
    client_secret?: string;
    redirect_uris: string[];
    grant_types?: string[];
    response_types?: "code"[];
  }[];
}

/**
 * How far its clock is behind this machine's, in milliseconds: where that steps back between the
 * processes' looks at it, tokens would be from the future for whoever checks them.
 */
const BEHIND_MS = 30_000;
const { now } = Date;
Date.now = () => now() - BEHIND_MS;

const settings: OpenIdProviderSettings = JSON.parse(Deno.args[0] ?? "{}");
const keys: JWK[] = [];
const seen: Record<string, number> = {};
let account = "ada";
let groups: string[] = [];
let made = 0;
let provider: Provider;
let issuer = "";

/** What the provider remembers, also over a change of its keys. */
const stored = new Map<string, AdapterPayload>();

function adapterOf(model: string): Adapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const where = (matches: (payload: AdapterPayload) => boolean) =>
    Promise.resolve(
      [...stored].find(([key, value]) => key.startsWith(`${model}:`) && matches(value))?.[1],
    );
  return {
    upsert(id, payload) {
      stored.set(keyOf(id), payload);
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(stored.get(keyOf(id))),
    findByUid: (uid) => where((payload) => payload.uid === uid),
    findByUserCode: (code) => where((payload) => payload.userCode === code),
    consume(id) {
      stored.get(keyOf(id))!.consumed = Math.floor(Date.now() / 1000);
      return Promise.resolve();
    },
    destroy(id) {
      stored.delete(keyOf(id));
      return Promise.resolve();
    },
    revokeByGrantId(grantId) {
      for (const [key, value] of stored) if (value.grantId === grantId) stored.delete(key);
      return Promise.resolve();
    },
  };
}

async function addKey(): Promise<void> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  keys.unshift({ ...await exportJWK(privateKey), kid: `key-${++made}`, alg: "RS256", use: "sig" });
}

function claimsOf(id: string) {
  return {
    email: `${id}@example.com`,
    email_verified: true,
    name: id,
  };
}

function configuration(): Configuration {
  return {
    adapter: adapterOf,
    jwks: { keys } as NonNullable<Configuration["jwks"]>,
    clients: settings.clients.map((client) => ({
      grant_types: ["authorization_code", "refresh_token"],
      ...client,
      token_endpoint_auth_method: client.client_secret === undefined
        ? "none" as const
        : "client_secret_basic" as const,
    })),
    cookies: { keys: ["a key that only tests have"] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
      groups: ["groups"],
    },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...claimsOf(id), groups }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    extraTokenClaims: (_context, token) => {
      if (!("accountId" in token) || token.accountId === undefined) return undefined;
      return {
        ...claimsOf(token.accountId),
        user_id: token.accountId,
        auth_time: Math.floor(Date.now() / 1000),
        [settings.providerClaim]: {
          identities: { email: [`${token.accountId}@example.com`] },
          sign_in_provider: "password",
        },
      };
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `${issuer}/api`,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: "openid email profile offline_access",
          audience:
            (settings.resourceAsAudience && resource !== `${issuer}/api`
              ? resource
              : settings.audience) as string,
          accessTokenFormat: "jwt",
          accessTokenTTL: 3600,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    ttl: { AccessToken: 3600, Grant: 86_400, IdToken: 3600, Interaction: 600, Session: 86_400 },
  };
}

function renew(): void {
  provider = new Provider(issuer, configuration());
}

/** Signs in and agrees to everything, as a user who clicks through would. */
async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const details = await provider.interactionDetails(request, response);
  const { prompt, params, session } = details;
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: account } });
    return;
  }
  const grant = details.grantId === undefined
    ? new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) })
    : (await provider.Grant.find(details.grantId))!;
  const missing = prompt.details as {
    missingOIDCScope?: string[];
    missingOIDCClaims?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  grant.addOIDCScope((missing.missingOIDCScope ?? []).join(" "));
  grant.addOIDCClaims(missing.missingOIDCClaims ?? []);
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { consent: { grantId } }, {
    mergeWithLastSubmission: true,
  });
}

async function control(url: URL, response: ServerResponse): Promise<void> {
  if (url.pathname === "/control/rotate") {
    if (url.searchParams.has("drop")) keys.length = 0;
    await addKey();
    renew();
  } else if (url.pathname === "/control/account") {
    account = url.searchParams.get("name") ?? account;
  } else if (url.pathname === "/control/groups") {
    groups = url.searchParams.getAll("name");
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(seen));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", issuer);
  if (url.pathname.startsWith("/control/")) return await control(url, response);
  seen[url.pathname] = (seen[url.pathname] ?? 0) + 1;
  if (url.pathname.startsWith("/interaction/")) return await interact(request, response);
  await provider.callback()(request, response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.statusCode = error instanceof errors.OIDCProviderError ? 400 : 500;
    response.end(String(error));
  });
});
// A connection that ends while a request is on its way fails that request.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", async () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No address");
  issuer = `http://127.0.0.1:${address.port}`;
  await addKey();
  renew();
  Deno.stdout.writeSync(new TextEncoder().encode(`ISSUER ${issuer}\n`));
});
