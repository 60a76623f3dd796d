/**
 * What a registry says of itself: addresses, and where to sign in.
 *
 * @module
 */
import { CAPABILITY_POLICIES } from "../../scan/capabilities_schema.ts";
import { z } from "zod";
import { EXECUTION_POLICIES, INTERPRETER_PROFILES } from "../../execution/admission/runnable.ts";
import { readJson, send } from "../client/http.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";

const address = z.url({ protocol: /^https?$/ });

/** `GET /.well-known/berth`; what a newer registry adds is ignored. */
const Service = z.object({
  name: z.literal("Berth"),
  version: z.string(),
  api_url: address,
  mcp_url: address,
  sign_in: z.object({
    issuer: address,
    client_id: z.string().nullable(),
    audience: z.string().nullable(),
    scope: z.string(),
  }).nullable(),
  execution: z.object({
    policy: z.enum(EXECUTION_POLICIES),
    profile: z.enum(INTERPRETER_PROFILES),
    capabilities: z.enum(CAPABILITY_POLICIES).optional(),
  }).optional().catch(undefined),
});
export type Service = z.infer<typeof Service>;

/** Asks `registry` for its description. */
export async function describeRegistry(context: CliContext, registry: string): Promise<Service> {
  const response = await send(context, `${registry}/.well-known/berth`, {
    what: "The registry",
    headers: { accept: "application/json" },
  });
  const parsed = z.object({ service: Service }).safeParse(await readJson(response));
  if (parsed.success) return parsed.data.service;
  const busy = response.status === 429 || response.status >= 500;
  throw new CliError(
    busy ? EXIT.unreachable : EXIT.failure,
    busy
      ? `The registry at ${registry} returned status ${response.status}`
      : `No Berth registry found at ${registry}`,
    { hint: "Choose another address with --registry, BERTH_REGISTRY or berth config set registry" },
  );
}

/** What is needed of an issuer's metadata (OpenID Connect Discovery, RFC 8414). */
const Metadata = z.object({
  issuer: z.string(),
  token_endpoint: address,
  device_authorization_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
});
/** The endpoints of an identity provider that the command line uses. */
export type IssuerMetadata = z.infer<typeof Metadata>;

/** Whether tokens may be sent to `url`: encrypted, unless it is on this machine. */
export function mayCarrySecrets(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

export async function describeIssuer(
  context: CliContext,
  issuer: string,
): Promise<IssuerMetadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await send(context, url, { what: "The identity provider" });
  const parsed = Metadata.safeParse(await readJson(response));
  if (!parsed.success) {
    const exit = response.status >= 500 ? EXIT.unreachable : EXIT.failure;
    throw new CliError(exit, `The identity provider at ${issuer} has no valid metadata`, {
      hint: "Contact its operator, or sign in with an existing token: berth login --token-stdin",
    });
  }
  const { data } = parsed;
  // A document of another issuer must not receive this one's tokens.
  if (data.issuer !== issuer) {
    throw new CliError(
      EXIT.failure,
      `The metadata of ${issuer} names another issuer: ${data.issuer}`,
    );
  }
  return data;
}
