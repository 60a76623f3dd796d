/**
 * The configuration of the OpenID provider: code flow with PKCE, rotating refresh tokens, device
 * flow, access tokens as the specification shapes them.
 *
 * @module
 */
import type { Configuration, Grant, KoaContextWithOIDC } from "oidc-provider";
import { type Account, findAccount } from "./accounts/accounts.ts";
import { createAdapter } from "./adapter.ts";
import { claimsAbout } from "./claims.ts";
import type { IssuerDeps } from "./deps.ts";
import { firstPartyClients, WEB_CLIENT } from "./first_party.ts";
import { SIGNING_ALG } from "./keys/rotation.ts";
import type { KeyRing } from "./keys/keys.ts";
import { openIdErrors, OpenIdProvider } from "./library.ts";
import { audienceOf } from "./resources.ts";
import { deviceSources, logoutSources, renderError } from "./pages/provider_pages.ts";

const DAY = 86_400;
/** Life of an access token, in seconds (specification, "Limits"). */
const ACCESS_TOKEN_SECONDS = 3600;
/** The one permission that there is: to act as the user at this registry. */
export const API_SCOPE = "berth";

const TTL = {
  AccessToken: ACCESS_TOKEN_SECONDS,
  IdToken: ACCESS_TOKEN_SECONDS,
  AuthorizationCode: 60,
  DeviceCode: 600,
  Interaction: 3600,
  // From the last use on; a grant ends after a year whatever happens.
  RefreshToken: 30 * DAY,
  Grant: 365 * DAY,
  Session: 14 * DAY,
};

function resourceFeature(deps: IssuerDeps): NonNullable<Configuration["features"]> {
  return {
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf ?? `${deps.address.publicUrl}/api/v1`,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        const own = { ...deps, publicUrl: deps.address.publicUrl };
        const audience = audienceOf(own, resource);
        if (audience === null) throw new openIdErrors.InvalidTarget();
        return {
          scope: API_SCOPE,
          audience,
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: SIGNING_ALG } },
        };
      },
    },
  };
}

/** What the OpenID provider asks about an account. */
function accountOf(account: Account) {
  return {
    accountId: account.id,
    claims: () => ({
      sub: account.id,
      ...(account.email === null ? {} : { email: account.email }),
      email_verified: account.emailVerified,
    }),
  };
}

/** The claims of a new access token, from the code or token that it is issued for. */
async function tokenClaims(deps: IssuerDeps, ctx: KoaContextWithOIDC, accountId: string) {
  const { RefreshToken, AuthorizationCode, DeviceCode } = ctx.oidc.entities;
  const source = RefreshToken ?? AuthorizationCode ?? DeviceCode;
  const account = await findAccount(deps.sql, accountId);
  if (account === null || source?.authTime === undefined) {
    throw new openIdErrors.InvalidGrant("the account no longer exists");
  }
  return claimsAbout(
    account,
    { authTime: source.authTime, methods: source.amr },
    deps.providerClaim,
  );
}

/**
 * The consent that there is. The web application is part of this service: signing in to it is
 * consent, so its grant is made on the way.
 */
async function existingGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { oidc } = ctx;
  const clientId = oidc.client!.clientId;
  const known = oidc.result?.consent?.grantId ?? oidc.session?.grantIdFor(clientId);
  const found = known ? await oidc.provider.Grant.find(known) : undefined;
  const accountId = oidc.session?.accountId;
  if (clientId !== WEB_CLIENT || accountId === undefined) return found;
  const grant = found ?? new oidc.provider.Grant({ clientId, accountId });
  grant.addOIDCScope("openid email offline_access");
  for (const resource of Object.keys(oidc.resourceServers ?? {})) {
    grant.addResourceScope(resource, API_SCOPE);
  }
  await grant.save();
  return grant;
}

/** Stored models; clients are also taken from where `extensions` has them. */
function adapterOf({ sql, now, extensions: { clients } }: IssuerDeps, model: string) {
  const alreadyUsed = () => new openIdErrors.InvalidGrant("it was already used");
  const adapter = createAdapter({ sql, now, alreadyUsed }, model);
  if (model !== "Client" || clients === undefined) return adapter;
  return {
    ...adapter,
    find: async (id: string) => await adapter.find(id) ?? await clients.find(id),
  };
}

function clientSettings({ address }: IssuerDeps): Configuration {
  return {
    clients: firstPartyClients(address),
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
    clientDefaults: {
      grant_types: ["authorization_code"],
      response_types: ["code"],
      id_token_signed_response_alg: SIGNING_ALG,
    },
    clientBasedCORS: () => true,
  };
}

function cookieSettings({ address }: IssuerDeps, ring: KeyRing): Configuration["cookies"] {
  const cookie = { httpOnly: true, sameSite: "lax", signed: true } as const;
  return {
    keys: [...ring.cookies],
    names: {
      session: "berth_session",
      interaction: "berth_interaction",
      resume: "berth_resume",
    },
    long: { ...cookie, path: address.path },
    short: cookie,
  };
}

function configurationOf(deps: IssuerDeps, ring: KeyRing): Configuration {
  return {
    adapter: (model: string) => adapterOf(deps, model),
    ...clientSettings(deps),
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    // Access tokens are for the registry, not for a userinfo endpoint: the address is in the id token.
    conformIdTokenClaims: false,
    cookies: cookieSettings(deps, ring),
    jwks: { keys: [...ring.signing] as NonNullable<Configuration["jwks"]>["keys"] },
    enabledJWA: {
      idTokenSigningAlgValues: [SIGNING_ALG],
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      deviceFlow: { enabled: true, ...deviceSources(deps) },
      rpInitiatedLogout: { enabled: true, ...logoutSources(deps) },
      ...resourceFeature(deps),
    },
    scopes: ["openid", "offline_access"],
    responseTypes: ["code"],
    pkce: { required: () => true },
    ttl: TTL,
    findAccount: async (_ctx, id) => {
      const account = await findAccount(deps.sql, id);
      return account === null ? undefined : accountOf(account);
    },
    formats: {
      customizers: {
        // The provider reads a clock that may step back: behind a time up to which all was revoked,
        // or so that what it read before is in the future for whoever checks the token.
        jwt(_ctx, _token, { payload }) {
          const issued = Math.floor(deps.now().getTime() / 1000);
          payload.exp = (payload.exp as number) + issued - (payload.iat as number);
          payload.iat = issued;
          if ((payload.auth_time as number) > issued) payload.auth_time = issued;
        },
      },
    },
    extraTokenClaims: (ctx, token) =>
      "accountId" in token ? tokenClaims(deps, ctx, token.accountId) : undefined,
    loadExistingGrant: existingGrant,
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed("refresh_token")),
    rotateRefreshToken: () => true,
    // Signing out of the web application ends its tokens; other clients have a sign-out of their own.
    expiresWithSession: (_ctx, token) => Promise.resolve(token.clientId === WEB_CLIENT),
    interactions: {
      url: (_ctx, interaction) =>
        Promise.resolve(`${deps.address.path}/interaction/${interaction.uid}`),
    },
    renderError: renderError(deps),
  };
}

/** An OpenID provider with the keys of `ring`. */
export function createProvider(deps: IssuerDeps, ring: KeyRing): OpenIdProvider {
  const configuration = configurationOf(deps, ring);
  const provider = new OpenIdProvider(
    deps.address.issuer,
    deps.extensions.configure?.(configuration) ?? configuration,
  );
  // The bridge sets the headers that this believes.
  provider.proxy = true;
  provider.on("server_error", (_ctx, error) => deps.log.error("issuer.failed", { error }));
  return provider;
}
