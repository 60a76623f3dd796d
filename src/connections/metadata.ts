/**
 * What a service says of its endpoints (RFC 8414, OpenID Connect Discovery 1.0), or what the author
 * declares of one that says nothing.
 *
 * @module
 */
import { z } from "zod";
import { ServiceAddress, serviceLabel, signInHost, type SignInService } from "../keys/services.ts";
import { serviceUnreachable, serviceUnusable } from "./failures.ts";
import { type AskService, NoAnswer } from "./request.ts";

const optional = ServiceAddress.optional().catch(undefined);
const words = z.array(z.string().max(200)).max(200).optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const Document = z.object({
  issuer: z.string().max(1000),
  authorization_endpoint: ServiceAddress,
  token_endpoint: ServiceAddress,
  revocation_endpoint: optional,
  registration_endpoint: optional,
  token_endpoint_auth_methods_supported: words,
  code_challenge_methods_supported: words,
  authorization_response_iss_parameter_supported: flag,
  client_id_metadata_document_supported: flag,
});

/** What Berth needs to know of a service. Kept with a sign-in that has begun. */
export const ServiceMetadata = z.object({
  /** Null where the author names endpoints. */
  issuer: z.string().nullable(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string().nullable(),
  registration_endpoint: z.string().nullable(),
  /** How clients may prove themselves; null: it does not say. */
  methods: z.array(z.string()).nullable(),
  /** Whether its answers name it (RFC 9207). */
  names_itself: z.boolean(),
  /** Whether a client's id may be the address of a document about it. */
  takes_documents: z.boolean(),
});
export type ServiceMetadata = z.infer<typeof ServiceMetadata>;

/** Finds what a service says of itself. @throws {AppError} `unavailable`, `conflict`. */
export type FindMetadata = (service: SignInService) => Promise<ServiceMetadata>;

const KEPT_MS = 3_600_000;
const KEPT_MAX = 500;

/** An address at which an issuer may publish its metadata. */
interface Place {
  url: string;
  /** Whether it lies in the issuer's folder, where a host's users may keep files of their own. */
  isInFolder: boolean;
}

/** Where an issuer may publish its metadata, the newer standard first. */
function places(issuer: string): Place[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, "");
  const inserted = (name: string) => ({
    url: `${origin}/.well-known/${name}${path}`,
    isInFolder: false,
  });
  const oauth = inserted("oauth-authorization-server");
  const openid = inserted("openid-configuration");
  if (path === "") return [oauth, openid];
  const inFolder = `${origin}${path}/.well-known/openid-configuration`;
  return [oauth, { url: inFolder, isInFolder: true }, openid];
}

function unusable(service: SignInService, why: string) {
  return serviceUnusable(serviceLabel(service), why);
}

/** Endpoints to which codes, tokens and secrets go. */
function endpointsIn(found: z.infer<typeof Document>): string[] {
  return [found.token_endpoint, found.revocation_endpoint, found.registration_endpoint]
    .filter((one) => one !== undefined);
}

/** The metadata in `document`, once it is what it must be. */
function checked(
  service: SignInService,
  { issuer, isInFolder }: { issuer: string; isInFolder: boolean },
  document: unknown,
): ServiceMetadata {
  const parsed = Document.safeParse(document);
  if (!parsed.success) throw unusable(service, "publishes invalid metadata");
  const found = parsed.data;
  // Else a service could have users and codes sent to another one.
  if (found.issuer !== issuer) throw unusable(service, "publishes the metadata of another issuer");
  if (new URL(found.authorization_endpoint).host !== signInHost(service)) {
    throw unusable(service, "has its sign-in page on another host");
  }
  const { code_challenge_methods_supported: challenges } = found;
  if (challenges !== undefined && !challenges.includes("S256")) {
    throw unusable(service, "does not support PKCE with S256");
  }
  const endpoints = endpointsIn(found);
  if (issuer.startsWith("https:") && !endpoints.every((one) => one.startsWith("https:"))) {
    throw unusable(service, "has endpoints that are not https");
  }
  // Else a file that somebody uploads to a code host takes the codes of all its users elsewhere.
  const { host } = new URL(issuer);
  if (isInFolder && !endpoints.every((one) => new URL(one).host === host)) {
    throw unusable(service, "publishes endpoints of another host in a folder");
  }
  return {
    issuer,
    authorization_endpoint: found.authorization_endpoint,
    token_endpoint: found.token_endpoint,
    revocation_endpoint: found.revocation_endpoint ?? null,
    registration_endpoint: found.registration_endpoint ?? null,
    methods: found.token_endpoint_auth_methods_supported ?? null,
    names_itself: found.authorization_response_iss_parameter_supported === true,
    takes_documents: found.client_id_metadata_document_supported === true,
  };
}

async function discover(
  ask: AskService,
  service: SignInService,
  issuer: string,
): Promise<ServiceMetadata> {
  let failure: unknown;
  for (const { url, isInFolder } of places(issuer)) {
    try {
      const { status, body } = await ask({ method: "GET", url });
      if (status === 200) return checked(service, { issuer, isInFolder }, body);
      failure = new NoAnswer(`status ${status} from ${url}`);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      failure = error;
    }
  }
  throw serviceUnreachable(serviceLabel(service), failure);
}

/** What the author declares: nothing that is not needed is believed. */
function declaredMetadata(service: SignInService): ServiceMetadata {
  return {
    issuer: null,
    authorization_endpoint: service.authorization_endpoint!,
    token_endpoint: service.token_endpoint!,
    revocation_endpoint: service.revocation_endpoint ?? null,
    registration_endpoint: null,
    // What services without metadata take: not all of them know the other.
    methods: ["client_secret_post"],
    names_itself: false,
    takes_documents: false,
  };
}

/**
 * A finder with a memory of this node.
 *
 * @param now Milliseconds of a clock that never goes back.
 */
export function createFindMetadata(
  ask: AskService,
  now: () => number = () => performance.now(),
): FindMetadata {
  const kept = new Map<string, { found: Promise<ServiceMetadata>; at: number }>();
  return async (service) => {
    const { issuer } = service;
    if (issuer === undefined) return declaredMetadata(service);
    const known = kept.get(issuer);
    if (known !== undefined && now() - known.at < KEPT_MS) return await known.found;
    const found = discover(ask, service, issuer);
    kept.delete(issuer);
    kept.set(issuer, { found, at: now() });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    try {
      return await found;
    } catch (error) {
      // A failure is not kept.
      if (kept.get(issuer)?.found === found) kept.delete(issuer);
      throw error;
    }
  };
}
