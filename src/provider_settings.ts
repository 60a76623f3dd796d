/**
 * Settings that name other services at which people sign in.
 *
 * @module
 */
import { z } from "zod";
import { secretUrl } from "./setting_types.ts";

const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/);

/** One entry of `UPSTREAM_PROVIDERS`: another provider through which users may sign in. */
export const UpstreamSettings = z.strictObject({
  /** As tokens name it in `identities` and `sign_in_provider`: `github.com`, `google.com`. */
  name: z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,48}[a-z0-9])?$/).refine(
    (name) => name !== "password" && name !== "email",
    "is reserved for accounts with a password",
  ),
  /** An OpenID provider's issuer, or `github`. */
  issuer: z.union([z.literal("github"), secretUrl]),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  /** For people; by default the name, for the known ones their own. */
  label: z.string().min(1).max(50).optional(),
  /** Whether an address that it has verified finds the account with that address. */
  link_by_email: z.boolean().default(true),
  /** The claim of identity tokens in which it names a user's groups; absent: it names none. */
  groups_claim: z.string().min(1).max(200).optional(),
  /** Requested beside `openid email`: many providers name groups only with a scope of their own. */
  scopes: z.array(scope).max(20).default([]),
  /** Addresses of the pages and of the API of a code host of one's own. */
  url: secretUrl.optional(),
  api_url: secretUrl.optional(),
}).refine(
  ({ issuer, groups_claim, scopes }) =>
    issuer !== "github" || groups_claim === undefined && scopes.length === 0,
  "must not have groups_claim or scopes for github, which has no identity tokens",
);
export type UpstreamSettings = z.infer<typeof UpstreamSettings>;

/** Value of `UPSTREAM_PROVIDERS`. */
export const upstreamProviders = z.array(UpstreamSettings).max(20).refine(
  (all) => new Set(all.map(({ name }) => name)).size === all.length,
  "must not contain duplicate names",
);

/** One entry of `CONNECTION_CLIENTS`: Berth as a client of a service whose tokens servers may use. */
export const connectionClient = z.strictObject({
  issuer: secretUrl.optional(),
  authorization_endpoint: secretUrl.optional(),
  token_endpoint: secretUrl.optional(),
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  /** Where tokens may be sent; servers that declare other hosts do not get any. */
  hosts: z.array(z.string().toLowerCase().regex(/^[a-z0-9._*[\]:-]+$/)).min(1),
  /** What servers may ask for; absent: anything. */
  scopes: z.array(scope).optional(),
}).refine(
  (one) =>
    one.issuer === undefined
      ? one.authorization_endpoint !== undefined && one.token_endpoint !== undefined
      : one.authorization_endpoint === undefined && one.token_endpoint === undefined,
  "must have either issuer, or authorization_endpoint and token_endpoint",
);
