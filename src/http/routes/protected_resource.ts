/**
 * How a client that is refused for want of a token finds out where to get one: protected-resource
 * metadata (RFC 9728), named in the challenge of every 401 (section 5.1).
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../environment.ts";
import { type Operation, undescribed } from "../operation.ts";

/** Where clients look for the metadata of a resource at the root. */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
const CACHE_SECONDS = 300;
/** What Berth reads of a token: its subject, and the e-mail address for the username. */
const SCOPES = ["openid", "email"];

export interface ProtectedResource {
  /** Public address of the listener, without a trailing slash. */
  publicUrl: string;
  /** Issuer of the tokens that count here; null without one. */
  issuer: string | null;
}

/** The resource's identifier, which clients send as `resource` and tokens may have as `aud`. */
export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

function metadataOf({ publicUrl }: ProtectedResource, issuer: string) {
  return {
    resource: resourceOf(publicUrl),
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: SCOPES,
    resource_name: "Berth",
  };
}

/**
 * Adds `resource_metadata`, and the scope to ask for, to the challenge of every 401, whoever answered it. Without an issuer
 * there is nothing to point at, and nothing is added.
 */
export function nameMetadata(resource: ProtectedResource): MiddlewareHandler<HttpEnv> {
  const parameter = `resource_metadata="${resource.publicUrl}${RESOURCE_METADATA_PATH}/mcp", ` +
    `scope="${SCOPES.join(" ")}"`;
  return async function nameMetadata(c, next) {
    await next();
    if (c.res.status !== 401 || resource.issuer === null) return;
    const challenge = c.res.headers.get("WWW-Authenticate") ?? "Bearer";
    const separator = challenge.includes("=") ? ", " : " ";
    c.res.headers.set("WWW-Authenticate", `${challenge}${separator}${parameter}`);
  };
}

/** The metadata of a listener whose tokens `issuer` makes. */
export function resourceMetadata(resource: ProtectedResource, issuer: string): Operation {
  const metadata = metadataOf(resource, issuer);
  const headers = { "Cache-Control": `public, max-age=${CACHE_SECONDS}` };
  return undescribed((c) => c.json(metadata, 200, headers));
}
