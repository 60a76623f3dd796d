/**
 * Wiring of who calls.
 *
 * @module
 */
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { IdentityServices } from "../http/services.ts";
import { authenticate, type IdentityDeps, type IssuedTokens } from "../identity/caller.ts";
import { createKeptGroups } from "../identity/groups.ts";
import { createKeySet } from "../identity/key_set.ts";
import { renameUser } from "../identity/rename.ts";
import { createVerifiedTokens } from "../identity/verified_tokens.ts";
import type { Logger } from "../log.ts";
import { embeddedProvider } from "./issuer.ts";

export interface IdentityOptions {
  config: Config;
  sql: Sql;
  log: Logger;
  /** Public address of the registry listener, below which the embedded issuer is. */
  publicUrl: string;
  issued: IssuedTokens;
}

function providerOf(options: IdentityOptions): NonNullable<IdentityDeps["provider"]> {
  const { config, log } = options;
  if (config.OIDC_ISSUER === undefined) return embeddedProvider(options);
  return {
    findKey: createKeySet({
      issuer: config.OIDC_ISSUER,
      ...(config.OIDC_JWKS_URL === undefined ? {} : { jwksUrl: config.OIDC_JWKS_URL }),
      fetch,
      log,
    }),
    rules: {
      issuer: config.OIDC_ISSUER,
      audiences: config.OIDC_AUDIENCE ?? [],
      providerClaim: config.PROVIDER_CLAIM,
    },
  };
}

/** What token checks need, by the configuration. */
export function identityDeps(options: IdentityOptions): IdentityDeps {
  const { config } = options;
  return {
    provider: { ...providerOf(options), verified: createVerifiedTokens() },
    now,
    sql: options.sql,
    issued: options.issued,
    // The embedded issuer keeps them itself: what its tokens say of a user is not of a provider.
    ...(config.SIGN_IN_GROUPS_CLAIM === undefined || config.OIDC_ISSUER === undefined
      ? {}
      : { groups: createKeptGroups(options.sql, config.SIGN_IN_GROUPS_CLAIM) }),
    admins: { subjects: config.ADMIN_SUBJECTS, claim: config.ADMIN_CLAIM ?? null },
  };
}

/**
 * As `deps`, and tokens of the audience `resource` count too: a client that asks the issuer for a
 * token for one resource (RFC 8707) gets one that is good for nothing else.
 */
export function alsoFor(deps: IdentityDeps, resource: string): IdentityDeps {
  if (deps.provider === null) return deps;
  const { rules } = deps.provider;
  return {
    ...deps,
    provider: { ...deps.provider, rules: { ...rules, audiences: [...rules.audiences, resource] } },
  };
}

/** The identity half of the registry listener. */
export function identityServices(deps: IdentityDeps): IdentityServices {
  return {
    authenticate: (authorization) => authenticate(deps, authorization),
    changeUsername: (caller, username, context) => renameUser(deps, caller, username, context),
  };
}
