/**
 * Other services at which users sign in so that a server gets a token (OAuth 2.1): how an author
 * declares one, and what tells one from another.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { nameText } from "../text/characters.ts";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Whether `text` can be the address of a service: https, or http on this machine, in the form in
 * which URL parsers write it, so that one service has one name.
 */
function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  // A query could ask for other scopes, or name another client.
  if (text.includes("#") || text.includes("?")) return false;
  if (url.href !== text && url.href !== `${text}/`) return false;
  return url.protocol === "https:" || url.protocol === "http:" && LOOPBACK.test(url.hostname);
}

const address = z.string().trim().max(1000).refine(
  isServiceAddress,
  "must be an https URL without credentials, query and fragment",
);

/** An address of a service, in its normal form. */
export const ServiceAddress = address;

/** One scope (RFC 6749, section 3.3). */
export const Scope = z.string().trim().min(1).max(200).refine(
  (text) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text),
  "must be one scope: visible characters without spaces and quotation marks",
);

/**
 * What some services want to be told beside the standard. None of them names another client, place
 * to return to, or scope.
 */
const EXTRA_PARAMETERS = [
  "access_type",
  "audience",
  "duration",
  "owner",
  "prompt",
  "resource",
  "token_access_type",
] as const;

const declared = {
  service: nameText(z.string().trim().min(1).max(60)).optional().meta({
    description: "Name of the service, for people. Default: the host of its sign-in page",
    example: "GitHub",
  }),
  issuer: address.optional().meta({
    description: "Its issuer, where it publishes its endpoints (RFC 8414, OpenID Connect)",
    example: "https://accounts.google.com",
  }),
  authorization_endpoint: address.optional().meta({
    description: "Its sign-in page, where it has no issuer",
    example: "https://github.com/login/oauth/authorize",
  }),
  token_endpoint: address.optional().meta({
    example: "https://github.com/login/oauth/access_token",
  }),
  revocation_endpoint: address.optional().meta({
    description: "Where tokens are given back (RFC 7009), beside the other two endpoints",
  }),
  scopes: z.array(Scope).max(50).default([]).meta({ description: "What the server may do there" }),
  client_id: z.string().trim().min(1).max(500).refine(
    (text) => /^[\x21-\x7e]+$/.test(text),
    "must be visible ASCII characters",
  ).optional().meta({
    description: "A client without a secret that is registered there. Clients with a secret are " +
      "stored apart (`PUT /servers/{name}/keys/{variable}/client`)",
  }),
  parameters: z.partialRecord(z.enum(EXTRA_PARAMETERS), z.string().min(1).max(500)).optional()
    .meta({
      description: "What the service wants to be told beside the standard",
      example: { access_type: "offline" },
    }),
};

type Declared = z.infer<z.ZodObject<typeof declared>>;

function hostOf(text: string): string {
  return URL.parse(text)?.host ?? "";
}

function isOneWay({ issuer, authorization_endpoint, token_endpoint }: Declared): boolean {
  return issuer === undefined
    ? authorization_endpoint !== undefined && token_endpoint !== undefined
    : authorization_endpoint === undefined && token_endpoint === undefined;
}

/** A code that one host gives must not be taken to another, which only an issuer can vouch for. */
function isOneHost(declaration: Declared): boolean {
  const { authorization_endpoint: page, token_endpoint, revocation_endpoint } = declaration;
  if (page === undefined) return true;
  return [token_endpoint, revocation_endpoint].every((one) =>
    one === undefined || hostOf(one) === hostOf(page)
  );
}

/** How users sign in at another service, as an author declares it. */
export const SignInService = z.strictObject(declared)
  .refine(isOneWay, {
    path: ["issuer"],
    message: "must be set, or both authorization_endpoint and token_endpoint, but not all",
  })
  .refine(isOneHost, {
    path: ["token_endpoint"],
    message: "must be on the host of authorization_endpoint. Use issuer where it is not",
  })
  .refine((all) => all.issuer === undefined || all.revocation_endpoint === undefined, {
    path: ["revocation_endpoint"],
    message: "must not be set with issuer, which names its own",
  })
  .refine(({ scopes }) => new Set(scopes).size === scopes.length, {
    path: ["scopes"],
    message: "must not contain duplicates",
  })
  .meta({
    id: "SignInService",
    description: "Users sign in at this service (OAuth 2.1), and Berth keeps the token",
  });
export type SignInService = z.infer<typeof SignInService>;

type Endpoints = Pick<SignInService, "issuer" | "authorization_endpoint" | "token_endpoint">;

/**
 * A short name for a service, made of its issuer or endpoints: each has its own address to return to,
 * so that a code of one is never taken to another.
 */
export function serviceId({ issuer, authorization_endpoint, token_endpoint }: Endpoints): string {
  const parts = issuer === undefined ? [authorization_endpoint, token_endpoint] : [issuer];
  return createHash("sha256").update(JSON.stringify(["berth-service", ...parts])).digest("hex")
    .slice(0, 20);
}

/** The host of the page on which users sign in; the schema makes sure that there is one. */
export function signInHost({ issuer, authorization_endpoint }: Endpoints): string {
  return hostOf(issuer ?? authorization_endpoint ?? "");
}

/** What people call the service. */
export function serviceLabel(service: SignInService): string {
  return service.service ?? signInHost(service);
}
